-- Who is in a chat and what they write, as the event stream tells it: people, typing, messages, queue, status texts.
local boldchat = require "boldchat"
local beginnings = require "beginnings"

local function connected(t, options, settings)
    local desk = t:server(boldchat, settings)
    local visitor = t:actor(boldchat, options)
    visitor:create_chat { skip_pre_chat = true }
    visitor:expect "connected"
    local function send(method, params) desk:send_event(method, params, visitor) end
    local function add(id, values) send("addMessage", { MessageID = id, Values = values }) end
    return visitor, desk, send, add
end

-- A fault that breaks a connection, or keeps an answer back, changes when the stream is where.
local own = "it breaks and times its connections itself"
local timed = {
    cut = own, truncate = own, half_close = own, refuse = own, one_byte = own, delay = own, duplicate = own, reorder = own,
    http_429 = own, http_500 = own, http_503 = own, malformed_json = own, clock_jump = own,
}

-- The texts of a list of messages in order.
local function texts(list)
    local found = {}
    for place, message in ipairs(list) do found[place] = message.text end
    return found
end

group("a person", function()
    scenario("who writes first has come with the first word, and only then", { tags = { "messages" } }, function(t)
        local visitor, _, _, add = connected(t)
        add("1", { PersonID = "7", PersonType = "OPERATOR", Name = "Sam", Text = "One", ImageURL = "https://example.com/sam.png" })
        add("2", { PersonID = "7", Text = "Two" })
        add("3", { PersonID = "8", PersonType = "visitor", Name = "Ada", Text = "Three" })
        visitor:expect(seq {
            event("agent_joined", { person = { id = "7", name = "Sam", type = "operator", image_url = match.absent } }),
            event("message", { id = "1", text = "One", from = "operator", name = "Sam" }),
            event("message", { id = "2", text = "Two", from = "operator", name = "Sam", person = { id = "7" } }),
            event("message", { id = "3", text = "Three", from = "visitor", name = "Ada" }),
        })
        expect(visitor:events "agent_joined", match.count(1))
        expect(texts(visitor.screen.chat.chatHistoryWebView), { "One", "Two", "Three" })
        visitor:end_session()
    end)

    scenario("who comes, types and goes is known by what was said of each last", { tags = { "typing" } }, function(t)
        local visitor, _, send = connected(t)
        local function typer(id, values) send("updateTyper", { PersonID = id, Values = values }) end
        typer("7", { PersonType = "operator", Name = "Sam", ImageURL = "https://example.com/sam.png" })
        visitor:expect("agent_joined", { person = { name = "Sam", image_url = "https://example.com/sam.png" } })
        visitor:expect("typing", { active = false })
        typer("7", { IsTyping = true })
        visitor:expect("typing", { active = true, person = { name = "Sam" } })
        typer("7", { Name = "Samuel" }) -- a partial update leaves the rest
        visitor:expect("typing", { active = true, person = { name = "Samuel", image_url = match.any, type = "operator" } })
        expect(visitor.screen.chat.typingLabel, "Samuel is typing")
        typer("8", { PersonType = "operator", Name = "Kim", IsTyping = true })
        visitor:expect("agent_joined", { person = { name = "Kim" } })
        visitor:expect("typing", { active = true, person = { name = "Kim" } })
        typer("9", { PersonType = "operator", IsTyping = true })
        visitor:expect("typing", { active = true, person = { name = match.absent } })
        expect(visitor.screen.chat.typingLabel, "Samuel, Kim and Operator are typing")
        typer("1", { PersonType = "visitor", Name = "Ada", IsTyping = true })
        typer("1", json.null)
        typer("8", { IsTyping = false })
        visitor:expect("typing", { active = false, person = { name = "Kim" } })
        typer("7", json.null)
        visitor:expect("agent_left", { person = { name = "Samuel" } })
        typer("9", json.null)
        visitor:expect("agent_left", { person = { id = "9" } })
        expect(visitor.screen.chat.typingLabel, match.absent)
        typer("7", json.null) -- whoever has gone cannot go
        typer("7", { PersonType = "operator", Name = "Sam" })
        visitor:expect("agent_joined", { person = { name = "Sam", image_url = match.absent } })
        expect({ visitor:events "agent_joined", visitor:events "agent_left" }, { match.count(4), match.count(2) })
        visitor:end_session()
    end)
end)

group("a message", function()
    for _, profile in ipairs { "ios", "html" } do
        scenario("that comes again changes what the client " .. profile .. " shows, or not", { tags = { "messages" } }, function(t)
            local visitor, _, _, add = connected(t, { profile = profile })
            add("1", { PersonID = "7", PersonType = "operator", Name = "Sam", Text = "One", Created = "2024-01-01T10:00:00.000Z" })
            visitor:expect("message", { text = "One", time = "2024-01-01T10:00:00.000Z", original_text = match.absent })
            add("1", { Text = "Uno", OriginalText = "One" })
            add("2", { PersonID = "7", Text = "Two", OriginalText = "Dos" })
            local changed = profile == "html"
            if changed then visitor:expect("message_updated", { id = "1", text = "Uno", original_text = "One", from = "operator" }) end
            visitor:expect("message", { id = "2", original_text = "Dos", time = match.absent })
            expect(visitor:events "message_updated", match.count(changed and 1 or 0))
            expect(texts(visitor.screen.chat.chatHistoryWebView), { changed and "Uno" or "One", "Two" })
            visitor:end_session()
        end)
    end

    scenario("of the system stands in place of a first answer and is no part of the history", { tags = { "messages", "screen" } }, function(t)
        local visitor, desk = connected(t, nil, { waiting_message = "Please wait." })
        visitor:expect("message", { from = "system", text = "Please wait." })
        local sam = desk:agent "Sam"
        sam:accept(visitor)
        visitor:expect "accepted"
        expect(visitor.screen.chat, { status = "Please wait.", chatHistoryWebView = match.count(0) })
        desk:push_system_message("We come.", visitor)
        visitor:expect("message", { text = "We come.", from = "system" })
        -- Somebody has accepted, so a further text is told and not shown.
        expect(visitor.screen.chat.status, "Please wait.")
        sam:say "Here."
        visitor:expect("message", { text = "Here." })
        expect(visitor.screen.chat, { status = match.absent, chatHistoryWebView = { { text = "Here.", name = "Sam", time = match.any } } })
        visitor:end_session()
    end)

    scenario("of the system is not shown after an agent's, nor is the queue, even if nobody has accepted", { tags = { "messages", "screen" } }, function(t)
        local visitor, _, _, add = connected(t, nil, { queue = 2, queue_interval = "1h" })
        visitor:expect("queue", { position = 2 })
        expect(visitor.screen.chat.cancelChatButton, match.any)
        add("1", { PersonID = "7", PersonType = "operator", Name = "Sam", Text = "Here." })
        add("2", { PersonID = "8", PersonType = "system", Text = "We come." })
        visitor:expect("message", { text = "Here." })
        visitor:expect("message", { from = "system", text = "We come." })
        expect(visitor:events "accepted", {})
        expect(visitor.screen.chat, { status = match.absent, cancelChatButton = match.absent, chatHistoryWebView = { { text = "Here." } } })
        visitor:end_session()
    end)

    scenario("of nobody known has no name, and of the visitor that of the language", { tags = { "messages", "screen" } }, function(t)
        local visitor, _, _, add = connected(t)
        add("1", { Text = "From nowhere" })
        add("2", { PersonID = "7", PersonType = "operator", Text = "From somebody" })
        add("3", { PersonID = "8", PersonType = "visitor", Text = "From me" })
        add("4", { PersonID = "9", PersonType = "robot", Text = "From what" })
        for id, from in ipairs { "undefined", "operator", "visitor", "undefined" } do
            visitor:expect("message", { id = tostring(id), from = from, name = match.absent })
        end
        expect(visitor.screen.chat.chatHistoryWebView, {
            { name = "", from = "undefined" }, { name = "Operator", from = "operator" }, { name = "You", from = "visitor" },
            { name = "", from = "undefined" },
        })
        visitor:end_session()
    end)

    scenario("of an agent opens each page that it pushes, in the browser alone", { tags = { "push" } }, function(t)
        local visitor, _, _, add = connected(t, { profile = "html" })
        local phone = t:actor(boldchat)
        add("1", { PersonID = "7", PersonType = "operator", Name = "Sam", Text = "<push>https://a.example/1</push> and [push]https://a.example/2 then [push]" })
        visitor:expect "message"
        visitor:expect(seq {
            event("link_opened", { url = "https://a.example/1" }), event("link_opened", { url = "https://a.example/2" }),
        })
        add("2", { PersonID = "8", PersonType = "visitor", Text = "[push]https://a.example/3" })
        visitor:expect("message", { id = "2" })
        visitor:expect_silence("500ms", "link_opened")
        visitor:end_session()
        phone:create_chat { skip_pre_chat = true }
        phone:expect "connected"
        phone:end_session()
    end)
end)

group("what stands in place of an answer", function()
    scenario("is the automatic text before the system's before the queue's", { tags = { "screen", "queue" }, faults = timed }, function(t)
        local visitor, desk, send = connected(t)
        local function status(words) expect(visitor.screen.chat.status, words) end
        local function queue(params, position)
            send("updateBusy", params)
            visitor:expect("queue", { position = position })
        end
        status "Somebody will be with you shortly."
        queue({ Position = 0 }, 0)
        status "Somebody will be with you shortly."
        expect(visitor.screen.chat.queuePositionLabel, match.absent)
        queue({ Position = 1 }, 1)
        status "Everybody is busy at the moment."
        expect(visitor.screen.chat, { queuePositionLabel = match.contains ": 1", cancelChatButton = match.absent })
        queue({ Position = 1, UnavailableFormEnabled = true }, 1)
        expect(visitor.screen.chat.cancelChatButton, match.any)
        queue({ UnavailableFormEnabled = true }, -1)
        status "Everybody is busy at the moment."
        expect(visitor.screen.chat, { queuePositionLabel = match.absent, cancelChatButton = match.absent })
        queue({ Position = 0, UnavailableFormEnabled = true }, 0)
        expect(visitor.screen.chat.cancelChatButton, match.absent)
        desk:push_system_message("System", visitor)
        visitor:expect "message"
        status "System"
        desk:push_auto_message("Automatic", visitor)
        visitor:expect("auto_message", { id = "auto-1" })
        status "Automatic"
        desk:push_auto_message("Next", visitor)
        visitor:expect("auto_message", { id = "auto-2" })
        status "Next"
        visitor:end_session()
    end)

    scenario("goes when somebody accepts, and the queue with it", { tags = { "screen", "queue" }, faults = timed }, function(t)
        local desk = t:server(boldchat, { queue = 1, queue_interval = "1h" })
        local sam, visitor = desk:agent "Sam", t:actor(boldchat)
        visitor:create_chat { skip_pre_chat = true }
        visitor:expect("queue", { position = 1, unavailable_form_available = true })
        expect(visitor.screen.chat, { queuePositionLabel = match.any, cancelChatButton = match.any, status = match.any })
        sam:accept(visitor)
        visitor:expect "accepted"
        expect(visitor.screen.chat, { queuePositionLabel = match.absent, cancelChatButton = match.absent, status = match.absent })
        expect(desk:chats(), { { position = match.absent, agent = "Sam" } })
        visitor:end_session()
    end)

    scenario("is told no more once an agent has written", { tags = { "queue" }, faults = timed }, function(t)
        local visitor, sam, desk = beginnings.greeted(t)
        desk:send_event("updateBusy", { Position = 3, UnavailableFormEnabled = true }, visitor)
        sam:say "There?"
        visitor:expect("message", { text = "There?" })
        expect(visitor:events "queue", {})
        expect(visitor.screen.chat, { queuePositionLabel = match.absent, cancelChatButton = match.absent })
        visitor:end_session()
    end)
end)

group("the queue", function()
    scenario("moves for all who wait, by arrival, leaving and acceptance", { tags = { "queue" }, faults = timed }, function(t)
        local desk = t:server(boldchat, { queue = 2, queue_interval = "2s", unavailable = false })
        local sam = desk:agent "Sam"
        local visitors = {}
        for number = 1, 3 do
            local visitor = t:actor(boldchat)
            visitors[number] = visitor
            visitor:create_chat { skip_pre_chat = true }
            visitor:expect("queue", { unavailable_form_available = false })
        end
        local first, second, third = visitors[1], visitors[2], visitors[3]
        third:expect("queue", { position = 3 }, { within = "3s" })
        third:expect("queue", { position = 2 }, { within = "3s" })
        wait "5s"
        expect(desk:chats(), { { position = 0 }, { position = 1 }, { position = 2 } })
        second:end_session()
        third:expect("queue", { position = 1 })
        sam:accept() -- the one who has waited longest
        first:expect "accepted"
        third:expect("queue", { position = 0 })
        sam:accept(third)
        third:expect "accepted"
        expect(desk:chats(), { { state = "answered" }, match.any, { state = "answered" } })
        for _, visitor in ipairs { first, third } do
            t:allow { "queue" }
            visitor:end_session()
        end
    end)

    scenario("begins to move again when it is set", { tags = { "queue" }, faults = timed }, function(t)
        local desk = t:server(boldchat, { queue = 1, queue_interval = "2s" })
        local visitor = t:actor(boldchat)
        visitor:create_chat { skip_pre_chat = true }
        visitor:expect("queue", { position = 1 })
        visitor:expect("queue", { position = 0 }, { within = "3s" })
        desk:set_queue(2)
        visitor:expect("queue", { position = 2 })
        visitor:expect("queue", { position = 1 }, { within = "3s" })
        visitor:expect("queue", { position = 0 }, { within = "3s" })
        visitor:expect_silence("5s", "queue")
        visitor:end_session()
    end)

    scenario("tells the wait in seconds up to two minutes, then in full minutes", { tags = { "queue" }, faults = timed }, function(t)
        local desk = t:server(boldchat, { queue = 0, queue_interval = "1h", estimated_wait = "40s" })
        local visitor = t:actor(boldchat, { profile = "html" })
        visitor:create_chat { skip_pre_chat = true }
        for _, case in ipairs { { 0, 40, "seconds" }, { 1, 40, "seconds" }, { 2, 80, "seconds" }, { 3, 2, "minutes" }, { 4, 3, "minutes" } } do
            desk:set_queue(case[1])
            visitor:expect("queue", { position = case[1], wait_time = case[2], wait_time_unit = case[3] })
        end
        visitor:end_session()
    end)

    scenario("may have agents who wait for visitors", { tags = { "queue", "desk" }, faults = timed }, function(t)
        local desk = t:server(boldchat, { agents = { "Sam", "Kim" } })
        local sam, kim = desk:agent "Sam", desk:agent "Kim"
        local ada, bob = t:actor(boldchat, { visitor_id = "ada" }), t:actor(boldchat, { visitor_id = "bob" })
        kim:accept(bob)
        sam:accept()
        sam:accept()
        for _, visitor in ipairs { ada, bob } do
            visitor:create_chat { skip_pre_chat = true }
            visitor:expect "accepted"
        end
        expect(desk.agents, { "Sam", "Kim" })
        expect(desk:chats(), { { visitor_id = "ada", agent = "Sam" }, { visitor_id = "bob", agent = "Sam" } })
        local why = select(2, pcall(function() kim:accept(bob) end))
        expect(tostring(why), match.contains "is with Sam already")
        local ok, refused = pcall(function() sam:transfer "Sam" end)
        expect({ ok, tostring(refused) }, { false, match.contains "another agent" })
        ok, refused = pcall(function() sam:transfer "Kimm" end)
        expect({ ok, tostring(refused) }, { false, match.contains 'no other agent "Kimm"; did you mean "Kim"?' })
        ok, refused = pcall(function() sam:sign_in { capacity = -1 } end)
        expect({ ok, tostring(refused) }, { false, match.contains "from 0 on, not -1" })
        expect(desk.agents, { "Sam", "Kim" })
        ada:end_session()
        bob:end_session()
    end)
end)
