-- Whole conversations as visitors see them, held against those that are stored in `transcripts`.
local boldchat = require "boldchat"

-- What can be read from a visitor that no event tells.
local function facts(visitor)
    return {
        session = visitor.session_state, chat = visitor.chat_state, link = visitor.link_state, language = visitor.language,
        department = visitor.department_id, unavailable = visitor.unavailable_reason,
    }
end

local late = "a close that is under way has not come yet when the desk is asked"
local again = "to a client that comes back the desk tells once more who types and what it said of itself"

for _, profile in ipairs { "ios", "html" } do
    for _, link in ipairs { "web_socket", "long_poll" } do
        local kind = profile .. " over " .. link

        scenario("a chat of " .. kind .. " from the first form to the last one is as it is stored", {
            tags = { "conversations" }, faults = {
                cut = again, truncate = again, half_close = again,
                duplicate = "a message that comes twice is told as a change of itself",
            },
        }, function(t)
            local desk = t:server(boldchat, {
                queue = 1, queue_interval = "1s", estimated_wait = "30s", waiting_message = "Please wait.", auto_message = "Did you know?",
                departments = { { id = "1", name = "Sales" }, { id = "2", name = "Billing" } },
            })
            local sam, max = desk:agent "Sam", desk:agent "Max"
            local visitor = t:actor(boldchat, {
                name = "visitor", profile = profile, link = link, visitor_id = "ada", language = "de-DE",
                external = { reference = "1815", information = "gold" },
            })
            visitor:check_availability()
            visitor:expect "available"
            visitor:create_chat()
            local form = visitor:expect("pre_chat").form
            form:submit()
            visitor:expect "form_invalid"
            form:fill { first_name = "Ada", email = "ada@example.com", department = "2", initial_question = "Where is it?" }:submit()
            visitor:expect("queue", { position = 1 })
            visitor:expect("queue", { position = 0 })
            sam:expect("chat_waiting", {
                name = "Ada", question = "Where is it?", visitor_id = "ada", reference = "1815", information = "gold",
            })
            sam:accept(visitor)
            -- The vendor's iOS client never tells it over long polling.
            if kind ~= "ios over long_poll" then visitor:expect "accepted" end
            sam:typing(true)
            visitor:expect("typing", { active = true })
            sam:typing(false)
            visitor:expect("typing", { active = false })
            sam:say "It is on its way."
            visitor:expect("message", { text = "It is on its way." })
            visitor:typing()
            sam:expect("typing", { active = true })
            visitor:say "When will it come?"
            sam:expect("message", { text = "When will it come?", from = "visitor", name = "Ada" })
            visitor:typing()
            sam:expect("typing", { active = true })
            visitor:typing(false)
            sam:expect("typing", { active = false })
            sam:transfer "Max"
            max:expect("chat_waiting", { from_agent = "Sam", name = "Ada" })
            max:say "Tomorrow."
            visitor:expect("message", { text = "Tomorrow.", name = "Max" })
            desk:push_system_message "The chat is recorded."
            visitor:expect("message", { text = "The chat is recorded." })
            wait "1s"
            expect(facts(visitor), { session = "Chatting", chat = "OSSStarted", language = "de-DE", department = "2" })
            expect(desk:chats(), { { agent = "Max", state = "answered", name = "Ada", messages = match.count(6) } })
            visitor:email_history "ada@example.com"
            visitor:expect "transcript_requested"
            visitor:finish()
            local survey = visitor:expect("post_chat").form
            survey:fill { overall = 4, comments = "Fine" }:submit()
            visitor:expect("ended", { reason = "visitor" })
            max:expect("chat_ended", { reason = "visitor" })
            expect(desk:chats(), { { ended_reason = "visitor", survey = { overall = "4", comments = "Fine" } } })
            expect(desk:mails(), match.has { to = "ada@example.com", body = match.contains "Tomorrow." })
            visitor:expect_transcript("chat of " .. kind)
        end)
    end

    scenario("a chat of " .. profile .. " that the network breaks is as it is stored", {
        tags = { "conversations" },
        faults = { one_byte = late, delay = late },
    }, function(t)
        local desk = t:server(boldchat)
        local sam = desk:agent "Sam"
        local visitor = t:actor(boldchat, { name = "visitor", profile = profile })
        visitor:create_chat { skip_pre_chat = true }
        visitor:expect "connected"
        sam:accept(visitor)
        visitor:expect "accepted"
        for number, trouble in ipairs { "drop_socket", "close_socket", "send_reconnect", "send_redirect", "send_reset" } do
            desk[trouble](desk, visitor)
            wait "100ms"
            sam:say("after " .. trouble, visitor)
            visitor:expect("message", { text = "after " .. trouble }, { within = "30s" })
            visitor:say("heard " .. number)
            sam:expect("message", { text = "heard " .. number }, { within = "30s" })
        end
        desk:send_closed(visitor)
        visitor:expect("post_chat", { reason = "timeout" })
        visitor:submit_post_chat { overall = 1 }
        visitor:expect "ended"
        t:allow { "disconnected", "connected", "accepted", "chat_started" }
        expect(desk:chats(), match.has { connected = false })
        visitor:expect_transcript("broken chat of " .. profile)
    end)

    scenario("whom nobody answers leaves a mail, as " .. profile .. " has it stored", { tags = { "conversations" } }, function(t)
        local desk = t:server(boldchat, { queue = 3, queue_interval = "1h", queue_limit = 5 })
        local sam = desk:agent "Sam"
        local visitor = t:actor(boldchat, { name = "visitor", profile = profile, language = "fr-FR" })
        visitor:create_chat()
        local first = visitor:expect("pre_chat").form
        visitor:change_language "es-ES"
        visitor:expect("language_changed", { language = "es-ES" })
        first:fill { first_name = "Ada" }:submit()
        visitor:expect("queue", { position = 3 })
        desk:set_queue(2)
        visitor:expect("queue", { position = 2 })
        sam:expect "chat_waiting"
        visitor:cancel_chat()
        local form = visitor:expect("unavailable").form
        sam:expect "chat_ended"
        form:fill { email = "nobody", subject = "Help", body = "Please" }:submit()
        visitor:expect("form_invalid", { keys = match.has "email" })
        form:fill { email = "ada@example.com" }:submit()
        visitor:expect "ended"
        expect(desk:mails(), { { from = "ada@example.com", subject = "Help", body = match.contains "Please" } })
        expect(facts(visitor).language, "es-ES")
        visitor:expect_transcript("mail of " .. profile)
    end)
end

scenario("a browser that browses along, is controlled and shows video sees what is stored", {
    tags = { "conversations" },
}, function(t)
    local desk = t:server(boldchat)
    local sam = desk:agent "Sam"
    local visitor = t:actor(boldchat, { name = "visitor", profile = "html" })
    visitor:create_chat { skip_pre_chat = true }
    visitor:expect "connected"
    sam:accept(visitor)
    visitor:expect "accepted"
    desk:invite_active_assist(visitor)
    visitor:expect "cobrowse_requested"
    visitor:decline_active_assist()
    sam:expect("cobrowse_rejected", { name = match.any })
    desk:invite_active_assist(visitor)
    visitor:expect "cobrowse_requested"
    visitor:accept_active_assist()
    sam:expect "cobrowse_active"
    visitor:cancel_active_assist()
    visitor:expect "cobrowse_ended"
    sam:expect "cobrowse_ended"
    desk:send_remote_control("started", visitor)
    visitor:expect("remote_control", { command = "started" })
    visitor:decline_remote_control(nil, true)
    sam:expect("remote_control", { answer = "unsupported" })
    desk:send_remote_control("started", visitor)
    visitor:expect("remote_control", { command = "started" })
    visitor:accept_remote_control()
    sam:expect("remote_control", { answer = "accepted" })
    desk:send_remote_control("ended", visitor)
    visitor:expect("remote_control", { command = "ended" })
    desk:set_video(2, visitor)
    visitor:expect "video_changed"
    visitor:decline_video()
    sam:expect("video_changed", { status = 6 })
    visitor:expect("video_changed", { status = 6 })
    desk:set_video(2, visitor)
    visitor:expect "video_changed"
    visitor:accept_video()
    visitor:expect("video_changed", { status = 4 })
    visitor:send_file("invoice.txt", "1815")
    visitor:expect("attachment_uploaded", { size = 4 })
    sam:expect("attachment_uploaded", { file = "invoice.txt" })
    visitor:get_departments()
    visitor:expect "completed"
    visitor:reload()
    visitor:expect "connected"
    sam:say "Are you back?"
    visitor:expect("message", { text = "Are you back?" })
    sam:finish()
    visitor:expect("chat_ended", { reason = "operator" })
    visitor:finish()
    visitor:expect("post_chat", { reason = "operator" })
    sam:expect("chat_ended", { reason = "operator" })
    t:allow { "message", "video_changed", "accepted", "chat_started" }
    visitor:expect_transcript "extras"
end)
