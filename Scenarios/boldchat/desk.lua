-- What the desk can set while visitors come and go: hours, people, departments, forms, capacity, blocking.
local boldchat = require "boldchat"

-- Virtual time begins on Monday, 2024-01-01, at midnight UTC.
local days = { tags = { "desk", "availability" }, timeout = "48h", clock = "virtual" }
scenario("the desk opens and closes by the clock", days, function(t)
    local desk = t:server(boldchat, { hours = { from = "09:00", to = "17:30", days = { 1, 2, 3, 4, 5 } } })
    local visitor = t:actor(boldchat)
    local function is(event, fields)
        visitor:check_availability()
        visitor:expect(event, fields)
        wait "61s" -- The client keeps an answer for a minute.
    end
    is("unavailable", { reason = "outside_hours" })
    wait "9h"
    is "available"
    wait "9h"
    is("unavailable", { reason = "outside_hours" })
    desk:open()
    is "available"
    desk:set_hours { from = "20:00", to = "04:00" }
    is("unavailable", { reason = "outside_hours" })
    wait "4h"
    is "available"
end)

scenario("operators and departments come and go", { tags = { "desk", "availability" } }, function(t)
    local desk = t:server(boldchat, { departments = { { id = "1", name = "Sales" } } })
    local visitor = t:actor(boldchat, { profile = "html" })
    local function is(event, fields, department)
        visitor:check_availability { department_id = department }
        visitor:expect(event, fields)
    end
    is "available"
    desk:set_operators(false)
    is("unavailable", { reason = "no_operators" })
    desk:set_operators(true)
    is("available", {}, "1")
    desk:set_department("1", false)
    is("unavailable", { reason = "no_operators" }, "1")
    is("error", { message = "Invalid DepartmentID" }, "2")
    desk:set_department "2"
    is("available", {}, "2")
    visitor:create_chat()
    expect(visitor:expect("pre_chat").form.fields, match.has { key = "department", options = match.count(2) })
    visitor:end_session()
end)

scenario("a form that is replaced is shown to the next visitor", { tags = { "desk", "forms" } }, function(t)
    local desk = t:server(boldchat)
    local first, second, third = t:actor(boldchat), t:actor(boldchat), t:actor(boldchat)
    first:create_chat()
    first:expect("pre_chat", { form = { fields = match.has { key = "first_name" } } })
    desk:set_form("pre_chat", { { key = "reference", label = "Order", required = true } })
    second:create_chat()
    local form = second:expect("pre_chat", { form = { fields = match.count(1) } }).form
    form:fill { reference = "1815" }:submit()
    second:expect "chat_started"
    step("what the first one was shown is not enough any more", function()
        first:submit_pre_chat { first_name = "Ada" }
        first:expect("error", { operation = "submit_pre_chat", message = "Missing required field: reference" })
    end)
    desk:set_form "pre_chat"
    third:create_chat()
    third:expect("chat_started", { after_pre_chat = false })
    for _, visitor in ipairs { first, second, third } do visitor:end_session() end
end)

scenario("a visitor who was blocked is let in again", { tags = { "desk", "blocking" } }, function(t)
    local desk = t:server(boldchat)
    local visitor = t:actor(boldchat, { profile = "html", visitor_id = "ada" })
    desk:block_visitor(visitor.visitor_id)
    visitor:check_availability()
    visitor:expect("unavailable", { reason = "visitor_blocked" })
    desk:block_visitor("ada", false)
    visitor:check_availability()
    visitor:expect "available"
end)

scenario("an agent has no more chats than the capacity allows", { tags = { "desk" } }, function(t)
    local desk = t:server(boldchat, { queue = 0 })
    local sam = desk:agent "Sam"
    sam:sign_in { capacity = 1 }
    local first, second = t:actor(boldchat), t:actor(boldchat)
    first:create_chat { skip_pre_chat = true }
    first:expect("queue", { position = 0 })
    sam:accept(first)
    first:expect "accepted"
    second:create_chat { skip_pre_chat = true }
    second:expect("queue", { position = 0 })
    local done, message = pcall(function() sam:accept(second) end)
    expect(done, false)
    expect(tostring(message), match.contains "capacity")
    sam:finish(first)
    first:expect "post_chat"
    sam:accept(second)
    second:expect "accepted"
    first:end_session()
    second:end_session()
end)

scenario("the desk tells how its chats stand", { tags = { "desk" } }, function(t)
    local desk = t:server(boldchat, { queue = 1, queue_interval = "1h" })
    local sam, visitor = desk:agent "Sam", t:actor(boldchat)
    visitor:create_chat { skip_pre_chat = true, external = { first_name = "Ada" } }
    visitor:expect("queue", { position = 1 })
    expect(desk:chats(), match.has { name = "Ada", state = "waiting", position = 1 })
    desk:set_queue(0)
    visitor:expect("queue", { position = 0 })
    sam:accept(visitor)
    visitor:expect "accepted"
    sam:say "Hello Ada"
    visitor:expect("message", { text = "Hello Ada" })
    expect(desk:chats(), match.has { agent = "Sam", state = "answered", messages = match.count(1) })
    desk:end_chat("disconnect", visitor)
    visitor:expect("post_chat", { reason = "timeout" })
    sam:expect("chat_ended", { reason = "disconnect" })
    expect(desk:chats(), match.has { state = "ended", ended_reason = "disconnect" })
    visitor:end_session()
end)

scenario("the desk asks for a video only where it can be shown", { tags = { "desk", "video" } }, function(t)
    local desk = t:server(boldchat)
    local visitor = t:actor(boldchat, { profile = "html" })
    visitor:create_chat { skip_pre_chat = true }
    visitor:expect "connected"
    expect(desk:chats(), match.has { video_supported = false })
    visitor:support_video()
    visitor:expect("completed", { operation = "support_video" })
    expect(desk:chats(), match.has { video_supported = true })
    visitor:accept_video()
    visitor:expect("error", { operation = "acceptVideoSession", message = "No video session was offered" })
    visitor:end_session()
end)

scenario("a desk that demands encryption refuses plain HTTP", { tags = { "desk", "errors" } }, function(t)
    t:server(boldchat, { require_tls = true })
    local visitor = t:actor(boldchat, { quirks = { body_resets_retries = false } })
    visitor:create_chat()
    visitor:expect("call_repeated", { call = "createChat", message = match.contains "HTTP 403" })
    visitor:expect("error", { code = -102, message = match.contains "Forbidden" })
end)

scenario("the browser shows how long the wait is estimated to be", { tags = { "desk", "queue" } }, function(t)
    local desk = t:server(boldchat, { queue = 3, queue_interval = "1h", estimated_wait = "50s" })
    local window, phone = t:actor(boldchat, { profile = "html" }), t:actor(boldchat)
    window:create_chat { skip_pre_chat = true }
    window:expect("queue", { position = 3, wait_time = 3, wait_time_unit = "minutes" })
    desk:set_queue(1)
    window:expect("queue", { position = 1, wait_time = 50, wait_time_unit = "seconds" })
    phone:create_chat { skip_pre_chat = true }
    phone:expect("queue", { position = 2, wait_time = match.absent })
    window:end_session()
    phone:expect("queue", { position = 1 })
    phone:end_session()
end)

scenario("an agent works by a plan of its own", { tags = { "desk" } }, function(t)
    local desk = t:server(boldchat, { post_chat = false })
    local sam = desk:agent "Sam"
    local working = spawn(function()
        for _ = 1, 3 do
            local chat = sam:expect "chat_waiting"
            sam:accept(chat)
            sam:say("Hello " .. chat.name .. ", what is it?", chat)
            sam:expect("message", { chat_key = chat.chat_key, text = match.any })
            sam:say("I see to it.", chat)
            sam:finish(chat)
            sam:expect("chat_ended", { chat_key = chat.chat_key, reason = "operator" })
        end
    end)
    for _, name in ipairs { "Ada", "Bob", "Cleo" } do
        local visitor = t:actor(boldchat)
        visitor:create_chat { skip_pre_chat = true, external = { first_name = name } }
        visitor:expect("message", { text = "Hello " .. name .. ", what is it?" })
        visitor:say "My parcel"
        visitor:expect("message", { text = "I see to it." })
        visitor:expect("ended", { reason = "operator" })
    end
    join(working)
    expect(desk:chats(), match.count(3))
end)

scenario("a visitor's language comes before the department", { tags = { "desk", "language" } }, function(t)
    local desk = t:server(boldchat, {
        departments = {
            { id = "1", name = "Sales", languages = { "en-US" } }, { id = "2", name = "Vertrieb", languages = { "de-DE" } },
        },
    })
    local visitor = t:actor(boldchat)
    visitor:create_chat { language = "de-DE", skip_pre_chat = true, external = { department = "1" } }
    visitor:expect "chat_started"
    expect(desk:chats(), match.has { language = "de-DE", values = { department = "2" } })
    visitor:end_session()
end)

scenario("agents see the reference and the information of a visitor", { tags = { "desk" } }, function(t)
    local desk = t:server(boldchat)
    local sam, visitor = desk:agent "Sam", t:actor(boldchat)
    visitor:create_chat { skip_pre_chat = true, external = { reference = "1815", information = "Premium" } }
    sam:expect("chat_waiting", { reference = "1815", information = "Premium" })
    visitor:end_session()
end)

scenario("two agents type in one chat", { tags = { "desk", "typing" } }, function(t)
    local desk = t:server(boldchat)
    local sam, kim, visitor = desk:agent "Sam", desk:agent "Kim", t:actor(boldchat)
    visitor:create_chat { skip_pre_chat = true }
    visitor:expect "connected"
    expect(pcall(function() kim:join(visitor) end), false)
    sam:accept(visitor)
    visitor:expect "accepted"
    kim:join(visitor)
    visitor:expect("agent_joined", { person = { name = "Kim" } })
    sam:typing()
    kim:typing()
    visitor:expect("typing", { person = { name = "Sam" }, active = true })
    visitor:expect("typing", { person = { name = "Kim" }, active = true })
    expect(visitor.screen.chat.typingLabel, "Sam and Kim are typing")
    sam:say "Hello"
    visitor:expect("message", { text = "Hello" })
    kim:say "Hello too"
    visitor:expect("message", { text = "Hello too" })
    visitor:end_session()
end)

scenario("an agent who accepts hears what was said in the queue, and no word twice", { tags = { "desk", "queue" } }, function(t)
    local desk = t:server(boldchat)
    local sam, kim, visitor = desk:agent "Sam", desk:agent "Kim", t:actor(boldchat)
    visitor:create_chat { skip_pre_chat = true, external = { initial_question = "Anybody there?" } }
    visitor:expect "connected"
    visitor:say "Anybody there?"
    visitor:say "It is about order 1815."
    visitor:expect(seq { "message_sent", "message_sent" })
    sam:expect_silence("100ms", "message") -- nobody has the chat yet
    sam:accept(visitor)
    visitor:expect "accepted"
    visitor:say "Good."
    sam:expect("chat_waiting", { question = "Anybody there?" })
    for _, text in ipairs { "Anybody there?", "It is about order 1815.", "Good." } do sam:expect("message", { text = text }) end
    expect({ #sam:events "message", #kim:events "message" }, { 3, 0 })
    visitor:end_session()
end)

scenario("all agents in a chat hear the visitor, and nobody else", { tags = { "desk", "typing", "files" } }, function(t)
    local desk = t:server(boldchat)
    local sam, kim, max, visitor = desk:agent "Sam", desk:agent "Kim", desk:agent "Max", t:actor(boldchat)
    visitor:create_chat { skip_pre_chat = true }
    visitor:expect "connected"
    sam:accept(visitor)
    visitor:expect "accepted"
    kim:join(visitor)
    visitor:expect("agent_joined", { person = { name = "Kim" } })
    visitor:typing()
    visitor:say "Hello to both"
    visitor:send_file("order.txt", "1815")
    visitor:expect "attachment_uploaded"
    for _, agent in ipairs { sam, kim } do
        -- The file goes another way than the words.
        agent:expect(all {
            event("typing", { active = true }), event("message", { text = "Hello to both" }),
            event("attachment_uploaded", { file = "order.txt" }),
        })
    end
    expect({ max:events "typing", max:events "message", max:events "attachment_uploaded" }, { {}, {}, {} })
    -- Whoever has given the chat away hears no more of it, and who helps goes on hearing.
    sam:transfer "Max"
    visitor:say "And now?"
    for _, agent in ipairs { max, kim } do agent:expect("message", { text = "And now?" }) end
    expect(#sam:events "message", 1)
    visitor:end_session()
end)

scenario("the desk sends those away who wait", { tags = { "desk", "queue" }, allow = { "queue" } }, function(t)
    local desk = t:server(boldchat, { queue = 0 })
    local sam, first, second = desk:agent "Sam", t:actor(boldchat), t:actor(boldchat)
    for _, visitor in ipairs { first, second } do
        visitor:create_chat { skip_pre_chat = true }
        visitor:expect "connected"
    end
    desk:dismiss_queue()
    first:expect("ended", { reason = "operator" })
    second:expect("ended", { reason = "operator" })
    sam:expect("chat_ended", { reason = "operator" })
    expect(desk.waiting, match.count(0))
end)
