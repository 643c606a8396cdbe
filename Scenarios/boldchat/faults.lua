-- A server that misbehaves: refusals, broken answers, late answers, frames that make no sense.
local boldchat = require "boldchat"
local in_chat = require("beginnings").in_chat

group("a refused call", function()
    local refusals = {
        { "Not authorized", -103 }, { "Invalid ChatWindowID", -103 }, { "Invalid WebsiteID", -103 },
        { "Invalid DepartmentID", -202 }, { "Invalid ChatKey", -200 }, { "Visitor not known", -201 },
        { "Something else", -100 },
    }
    for _, refusal in ipairs(refusals) do
        scenario("saying " .. refusal[1] .. " has the code " .. refusal[2], { tags = { "errors" } }, function(t)
            local desk = t:server(boldchat)
            desk:fail_next("createChat", refusal[1])
            local visitor = t:actor(boldchat)
            visitor:create_chat()
            visitor:expect("error", { code = refusal[2], message = refusal[1], operation = "create_chat" })
        end)
    end

    scenario("leaves the form as it was, to be sent again", { tags = { "errors", "forms" } }, function(t)
        local desk = t:server(boldchat)
        local visitor = t:actor(boldchat)
        visitor:create_chat()
        local form = visitor:expect("pre_chat").form
        desk:fail_next("submitPreChat", "Try again")
        form:fill { first_name = "Ada" }:submit()
        visitor:expect("error", { operation = "submit_pre_chat", message = "Try again" })
        expect(visitor.session_state, "PreChatForm")
        form:submit()
        visitor:expect "chat_started"
        visitor:end_session()
    end)

    scenario("of a mail or a survey can be made again", { tags = { "errors", "forms" } }, function(t)
        local visitor, _, desk = in_chat(t)
        visitor:finish()
        local survey = visitor:expect("post_chat").form
        desk:fail_next("submitPostChat", "Try again")
        survey:fill { overall = 3 }:submit()
        visitor:expect("error", { operation = "submit_post_chat" })
        survey:submit()
        visitor:expect("ended", { reason = "visitor" })
    end)

    local moves = "the queue moves while the client connects again"
    scenario("leaves a queue without its form", {
        tags = { "errors", "queue" }, faults = { cut = moves, truncate = moves, half_close = moves },
    }, function(t)
        local desk = t:server(boldchat, { queue = 2 })
        local visitor = t:actor(boldchat)
        visitor:create_chat { skip_pre_chat = true }
        visitor:expect("queue", { position = 2 })
        desk:fail_next("getUnavailableForm", "No form")
        visitor:cancel_chat()
        visitor:expect("error", { code = -302, domain = "BCChat" })
        visitor:end_session()
    end)

    scenario("after a reset ends the chat with an error", { tags = { "errors", "links" } }, function(t)
        local visitor, _, desk = in_chat(t)
        desk:fail_next("startChat", "Chat is gone")
        desk:send_reset(visitor)
        visitor:expect("error", { code = -300, domain = "BCChat" })
        visitor:end_session()
    end)
end)

group("a broken answer", function()
    for _, how in ipairs { "malformed", "drop", "status" } do
        scenario("of the kind " .. how .. " is asked for again", { tags = { "faults" } }, function(t)
            local desk = t:server(boldchat)
            desk:break_next("createChat", how, 3, 503)
            local visitor = t:actor(boldchat)
            visitor:create_chat()
            visitor:expect(seq { event("call_repeated", { call = "createChat" }), "pre_chat" })
            visitor:end_session()
        end)
    end

    scenario("is given up after 15 more tries", { tags = { "faults" } }, function(t)
        local desk = t:server(boldchat)
        desk:break_next("createChat", "drop", 16)
        local visitor = t:actor(boldchat)
        visitor:create_chat()
        visitor:expect("error", {
            code = -101, domain = "BCAccount", message = match.contains "the server could not be reached: ",
        })
        visitor:create_chat()
        visitor:expect "pre_chat"
        visitor:end_session()
    end)
end)

group("a late answer", function()
    scenario("is waited for", { tags = { "faults" } }, function(t)
        local desk = t:server(boldchat)
        desk:delay_next("createChat", "800ms")
        local visitor = t:actor(boldchat)
        visitor:create_chat()
        visitor:expect_silence("500ms", "pre_chat")
        visitor:expect "pre_chat"
        visitor:end_session()
    end)

    for _, case in ipairs { { "ios", 30 }, { "html", 15 } } do
        local profile, limit = case[1], case[2]
        scenario("is too late for the client " .. profile .. " after " .. limit .. " seconds",
            { tags = { "faults" } }, function(t)
                local desk = t:server(boldchat)
                desk:delay_next("createChat", "2m", 5)
                local visitor = t:actor(boldchat, { profile = profile })
                visitor:create_chat()
                visitor:expect("error", { code = -104, operation = "create_chat" }, { within = "1m" })
                expect(now(), match.between(limit - 0.1, limit + 3))
            end)
    end

    scenario("to a request that was dropped reports nothing", { tags = { "faults" } }, function(t)
        local desk = t:server(boldchat)
        desk:delay_next("createChat", "300ms")
        local visitor = t:actor(boldchat)
        local request = visitor:create_chat()
        wait "100ms"
        expect(visitor:cancel_request(request), true)
        visitor:expect_silence "1s"
        expect(visitor.session_state, "Idle")
    end)

    scenario("to a second submit is not asked for while the first is under way", { tags = { "faults" } }, function(t)
        local desk = t:server(boldchat)
        local visitor = t:actor(boldchat)
        visitor:create_chat()
        local form = visitor:expect("pre_chat").form:fill { first_name = "Ada" }
        desk:delay_next("submitPreChat", "300ms")
        form:submit()
        form:submit()
        visitor:expect "chat_started"
        visitor:expect_silence("500ms", "error")
        visitor:end_session()
    end)
end)

group("the event stream", function()
    scenario("may bring events and text that no client knows", { tags = { "faults", "links" } }, function(t)
        local visitor, sam, desk = in_chat(t)
        desk:send_event("danceWithMe", { Steps = 3 }, visitor)
        desk:send_event("beginActiveAssist", { ActiveAssistID = "1" }, visitor) -- Only the browser knows it.
        desk:send_event("updateTyper", { PersonID = "nobody", Values = json.null }, visitor)
        desk:send_event("updateBusy", {}, visitor)
        visitor:expect("queue", { position = -1, unavailable_form_available = false })
        sam:say "Still here?"
        visitor:expect("message", { text = "Still here?" })
        visitor:end_session()
    end)

    local unnumbered = "what is no event has no number, by which it would be sent again"
    scenario("is not trusted: what cannot be read is an error, and the chat goes on", {
        tags = { "faults" }, faults = {
            cut = unnumbered, truncate = unnumbered, half_close = unnumbered,
            duplicate = "a message that cannot be read is none that could be known again",
        },
    }, function(t)
        local visitor, sam, desk = in_chat(t)
        local function is_refused(text)
            visitor:expect("error", {
                code = -102, domain = "BCOSSWebSocket", operation = "receive", message = match.contains(text),
            })
        end
        desk:send_text("{ this is no JSON", visitor)
        is_refused "this is no JSON"
        desk:send_text("[]", visitor)
        is_refused "[]"
        desk:send_event("addMessage", { MessageID = "4711" }, visitor)
        is_refused "addMessage, for it has no Text"
        desk:send_event("addMessage", { Values = { Text = "Who am I?" } }, visitor)
        is_refused "addMessage, for it has no MessageID"
        desk:send_event("updateTyper", { Values = { IsTyping = true } }, visitor)
        is_refused "updateTyper, for it has no PersonID"
        sam:say "Still here?"
        visitor:expect("message", { text = "Still here?" })
        visitor:end_session()
    end)

    scenario("may say that the record of the chat is gone", { tags = { "faults" } }, function(t)
        local visitor, sam, desk = in_chat(t)
        desk:delete_chat(visitor)
        sam:say "Still here?"
        visitor:expect("message", { text = "Still here?" })
        visitor:end_session()
    end)

    scenario("may end a chat for a reason that nobody knows", { tags = { "faults" } }, function(t)
        local visitor, _, desk = in_chat(t)
        desk:end_chat("unknown", visitor)
        visitor:expect("post_chat", { reason = "timeout" })
        visitor:end_session()
    end)

    scenario("brings system and automatic messages while a visitor waits", { tags = { "messages" } }, function(t)
        local desk = t:server(boldchat, { auto_message = "Did you read our FAQ?" })
        local visitor = t:actor(boldchat)
        visitor:create_chat { skip_pre_chat = true }
        visitor:expect("auto_message", { text = "Did you read our FAQ?" })
        desk:push_auto_message("A moment, please.", visitor)
        visitor:expect("auto_message", { text = "A moment, please." })
        desk:push_system_message("All agents are busy.", visitor)
        visitor:expect("message", { from = "system", text = "All agents are busy." })
        visitor:end_session()
    end)

    scenario("brings another agent after a transfer", { tags = { "transfer" } }, function(t)
        local visitor, sam, desk = in_chat(t)
        local tess = desk:agent "Tess"
        sam:say "I pass you on to Tess."
        visitor:expect("message", { name = "Sam" })
        sam:transfer "Tess"
        tess:expect("chat_waiting", { from_agent = "Sam" })
        tess:say "Tess here."
        visitor:expect("message", { name = "Tess", text = "Tess here." })
        visitor:end_session()
    end)
end)

for _, case in ipairs { { "email", -205 }, { "phone", -206 } } do
    scenario("a malformed preset " .. case[1] .. " is refused at once", { tags = { "errors" } }, function(t)
        local desk = t:server(boldchat)
        local visitor = t:actor(boldchat, { external = { [case[1]] = "not one" } })
        visitor:create_chat()
        visitor:expect("error", { code = case[2], domain = "BCAccount", operation = "create_chat" })
        expect(desk:chats(), match.count(0))
    end)
end

group("a lost answer is given again, and nothing is done twice", function()
    scenario("to a mail", { tags = { "faults", "unavailable" } }, function(t)
        local desk = t:server(boldchat, { open = false })
        local visitor = t:actor(boldchat)
        visitor:create_chat()
        local form = visitor:expect("unavailable").form
        desk:break_next("submitUnavailableEmail", "drop")
        form:fill { email = "ada@example.com", subject = "Order", body = "Where is it?" }:submit()
        visitor:expect "call_repeated"
        visitor:expect "ended"
        expect(desk:mails(), match.count(1))
    end)

    scenario("to a survey", { tags = { "faults", "survey" } }, function(t)
        local desk = t:server(boldchat)
        local sam, visitor = desk:agent "Sam", t:actor(boldchat)
        visitor:create_chat { skip_pre_chat = true }
        visitor:expect "connected"
        sam:accept(visitor)
        visitor:expect "accepted"
        visitor:finish()
        local form = visitor:expect("post_chat").form
        desk:break_next("submitPostChat", "drop")
        form:fill { overall = 5, email = "ada@example.com" }:submit()
        visitor:expect "ended"
        expect(desk:mails(), match.count(1))
    end)

    scenario("to a page of a form", { tags = { "faults", "forms" } }, function(t)
        local pages = { pages = { { { key = "first_name" } }, { { key = "email", type = "email", required = true } } } }
        local desk = t:server(boldchat, { pre_chat = pages, post_chat = pages })
        local sam, visitor = desk:agent "Sam", t:actor(boldchat, { profile = "html" })
        visitor:create_chat()
        local form = visitor:expect("pre_chat").form
        desk:break_next("submitPreChat", "drop")
        form:fill { first_name = "Ada" }:submit()
        form = visitor:expect("pre_chat", {}, { within = "40s" }).form
        expect(form.fields, match.has { key = "email" })
        form:fill { email = "ada@example.com" }:submit()
        visitor:expect "connected"
        sam:accept(visitor)
        visitor:expect "accepted"
        visitor:finish()
        form = visitor:expect("post_chat").form
        desk:break_next("submitPostChat", "drop")
        form:fill { first_name = "Ada" }:submit()
        form = visitor:expect("post_chat", {}, { within = "40s" }).form
        expect(form.fields, match.has { key = "email" })
        visitor:end_session()
    end)

    -- The browser's client gives a new chat up before it would ask again.
    scenario("to a visitor without an id", { tags = { "faults" } }, function(t)
        local desk = t:server(boldchat)
        local visitor, other = t:actor(boldchat), t:actor(boldchat)
        desk:break_next("createChat", "drop")
        visitor:create_chat()
        visitor:expect "call_repeated"
        local created = visitor:expect "session_created"
        visitor:expect "pre_chat"
        expect(desk:chats(), match.count(1))
        expect(desk:chats()[1].visitor_id, created.visitor_id)
        -- Another visitor with the same words is another chat.
        other:create_chat()
        other:expect("session_created", { chat_id = match.is_not(created.chat_id) })
        other:expect "pre_chat"
        expect(desk:chats(), match.count(2))
        visitor:end_session()
        other:end_session()
    end)

    scenario("to a form for which nobody is there any more", { tags = { "faults", "unavailable" } }, function(t)
        local desk = t:server(boldchat)
        local visitor = t:actor(boldchat)
        visitor:create_chat()
        local form = visitor:expect("pre_chat").form
        desk:close()
        desk:break_next("submitPreChat", "drop")
        form:fill { first_name = "Ada" }:submit()
        visitor:expect("unavailable", { reason = "outside_hours" })
        visitor:end_session()
    end)
end)
