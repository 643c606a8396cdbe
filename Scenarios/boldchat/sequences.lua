-- Whole conversations, step by step, as both generations of the vendor's client have them.
local boldchat = require "boldchat"
local beginnings = require "beginnings"

-- What the desk does for a client that connects again: it repeats what was not surely received, typing as well, and its
-- queue goes on meanwhile.
local repeated = "the desk repeats what was not surely received"
local moves = "the queue moves while the client connects again"
local begins = "a client that lost the answer to its start connects again before it starts"
local repeating = { cut = repeated, truncate = repeated, half_close = repeated }
local moving = { cut = moves, truncate = moves, half_close = moves }

local ada = { first_name = "Ada", email = "ada@example.com" }

for _, profile in ipairs { "ios", "html" } do
    -- Brings a visitor of this client into a chat that an agent has accepted.
    local function in_chat(t, settings) return beginnings.in_chat(t, { profile = profile }, settings) end

    group("the client " .. profile, function()
        scenario("goes from the form over a conversation to the survey", {
            tags = { "smoke" }, faults = repeating,
        }, function(t)
            local desk = t:server(boldchat, { waiting_message = "An agent will be with you soon." })
            local sam, visitor = desk:agent "Sam", t:actor(boldchat, { profile = profile })
            visitor:create_chat()
            visitor:expect("pre_chat").form:fill(ada):submit()
            visitor:expect(seq { "connected", event("message", { from = "system" }) })
            sam:accept(visitor)
            visitor:expect "accepted"
            sam:typing(true)
            visitor:expect("typing", { active = true, person = { type = "operator", name = "Sam" } })
            sam:say "Good morning!"
            visitor:expect("message", { from = "operator", text = "Good morning!" })
            visitor:typing(true)
            visitor:say "Hello Sam"
            visitor:expect(seq { event("typing_sent", { active = true }), "message_sent" })
            sam:expect(seq { event("typing", { active = true }), event("message", { text = "Hello Sam" }) })
            visitor:finish()
            visitor:expect("post_chat", { reason = "visitor" }).form:fill { overall = 5 }:submit()
            visitor:expect(seq { "form_submitted", event("ended", { reason = "visitor" }) })
        end)

        scenario("counts down in the queue until an agent accepts", { tags = { "queue" } }, function(t)
            t:allow "queue" -- The visitor may still become the next before the agent accepts.
            local desk = t:server(boldchat, { queue = 3, queue_interval = "400ms" })
            local sam, visitor = desk:agent "Sam", t:actor(boldchat, { profile = profile })
            visitor:create_chat { skip_pre_chat = true }
            for position = 3, 1, -1 do
                visitor:expect("queue", { position = position, unavailable_form_available = true })
            end
            sam:accept(visitor)
            visitor:expect "accepted"
            sam:say "Thank you for waiting."
            visitor:expect("message", { from = "operator" })
            desk:set_queue(5)
            visitor:expect_silence("1s", "queue")
            visitor:end_session()
        end)

        scenario("leaves the queue for a mail", { tags = { "queue", "unavailable" }, faults = moving }, function(t)
            local desk = t:server(boldchat, { queue = 2 })
            local visitor = t:actor(boldchat, { profile = profile })
            visitor:create_chat { skip_pre_chat = true }
            visitor:expect("queue", { position = 2 })
            visitor:cancel_chat()
            local form = visitor:expect("unavailable", { reason = "unknown" }).form
            form:fill { email = "ada@example.com", subject = "Order", body = "Call me." }:submit()
            visitor:expect("form_submitted", { form = "unavailable" })
            visitor:expect "ended"
            expect(desk:mails(), match.has { kind = "unavailable", from = "ada@example.com", body = "Call me." })
        end)

        scenario("gives up when nobody answers in time", { tags = { "unavailable" } }, function(t)
            t:server(boldchat, { answer_timeout = "1s" })
            local visitor = t:actor(boldchat, { profile = profile })
            visitor:create_chat { skip_pre_chat = true }
            visitor:expect "connected"
            visitor:expect("unavailable", { reason = "unknown", form = match.any }, { within = "3s" })
            visitor:end_session()
        end)

        scenario("is told at once that the desk is closed", { tags = { "unavailable" } }, function(t)
            local desk = t:server(boldchat)
            desk:close()
            local visitor = t:actor(boldchat, { profile = profile })
            visitor:create_chat()
            visitor:expect("unavailable", { reason = "outside_hours", form = match.any })
            expect(visitor.session_state, "UnavailableForm")
            visitor:end_session()
        end)

        scenario("is done at once when the closed desk has no form", { tags = { "unavailable" } }, function(t)
            t:server(boldchat, { open = false, unavailable = false })
            local visitor = t:actor(boldchat, { profile = profile })
            visitor:create_chat()
            visitor:expect(seq { event("unavailable", { form = match.absent }), "ended" })
            expect(visitor.session_state, "Finished")
        end)

        scenario("learns after the form that nobody is there", { tags = { "unavailable", "forms" } }, function(t)
            local desk = t:server(boldchat, { departments = { { id = "7", name = "Billing", online = true } } })
            local visitor = t:actor(boldchat, { profile = profile })
            visitor:create_chat()
            local form = visitor:expect("pre_chat").form
            desk:set_department("7", false)
            form:fill { first_name = "Ada", department = "7" }:submit()
            visitor:expect("unavailable", { reason = "no_operators" })
            expect(visitor.department_id, "7")
            visitor:end_session()
        end)

        scenario("starts without a form when the app knows the visitor", { tags = { "forms" } }, function(t)
            local desk = t:server(boldchat)
            local sam = desk:agent "Sam"
            local visitor = t:actor(boldchat, { profile = profile })
            visitor:never "pre_chat"
            visitor:create_chat { skip_pre_chat = true, external = { first_name = "Ada", initial_question = "Hello?" } }
            visitor:expect("chat_started", { after_pre_chat = false })
            sam:expect("chat_waiting", { name = "Ada", question = "Hello?" })
            visitor:end_session()
        end)

        scenario("reconnects after a short loss and misses nothing", { tags = { "links" } }, function(t)
            t:allow { "disconnected", "reconnected" }
            local visitor, sam, desk = in_chat(t)
            desk:drop_socket(visitor)
            sam:say "Are you there?"
            visitor:say "Yes!"
            visitor:expect("message", { from = "operator", text = "Are you there?" }, { within = "8s" })
            sam:expect("message", { text = "Yes!" })
            visitor:end_session()
        end)

        scenario("starts again after a reset of the server", {
            tags = { "links" }, faults = { cut = begins, half_close = begins },
        }, function(t)
            local visitor, sam, desk = in_chat(t)
            sam:say "Before"
            visitor:expect("message", { text = "Before" })
            desk:send_reset(visitor)
            sam:say "After"
            visitor:expect("message", { text = "After" })
            expect(visitor.chat_state, "OSSStarted")
            visitor:end_session()
        end)

        scenario("falls back to long polling behind a proxy", { tags = { "links" } }, function(t)
            local desk = t:server(boldchat)
            desk:block_sockets()
            local sam, visitor = desk:agent "Sam", t:actor(boldchat, { profile = profile })
            visitor:create_chat { skip_pre_chat = true }
            visitor:expect "connected"
            expect(visitor.link_state, "LongPollConnected")
            sam:accept(visitor)
            sam:say "Good morning!"
            visitor:expect("message", { text = "Good morning!" })
            visitor:say "Good morning, Sam!"
            sam:expect("message", { text = "Good morning, Sam!" })
            visitor:end_session()
        end)

        scenario("hears that a blocked visitor cannot chat", { tags = { "blocking" } }, function(t)
            t:server(boldchat, { blocked_visitors = { "troll" } })
            local visitor = t:actor(boldchat, { profile = profile, visitor_id = "troll" })
            visitor:check_availability()
            visitor:expect("unavailable", { reason = "visitor_blocked" })
            visitor:create_chat()
            visitor:expect("unavailable", { reason = "visitor_blocked" })
            visitor:end_session()
        end)

        scenario("refuses calls that do not fit the state", { tags = { "forms" } }, function(t)
            t:server(boldchat)
            local visitor = t:actor(boldchat, { profile = profile })
            visitor:create_chat()
            local form = visitor:expect("pre_chat").form
            form:fill { first_name = "", email = "nobody" }:submit()
            visitor:expect("form_invalid", { code = -204, keys = match.equals { "first_name", "email" } })
            visitor:email_history "x"
            visitor:expect("error", { code = -205, operation = "email_history" })
            form:fill { first_name = "Ada", email = "" }:submit()
            visitor:expect "chat_started"
            visitor:submit_post_chat { overall = 5 }
            visitor:expect("error", { code = -203, operation = "submit_post_chat" })
            visitor:end_session()
        end)

        scenario("reports an access key that the account does not accept", { tags = { "errors" } }, function(t)
            t:server(boldchat, { access_key = "1000100010001:2000200020002:right" })
            local visitor = t:actor(boldchat, { profile = profile, access_key = "1000100010001:2000200020002:wrong" })
            visitor:create_chat()
            visitor:expect("error", { code = -103, domain = "BCAccount", operation = "create_chat" })
            expect(visitor.session_state, "Idle")
        end)

        scenario("ends the chat after a long loss of the network", { tags = { "links" } }, function(t)
            t:allow { "disconnected" }
            local visitor, _, desk = in_chat(t, { client_timeout = "2s", heartbeat_interval = "500ms" })
            desk:block_sockets()
            desk:drop_socket(visitor)
            visitor:expect("post_chat", { reason = "timeout" }, { within = "5s" })
            visitor:end_session()
        end)

        scenario("fails to end the chat when the network stays lost", { tags = { "links", "errors" } }, function(t)
            t:allow { "disconnected" }
            local visitor, _, desk = in_chat(t, { client_timeout = "2s", heartbeat_interval = "500ms" })
            desk:block_sockets()
            desk:fail_next("finishChat", "Chat has ended")
            desk:drop_socket(visitor)
            visitor:expect("error", { code = -301, domain = "BCChat" }, { within = "5s" })
            if profile == "html" then visitor:expect("ended", { reason = "error" }) end
            visitor:end_session()
        end)

        scenario("may be taken back from the mail form", {
            tags = { "recapture" }, faults = moving,
        }, function(t)
            local desk = t:server(boldchat, { queue = 2 })
            local visitor = t:actor(boldchat, { profile = profile })
            visitor:create_chat { skip_pre_chat = true }
            visitor:expect("queue", { position = 2 })
            visitor:cancel_chat()
            visitor:expect("unavailable", { reason = "unknown" })
            desk:offer_recapture(true, visitor)
            visitor:expect("recapture", {}, { within = "40s" })
            expect(visitor.recapture_available, true)
            step("by a new chat", function()
                visitor:end_session()
                visitor:create_chat { skip_pre_chat = true }
                visitor:expect "chat_started"
            end)
            visitor:end_session()
        end)
    end)
end

scenario("the ios client finishes by itself when the agent ends the chat", { tags = { "survey" } }, function(t)
    local desk = t:server(boldchat)
    local sam, visitor = desk:agent "Sam", t:actor(boldchat)
    visitor:create_chat { skip_pre_chat = true }
    visitor:expect "connected"
    sam:accept(visitor)
    visitor:expect "accepted"
    sam:finish()
    visitor:expect("post_chat", { reason = "operator" }).form:submit()
    visitor:expect("ended", { reason = "operator" })
end)

scenario("the html client waits for the visitor when the agent ends the chat", { tags = { "survey" } }, function(t)
    local desk = t:server(boldchat)
    local sam, visitor = desk:agent "Sam", t:actor(boldchat, { profile = "html" })
    visitor:create_chat { skip_pre_chat = true }
    visitor:expect "connected"
    sam:accept(visitor)
    visitor:expect "accepted"
    sam:finish()
    visitor:expect("chat_ended", { reason = "operator" })
    visitor:expect_silence("500ms", "post_chat")
    visitor:finish()
    visitor:expect("post_chat", { reason = "operator" }).form:submit()
    visitor:expect("ended", { reason = "operator" })
end)

scenario("the browser closes instead of sending half a mail", { tags = { "unavailable", "forms" } }, function(t)
    local desk = t:server(boldchat, { open = false })
    local visitor = t:actor(boldchat, { profile = "html" })
    visitor:create_chat()
    visitor:expect("unavailable").form:fill { email = "ada@example.com" }:submit()
    visitor:expect "ended"
    expect(desk:mails(), match.count(0))
end)
