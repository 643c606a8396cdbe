-- Files, browsing together, remote control, video, secured chats, availability, languages.
local boldchat = require "boldchat"
local beginnings = require "beginnings"

-- Brings a browser's visitor into a chat that an agent has accepted.
local function in_chat(t, options, settings)
    options = options or {}
    options.profile = options.profile or "html"
    return beginnings.in_chat(t, options, settings)
end

group("a file", function()
    scenario("of the visitor reaches the agent", { tags = { "files" } }, function(t)
        local visitor, sam = in_chat(t)
        visitor:send_file("invoice.txt", "1815: 12 shirts")
        visitor:expect("attachment_uploaded", { name = "invoice.txt", size = 15, type = "text/plain" })
        sam:expect("attachment_uploaded", { file = "invoice.txt" })
        visitor:end_session()
    end)

    scenario("that the server does not take is an error", { tags = { "files", "faults" } }, function(t)
        local visitor, sam, desk = in_chat(t)
        desk:break_next("files", "status", 1, 413)
        visitor:send_file("huge.bin", "…")
        visitor:expect("error", { operation = "send_file" })
        sam:expect_silence("500ms", "attachment_uploaded")
        visitor:end_session()
    end)

    scenario("whose upload breaks off is an error", { tags = { "files", "faults" } }, function(t)
        local visitor, _, desk = in_chat(t)
        desk:break_next("files", "drop")
        visitor:send_file("invoice.txt", "…")
        visitor:expect("error", { operation = "send_file" })
        visitor:end_session()
    end)

    scenario("cannot be sent where the account does not allow it", { tags = { "files" } }, function(t)
        local visitor = in_chat(t, {}, { window_settings = { EnableFileTransfer = false } })
        visitor:send_file("invoice.txt", "…")
        visitor:expect("error", { operation = "send_file", message = match.contains "does not allow" })
        visitor:end_session()
    end)
end)

group("browsing together", function()
    scenario("begins when the visitor accepts and ends with the agent", { tags = { "active_assist" } }, function(t)
        local visitor, sam, desk = in_chat(t)
        desk:invite_active_assist(visitor)
        visitor:expect("cobrowse_requested", { id = match.pattern "%d+" })
        visitor:accept_active_assist()
        sam:expect "cobrowse_active"
        desk:end_active_assist(visitor)
        visitor:expect "cobrowse_ended"
        visitor:end_session()
    end)

    scenario("ends when the visitor has had enough", { tags = { "active_assist" } }, function(t)
        local visitor, sam, desk = in_chat(t)
        desk:invite_active_assist(visitor)
        visitor:expect "cobrowse_requested"
        visitor:accept_active_assist()
        sam:expect "cobrowse_active"
        visitor:cancel_active_assist()
        sam:expect "cobrowse_ended"
        visitor:expect "cobrowse_ended"
        visitor:end_session()
    end)

    scenario("does not begin when the visitor declines", { tags = { "active_assist" } }, function(t)
        local visitor, sam, desk = in_chat(t)
        desk:invite_active_assist(visitor)
        visitor:expect "cobrowse_requested"
        visitor:decline_active_assist()
        sam:expect "cobrowse_rejected"
        visitor:end_session()
    end)
end)

group("remote control", function()
    scenario("is offered with an address and a code, and accepted", { tags = { "remote_control" } }, function(t)
        local visitor, sam, desk = in_chat(t)
        desk:send_remote_control("started", visitor)
        visitor:expect("remote_control", { command = "started", vendor_url = match.any, vendor_pin = match.any })
        visitor:accept_remote_control()
        sam:expect("remote_control", { answer = "accepted" })
        desk:send_remote_control("ended", visitor)
        visitor:expect("remote_control", { command = "ended" })
        visitor:end_session()
    end)

    for _, case in ipairs { { false, "declined" }, { true, "unsupported" } } do
        scenario("is " .. case[2] .. " by the visitor", { tags = { "remote_control" } }, function(t)
            local visitor, sam, desk = in_chat(t)
            desk:send_remote_control("started", visitor)
            local id = visitor:expect("remote_control", { systems = { mobile = false } }).id
            visitor:decline_remote_control(id, case[1])
            sam:expect("remote_control", { answer = case[2] })
            visitor:end_session()
        end)
    end
end)

group("video", function()
    scenario("begins when the visitor accepts the agent's invitation", { tags = { "video" } }, function(t)
        local visitor, sam, desk = in_chat(t)
        desk:set_video(2, visitor)
        visitor:expect("video_changed", { state = "started_by_operator" })
        sam:expect("video_changed", { state = "started_by_operator" })
        visitor:get_video_url()
        visitor:expect("completed", { operation = "get_video_url", value = { URL = match.glob "https://*" } })
        visitor:accept_video()
        visitor:expect("video_changed", { state = "accepted_by_visitor" })
        sam:expect("video_changed", { state = "accepted_by_visitor" })
        visitor:end_session()
    end)

    scenario("does not begin when the visitor declines", { tags = { "video" } }, function(t)
        local visitor, sam, desk = in_chat(t)
        desk:set_video(2, visitor)
        visitor:expect("video_changed", { status = 2 })
        visitor:decline_video()
        visitor:expect("video_changed", { state = "declined_by_visitor" })
        sam:expect(seq { event("video_changed", { status = 2 }), event("video_changed", { status = 6 }) })
        visitor:end_session()
    end)
end)

group("a secured chat", function()
    scenario("begins with values that the customer has signed", { tags = { "secured" } }, function(t)
        local desk = t:server(boldchat, { secret = "s3cret" })
        local sam = desk:agent "Sam"
        local secured = desk:sign({ first_name = "Ada", email = "ada@example.com" })
        local visitor = t:actor(boldchat, { secured = secured, external = { first_name = "Eve" } })
        visitor:create_chat { skip_pre_chat = true }
        visitor:expect "chat_started"
        sam:expect("chat_waiting", { name = "Ada" })
        visitor:end_session()
    end)

    for _, case in ipairs { { "without signed values" }, { "with a forged signature", "beef:{}" } } do
        scenario(case[1] .. " is refused", { tags = { "secured", "unavailable" } }, function(t)
            t:server(boldchat, { secret = "s3cret" })
            local visitor = t:actor(boldchat, { secured = case[2] })
            visitor:create_chat()
            visitor:expect("unavailable", { reason = "unsecure" })
            visitor:end_session()
        end)
    end
end)

group("availability", function()
    scenario("is remembered by ios for a minute", { tags = { "availability" } }, function(t)
        local desk = t:server(boldchat)
        local visitor = t:actor(boldchat, { visitor_id = "ada" })
        visitor:check_availability()
        visitor:expect "available"
        desk:close()
        visitor:check_availability()
        visitor:expect "available"
        wait "61s"
        visitor:check_availability()
        visitor:expect("unavailable", { reason = "outside_hours" })
    end)

    scenario("is asked anew by the browser", { tags = { "availability" } }, function(t)
        local desk = t:server(boldchat)
        local visitor = t:actor(boldchat, { profile = "html", visitor_id = "ada" })
        visitor:check_availability()
        visitor:expect "available"
        desk:close()
        visitor:check_availability()
        visitor:expect("unavailable", { reason = "outside_hours" })
    end)

    scenario("needs agents who are there", { tags = { "availability" } }, function(t)
        t:server(boldchat, { operators_available = false })
        local visitor = t:actor(boldchat, { profile = "html" })
        visitor:check_availability()
        visitor:expect("unavailable", { reason = "no_operators" })
    end)

    scenario("that could not be had is not remembered", { tags = { "availability", "faults" } }, function(t)
        local desk = t:server(boldchat)
        local visitor = t:actor(boldchat)
        desk:break_next("getChatAvailability", "drop", 16)
        visitor:check_availability()
        visitor:expect("error", { code = -101, domain = "ChatAvailabilityChecker" })
        visitor:check_availability()
        visitor:expect "available"
    end)

    scenario("ends with the limit of the queue", { tags = { "availability", "queue" } }, function(t)
        t:server(boldchat, { queue = 0, queue_limit = 1 })
        local first, second = t:actor(boldchat), t:actor(boldchat)
        first:create_chat { skip_pre_chat = true }
        first:expect("queue", { position = match.any })
        second:check_availability()
        second:expect("unavailable", { reason = "queue_full" })
        first:end_session()
    end)

    scenario("can be asked for each department", { tags = { "availability" } }, function(t)
        t:server(boldchat, {
            departments = { { id = "1", name = "Sales" }, { id = "2", name = "Billing", online = false } },
        })
        local visitor = t:actor(boldchat, { visitor_id = "ada" })
        visitor:check_availability { department_id = "1" }
        visitor:expect "available"
        visitor:check_availability { department_id = "2" }
        visitor:expect("unavailable", { reason = "no_operators" })
        visitor:get_departments()
        visitor:expect("completed", { operation = "get_departments" })
    end)
end)

group("the language", function()
    scenario("of the form follows a change, with its departments", { tags = { "language", "forms" } }, function(t)
        t:server(boldchat, { departments = { { id = "1", name = "Sales" } } })
        local visitor = t:actor(boldchat)
        visitor:create_chat()
        visitor:expect "pre_chat"
        local before = visitor.branding["api#prechat#start"]
        visitor:change_language "fr-FR"
        visitor:expect("language_changed", { language = "fr-FR", form = { fields = match.has { key = "department" } } })
        expect(visitor.branding["api#prechat#start"], match.is_not(before))
        visitor:end_session()
    end)

    scenario("is that of the preset, or of the form that the visitor fills in", { tags = { "language", "forms" } }, function(t)
        local desk = t:server(boldchat, {
            pre_chat = { { key = "language", type = "select" }, { key = "first_name" } }, languages = { "en-US", "de-DE", "fr-CA" },
        })
        local preset, chosen = t:actor(boldchat), t:actor(boldchat)
        preset:create_chat { external = { language = "de" } }
        preset:expect "pre_chat"
        expect(preset.language, "de-DE")
        chosen:create_chat()
        chosen:expect "pre_chat"
        expect(chosen.language, "en-US")
        local english = chosen.branding["api#chat#send"]
        chosen:submit_pre_chat { language = "fr-CA" }
        chosen:expect "chat_started"
        expect(chosen.language, "fr-CA")
        expect(chosen.branding["api#chat#send"], match.is_not(english))
        expect(desk:chats(), match.has { language = "fr-CA" })
        preset:end_session()
        chosen:end_session()
    end)

    scenario("is not asked for again if it is the same", { tags = { "language" } }, function(t)
        t:server(boldchat)
        local visitor = t:actor(boldchat, { language = "de-DE" })
        visitor:create_chat()
        visitor:expect "pre_chat"
        visitor:change_language "de-DE"
        visitor:expect_silence("500ms", "language_changed")
        visitor:end_session()
    end)

    scenario("changes during a chat in the ios client only", { tags = { "language" } }, function(t)
        t:server(boldchat)
        local phone, browser = t:actor(boldchat), t:actor(boldchat, { profile = "html" })
        for _, visitor in ipairs { phone, browser } do
            visitor:create_chat { skip_pre_chat = true }
            visitor:expect "connected"
            visitor:change_language "de-DE"
        end
        phone:expect("language_changed", { language = "de-DE" })
        browser:expect("error", { code = -203, operation = "change_language" })
        phone:end_session()
        browser:end_session()
    end)

    scenario("has the account's own texts", { tags = { "language" } }, function(t)
        t:server(boldchat, { branding = { ["en-US"] = { ["api#chat#send"] = "Off it goes" } } })
        local visitor = t:actor(boldchat)
        visitor:create_chat { skip_pre_chat = true }
        visitor:expect "connected"
        expect(visitor.branding["api#chat#send"], "Off it goes")
        expect(visitor.screen.chat.sendButton, "Off it goes")
        visitor:end_session()
    end)
end)

scenario("the browser asks for a transcript only once there is a chat", { tags = { "transcript" } }, function(t)
    local desk = t:server(boldchat)
    local visitor = t:actor(boldchat, { profile = "html" })
    visitor:create_chat()
    local form = visitor:expect("pre_chat").form
    visitor:email_history "ada@example.com"
    visitor:expect("error", { code = -203, operation = "email_history" })
    form:fill { first_name = "Ada" }:submit()
    visitor:expect "connected"
    visitor:email_history "ada@example.com"
    visitor:expect "transcript_requested"
    visitor:finish() -- Nobody has answered, so there is nothing to rate.
    visitor:expect("ended", { reason = "visitor" })
    expect(desk:mails(), match.has { to = "ada@example.com" })
end)

scenario("an agent's page is opened in the browser", { tags = { "push" } }, function(t)
    local visitor, sam = in_chat(t)
    sam:say "Look: [push]https://example.com/offer"
    visitor:expect(all { "message", event("link_opened", { url = match.glob "*/offer" }) })
    visitor:end_session()
end)

scenario("the phone knows no invitations, and a script cannot answer them", { tags = { "active_assist" } }, function(t)
    local desk = t:server(boldchat)
    local visitor = t:actor(boldchat)
    visitor:create_chat { skip_pre_chat = true }
    visitor:expect "connected"
    desk:invite_active_assist(visitor)
    desk:send_remote_control("started", visitor)
    desk:set_video(2, visitor)
    visitor:expect_silence "500ms"
    local done, message = pcall(function() visitor:expect "cobrowse_requested" end)
    expect(done, false)
    expect(tostring(message), match.contains 'only, a visitor with profile = "html", so visitor never observes')
    done, message = pcall(function() visitor:accept_active_assist() end)
    expect(done, false)
    expect(tostring(message), match.contains 'profile = "html"')
    visitor:end_session()
end)

scenario("a browser takes a changed message, a phone keeps the first", { tags = { "messages" } }, function(t)
    local visitor, sam, desk = in_chat(t)
    sam:say "It costs 100."
    visitor:expect("message", { text = "It costs 100." })
    desk:update_message("It costs 10.", visitor)
    visitor:expect("message_updated", { text = "It costs 10." })
    visitor:end_session()

    step("on the phone", function()
        local phone = t:actor(boldchat)
        phone:create_chat { skip_pre_chat = true }
        phone:expect "connected"
        sam:accept(phone)
        sam:say("It costs 100.", phone)
        phone:expect("message", { text = "It costs 100." })
        desk:update_message("It costs 10.", phone)
        phone:expect_silence("500ms", any { "message", "message_updated" })
        phone:end_session()
    end)
end)
