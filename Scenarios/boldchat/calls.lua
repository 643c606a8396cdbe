-- Calls that are lost, late, given up or made while the client is away: how often they are made, and what is told of it.
local boldchat = require "boldchat"
local beginnings = require "beginnings"

local own = "it counts and times its own calls"
local timed = {
    cut = own, truncate = own, half_close = own, refuse = own, one_byte = own, delay = own, duplicate = own, reorder = own,
    http_429 = own, http_500 = own, http_503 = own, malformed_json = own, clock_jump = own,
}

-- The lapse of an act, in seconds.
local function lasts(act)
    local start = now()
    act()
    return now() - start
end

group("the browser", function()
    local slow = { tags = { "faults" }, timeout = "3m", faults = timed }

    scenario("makes a call that is lost once more after fifteen seconds, and not a third time", slow, function(t)
        local visitor, _, desk = beginnings.in_chat(t, { profile = "html" })
        desk:break_next("emailChatHistory", "drop", 1)
        expect(lasts(function()
            visitor:email_history "ada@example.com"
            visitor:expect("call_repeated", { call = "emailChatHistory", code = -101 })
            visitor:expect("transcript_requested", {}, { within = "40s" })
        end), match.between(14.9, 16))
        desk:break_next("emailChatHistory", "drop", 2)
        visitor:email_history "ada@example.com"
        expect(lasts(function()
            visitor:expect("error", { code = -101, operation = "email_history" }, { within = "40s" })
        end), match.between(14.9, 16))
        visitor:email_history "ada@example.com" -- nothing is broken any more
        visitor:expect "transcript_requested"
        expect(visitor:events "call_repeated", match.count(2))
        visitor:end_session()
    end)

    scenario("waits for a late answer fifteen seconds, then asks again and takes that answer", slow, function(t)
        local visitor, _, desk = beginnings.in_chat(t, { profile = "html" })
        desk:delay_next("emailChatHistory", "20s")
        expect(lasts(function()
            visitor:email_history "ada@example.com"
            visitor:expect("transcript_requested", {}, { within = "40s" })
        end), match.between(14.9, 16))
        wait "10s"
        expect(visitor:events "transcript_requested", match.count(1))
        visitor:end_session()
    end)

    scenario("gives a call up after thirty seconds and says what was wrong with the last try", slow, function(t)
        local visitor, _, desk = beginnings.in_chat(t, { profile = "html" })
        desk:break_next("emailChatHistory", "malformed")
        desk:delay_next("emailChatHistory", "1h")
        expect(lasts(function()
            visitor:email_history "ada@example.com"
            visitor:expect("call_repeated", { code = -102, message = match.contains "no JSON" })
            visitor:expect("error", {
                code = -104, operation = "email_history", message = match.contains "within 30 seconds; of the last try: ",
            }, { within = "1m" })
        end), match.between(29.9, 31))
        visitor:end_session()
    end)

    scenario("asks whether somebody is there only once", slow, function(t)
        local desk = t:server(boldchat)
        local visitor = t:actor(boldchat, { profile = "html" })
        desk:break_next("getChatAvailability", "drop")
        expect(lasts(function()
            visitor:check_availability()
            visitor:expect("error", { code = -101, operation = "check_availability" })
        end), match.between(0, 2))
        desk:delay_next("getChatAvailability", "1h")
        expect(lasts(function()
            visitor:check_availability()
            visitor:expect("error", { code = -101, operation = "check_availability", message = match.contains "no answer came" }, { within = "40s" })
        end), match.between(14.9, 16))
        expect(visitor:events "call_repeated", {})
        visitor:check_availability()
        visitor:expect "available"
    end)
end)

group("the phone", function()
    scenario("makes a call sixteen times, tells the first repetition, and gives up", { tags = { "faults" }, faults = timed }, function(t)
        local visitor, _, desk = beginnings.in_chat(t)
        desk:break_next("emailChatHistory", "drop", 16)
        visitor:email_history "ada@example.com"
        visitor:expect("error", { code = -101, operation = "email_history" })
        expect(visitor:events "call_repeated", match.count(1))
        desk:break_next("emailChatHistory", "drop", 15)
        visitor:email_history "ada@example.com"
        visitor:expect "transcript_requested"
        expect(visitor:events "call_repeated", match.count(2))
        expect(visitor:events "error", match.count(1))
        visitor:end_session()
    end)

    scenario("waits a moment after what is no JSON, and asks sixteen times where the mistake is off", {
        tags = { "faults", "quirks" },
    }, function(t)
        local visitor, _, desk = beginnings.in_chat(t, { quirks = { body_resets_retries = false } })
        desk:break_next("emailChatHistory", "malformed", 16)
        expect(lasts(function()
            visitor:email_history "ada@example.com"
            visitor:expect("error", { code = -102, operation = "email_history" }, { within = "10s" })
        end), match.between(1.4, 4))
        visitor:email_history "ada@example.com"
        visitor:expect "transcript_requested"
        visitor:end_session()
    end)

    scenario("hears of a call that was answered in the background when it comes back", { tags = { "background" }, faults = timed }, function(t)
        local visitor, _, desk = beginnings.in_chat(t)
        desk:delay_next("emailChatHistory", "1s")
        visitor:email_history "ada@example.com"
        visitor:suspend()
        visitor:expect_silence("3s", "transcript_requested")
        visitor:resume()
        visitor:expect "transcript_requested"
        visitor:expect_silence("1s", "transcript_requested")
        visitor:end_session()
    end)

    scenario("lets the time limit of a call rest in the background", { tags = { "background" }, timeout = "3m", faults = timed }, function(t)
        local visitor, _, desk = beginnings.in_chat(t)
        desk:delay_next("emailChatHistory", "50s")
        visitor:email_history "ada@example.com"
        visitor:suspend()
        wait "40s"
        visitor:resume()
        visitor:expect("transcript_requested", {}, { within = "20s" })
        desk:delay_next("emailChatHistory", "2m")
        visitor:email_history "ada@example.com"
        visitor:suspend()
        wait "20s"
        visitor:resume()
        expect(lasts(function()
            visitor:expect("error", { code = -104, operation = "email_history" }, { within = "40s" })
        end), match.between(29.9, 31))
        visitor:end_session()
    end)

    scenario("begins and ends nothing in the background", { tags = { "background" }, faults = timed }, function(t)
        local desk = t:server(boldchat)
        local visitor = t:actor(boldchat)
        visitor:suspend()
        visitor:create_chat()
        visitor:expect_silence("500ms", "session_created")
        visitor:resume()
        visitor:create_chat { skip_pre_chat = true }
        visitor:expect "connected"
        visitor:suspend()
        visitor:end_session()
        expect(visitor.session_state, "Chatting")
        visitor:resume()
        expect(desk:chats(), { { state = "waiting" } })
        visitor:end_session()
        expect(visitor.session_state, "Finished")
    end)
end)

group("a request that is given up", function()
    scenario("says whether it was under way", { tags = { "faults" }, faults = timed }, function(t)
        local desk = t:server(boldchat)
        local visitor = t:actor(boldchat, { profile = "html" })
        expect(visitor:cancel_request(99), false)
        expect(visitor:cancel_request(-1), false)
        desk:delay_next("getDepartments", "500ms")
        local request = visitor:get_departments()
        wait "100ms"
        expect(visitor:cancel_request(request), true)
        expect(visitor:cancel_request(request), false)
        visitor:expect_silence("1s", any { "completed", "error" })
        desk:fail_next("getDepartments", "None today")
        visitor:get_departments()
        visitor:expect("error", { operation = "get_departments", message = "None today" })
    end)

    scenario("about availability is asked anew the next time", { tags = { "availability" }, faults = timed }, function(t)
        local desk = t:server(boldchat)
        local visitor = t:actor(boldchat)
        desk:delay_next("getChatAvailability", "1s")
        local request = visitor:check_availability()
        wait "100ms"
        expect(visitor:cancel_request(request), true)
        desk:close()
        visitor:check_availability()
        visitor:expect("unavailable", { reason = "outside_hours" })
        visitor:expect_silence("2s", any { "available", "unavailable" })
    end)

    scenario("about availability ends only the last of several questions", { tags = { "availability" }, faults = timed }, function(t)
        local desk = t:server(boldchat)
        local visitor = t:actor(boldchat)
        desk:delay_next("getChatAvailability", "500ms")
        local request = visitor:check_availability()
        expect({ visitor:check_availability(), visitor:check_availability() }, { request, request })
        expect({ visitor:cancel_request(request), visitor:cancel_request(request) }, { true, true })
        visitor:expect "available"
        expect(visitor:cancel_request(request), false)
        visitor:expect_silence("1s", "available")
    end)

    scenario("about a language leaves the language and the screen as they were", { tags = { "language", "screen" } }, function(t)
        local desk = t:server(boldchat)
        local visitor = t:actor(boldchat)
        visitor:create_chat()
        visitor:expect "pre_chat"
        desk:delay_next("changeLanguage", "1s")
        local request = visitor:change_language "de-DE"
        wait "100ms"
        expect(visitor.screen.loading, true)
        expect(visitor:cancel_request(request), true)
        expect({ visitor.screen.loading, visitor.language }, { false, "en-US" })
        visitor:expect_silence("2s", "language_changed")
        visitor:end_session()
    end)

    scenario("about a file sends nothing", { tags = { "files" } }, function(t)
        local visitor, sam, desk = beginnings.in_chat(t)
        desk:delay_next("files", "500ms")
        local request = visitor:send_file("one.txt", "1")
        wait "100ms"
        expect(visitor:cancel_request(request), true)
        visitor:expect_silence("1s", any { "attachment_uploaded", "error" })
        visitor:send_file("two.txt", "22")
        visitor:expect("attachment_uploaded", { name = "two.txt", size = 2 })
        sam:expect("attachment_uploaded", { file = "two.txt" })
        expect(sam:events "attachment_uploaded", match.count(1))
        visitor:end_session()
    end)
end)

group("availability", function()
    scenario("is remembered for each visitor and department apart", { tags = { "availability" }, faults = timed }, function(t)
        local desk = t:server(boldchat, { departments = { { id = "1", name = "Sales" }, { id = "2", name = "Bills", online = false } } })
        local visitor = t:actor(boldchat)
        local function is(event, options)
            visitor:check_availability(options)
            visitor:expect(event)
        end
        is("available", { visitor_id = "ada" })
        desk:block_visitor "eve"
        is("unavailable", { visitor_id = "eve" })
        is("available", { visitor_id = "ada", department_id = "1" })
        is("unavailable", { visitor_id = "ada", department_id = "2" })
        desk:set_operators(false)
        desk:block_visitor("eve", false)
        is("available", { visitor_id = "ada" })
        is("unavailable", { visitor_id = "eve" })
        is("unavailable", { visitor_id = "bob" })
    end)

    scenario("that is refused is told with its code, and remembered", { tags = { "availability", "errors" }, timeout = "3m", faults = timed }, function(t)
        local desk = t:server(boldchat)
        local visitor = t:actor(boldchat)
        desk:fail_next("getChatAvailability", "Not authorized")
        for _ = 1, 2 do
            visitor:check_availability()
            visitor:expect("error", { code = -103, operation = "check_availability", message = "Not authorized" })
        end
        wait "61s"
        visitor:check_availability()
        visitor:expect "available"
        desk:fail_next("getChatAvailability", "Invalid DepartmentID")
        visitor:check_availability { department_id = "1" }
        visitor:expect("error", { code = -100, operation = "check_availability" })
    end)
end)

group("pings", function()
    local minutes = { tags = { "pings" }, timeout = "15m", faults = timed }

    scenario("go on when the phone comes back, at once", minutes, function(t)
        local visitor, _, desk = beginnings.in_chat(t)
        visitor:suspend()
        desk:offer_recapture(true, visitor)
        visitor:expect_silence("40s", "recapture")
        expect(visitor.recapture_available, false)
        visitor:resume()
        visitor:expect("recapture", {}, { within = "5s" })
        expect(visitor.recapture_available, true)
        visitor:end_session()
    end)

    scenario("of the phone come every thirty seconds, from the first moment and after one that failed", minutes, function(t)
        local visitor, _, desk = beginnings.in_chat(t)
        wait "1s"
        desk:fail_next("pingChat", "No")
        wait "30s" -- the one that fails
        desk:offer_recapture(true, visitor)
        visitor:expect_silence("25s", "recapture")
        visitor:expect("recapture", {}, { within = "8s" })
        desk:offer_recapture(false, visitor)
        wait "31s"
        expect(visitor.recapture_available, false)
        desk:offer_recapture(true, visitor)
        visitor:expect("recapture", {}, { within = "31s" }) -- offered anew, told anew
        visitor:end_session()
    end)

    scenario("of the browser begin after thirty seconds, and come five seconds after one that failed", minutes, function(t)
        local visitor, _, desk = beginnings.in_chat(t, { profile = "html" })
        desk:offer_recapture(true, visitor)
        visitor:expect_silence("25s", "recapture")
        desk:fail_next("pingChat", "No")
        visitor:expect_silence("8s", "recapture")
        visitor:expect("recapture", {}, { within = "4s" })
        visitor:end_session()
    end)

    local quarter = { tags = { "pings" }, timeout = "15m", clock = "virtual", faults = timed }
    scenario("of the browser stop after the fiftieth failure in a row", quarter, function(t)
        local visitor, _, desk = beginnings.in_chat(t, { profile = "html" })
        wait "1s"
        desk:fail_next("pingChat", "No", 49)
        desk:offer_recapture(true, visitor)
        visitor:expect_silence("4m", "recapture")
        visitor:expect("recapture", {}, { within = "1m" })
        desk:offer_recapture(false, visitor)
        wait "31s"
        desk:fail_next("pingChat", "No", 50)
        wait "5m"
        desk:offer_recapture(true, visitor)
        visitor:expect_silence("2m", "recapture")
        visitor:end_session()
    end)

    scenario("tell a taken-back visitor nothing while a form is there, and in the mail form they do", minutes, function(t)
        local desk = t:server(boldchat)
        local visitor = t:actor(boldchat)
        visitor:create_chat()
        visitor:expect "pre_chat"
        desk:offer_recapture(true, visitor)
        visitor:expect_silence("35s", "recapture")
        expect(visitor.recapture_available, true)
        visitor:end_session()
    end)

    scenario("say that the session is over, in the phone alone", minutes, function(t)
        local desk = t:server(boldchat, { post_chat = false })
        for _, case in ipairs { { "ios", "closed" }, { "html", "ended" } } do
            local visitor = t:actor(boldchat, { profile = case[1] })
            visitor:create_chat { skip_pre_chat = true }
            visitor:expect "connected"
            visitor:finish()
            visitor:expect("ended", { reason = "visitor" })
            wait "500ms"
            local chats = desk:chats()
            expect(chats[#chats].state, case[2])
        end
    end)

    scenario("tell the desk that a phone has left its form, and the browser cancels it", minutes, function(t)
        local desk = t:server(boldchat)
        for _, profile in ipairs { "ios", "html" } do
            local visitor = t:actor(boldchat, { profile = profile })
            visitor:create_chat()
            visitor:expect "pre_chat"
            visitor:end_session()
            wait "500ms"
            local chats = desk:chats()
            expect(chats[#chats].state, "closed")
        end
    end)
end)
