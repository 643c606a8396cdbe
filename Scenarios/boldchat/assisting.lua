-- Browsing together, remote control and video, to the letter: what is offered, answered, answered again and refused.
local boldchat = require "boldchat"
local beginnings = require "beginnings"

-- A browser in a chat, and what calls a method over its event stream by hand.
local function browser(t, settings)
    local visitor, sam, desk = beginnings.in_chat(t, { profile = "html" }, settings)
    local function refused(words, operation, act, ...)
        act(visitor, ...)
        visitor:expect("error", { operation = operation, message = match.contains(words) })
    end
    return visitor, sam, desk, refused
end

group("browsing together", function()
    scenario("is answered by its id, and an answer that is given again is not told twice", { tags = { "active_assist" } }, function(t)
        local visitor, sam, desk, refused = browser(t)
        refused("ActiveAssistID", "acceptActiveAssist", visitor.accept_active_assist)
        desk:invite_active_assist(visitor)
        local id = visitor:expect("cobrowse_requested").id
        refused("ActiveAssistID", "declineActiveAssist", visitor.decline_active_assist, "1")
        visitor:accept_active_assist(id)
        visitor:accept_active_assist()
        sam:expect("cobrowse_active", { name = "Visitor" })
        visitor:cancel_active_assist()
        visitor:expect "cobrowse_ended"
        visitor:cancel_active_assist()
        sam:expect "cobrowse_ended"
        refused("ActiveAssistID", "acceptActiveAssist", visitor.accept_active_assist)
        expect({ sam:events "cobrowse_active", sam:events "cobrowse_ended" }, { match.count(1), match.count(1) })
        expect(visitor:events "cobrowse_ended", match.count(1))
        visitor:end_session()
    end)

    scenario("is over with the agent's end, with a refusal, and never without an offer", { tags = { "active_assist" } }, function(t)
        local visitor, sam, desk, refused = browser(t)
        local function is_over()
            local done, why = pcall(desk.end_active_assist, desk, visitor)
            expect({ done, tostring(why) }, { false, match.contains "nothing is browsed together" })
        end
        is_over()
        desk:invite_active_assist(visitor)
        local first = visitor:expect("cobrowse_requested").id
        visitor:decline_active_assist()
        sam:expect "cobrowse_rejected"
        is_over()
        visitor:expect_silence("300ms", "cobrowse_ended")
        desk:invite_active_assist(visitor)
        visitor:expect("cobrowse_requested", { id = match.is_not(first) })
        desk:end_active_assist(visitor)
        visitor:expect "cobrowse_ended"
        refused("ActiveAssistID", "acceptActiveAssist", visitor.accept_active_assist)
        expect({ sam:events "cobrowse_active", sam:events "cobrowse_ended" }, { {}, {} })
        visitor:end_session()
    end)

    scenario("ends only when the stream says so", { tags = { "active_assist" } }, function(t)
        local visitor, _, desk = browser(t)
        desk:send_event("beginActiveAssist", {}, visitor)
        visitor:expect("cobrowse_requested", { id = "" })
        desk:send_event("updateActiveAssist", { ActiveAssistID = "1", Values = {} }, visitor)
        desk:send_event("updateActiveAssist", { ActiveAssistID = "1" }, visitor)
        visitor:expect_silence("300ms", "cobrowse_ended")
        desk:send_event("updateActiveAssist", { ActiveAssistID = "1", Values = { Ended = "2024-01-01T00:00:00.000Z" } }, visitor)
        visitor:expect "cobrowse_ended"
        visitor:end_session()
    end)
end)

group("remote control", function()
    scenario("keeps its id from the offer to the end, and a new offer has another", { tags = { "remote_control" } }, function(t)
        local visitor, sam, desk, refused = browser(t)
        refused("RCHistoryID", "acceptRemoteControlSession", visitor.accept_remote_control)
        desk:send_remote_control("started", visitor)
        local id = visitor:expect("remote_control", { command = "started", systems = { windows = true, mac = true, mobile = false } }).id
        refused("RCHistoryID", "declineRemoteControlSession", visitor.decline_remote_control, "1")
        visitor:accept_remote_control()
        visitor:accept_remote_control(id)
        sam:expect("remote_control", { answer = "accepted" })
        desk:send_remote_control("ended", visitor)
        visitor:expect("remote_control", { command = "ended", id = id })
        refused("RCHistoryID", "declineRemoteControlSession", visitor.decline_remote_control)
        desk:send_remote_control("started", visitor)
        local next = visitor:expect("remote_control", { id = match.is_not(id) }).id
        visitor:decline_remote_control()
        sam:expect("remote_control", { answer = "declined" })
        refused("RCHistoryID", "acceptRemoteControlSession", visitor.accept_remote_control, next)
        desk:send_remote_control("started", visitor)
        visitor:expect "remote_control"
        visitor:decline_remote_control(nil, true)
        sam:expect("remote_control", { answer = "unsupported" })
        desk:send_remote_control("ended", visitor) -- nothing is offered any more, so this end is of none
        visitor:expect("remote_control", { command = "ended", id = match.is_not(next) })
        expect(sam:events "remote_control", match.count(3))
        visitor:end_session()
    end)

    scenario("may be accepted and declined afterwards, and both are told", { tags = { "remote_control" } }, function(t)
        local visitor, sam, desk = browser(t)
        desk:send_remote_control("started", visitor)
        visitor:expect "remote_control"
        visitor:accept_remote_control()
        sam:expect("remote_control", { answer = "accepted" })
        visitor:decline_remote_control()
        sam:expect("remote_control", { answer = "declined" })
        visitor:end_session()
    end)

    scenario("is told with all that the stream says", { tags = { "remote_control" } }, function(t)
        local visitor, _, desk = browser(t)
        desk:send_event("remoteControlMessage", {
            command = "started", rcHistoryId = "5", appletUrl = "https://a.example", vendorUrl = "https://b.example",
            vendorPin = "123456", activationBaseUrl = "https://c.example", osSupport = { mac = true },
        }, visitor)
        visitor:expect("remote_control", {
            command = "started", id = "5", applet_url = "https://a.example", vendor_url = "https://b.example",
            vendor_pin = "123456", activation_url = "https://c.example", systems = { mac = true },
        })
        desk:send_event("remoteControlMessage", {}, visitor)
        visitor:expect("remote_control", { command = "", id = match.absent, systems = match.absent })
        visitor:end_session()
    end)
end)

group("video", function()
    scenario("is told by the vendor's numbers and names", { tags = { "video" } }, function(t)
        local visitor, sam, desk, refused = browser(t)
        refused("No video session", "get_video_url", visitor.get_video_url)
        for status, state in pairs {
            [0] = "none", [1] = "started_by_visitor", [3] = "accepted_by_operator", [4] = "accepted_by_visitor",
            [5] = "declined_by_operator", [7] = "ended_by_operator", [8] = "ended_by_visitor", [9] = "ended_by_server",
        } do
            desk:set_video(status, visitor)
            visitor:expect("video_changed", { status = status, state = state })
            sam:expect("video_changed", { status = status, state = state })
            visitor:get_video_url()
            if status >= 1 and status <= 4 then
                visitor:expect("completed", { value = { URL = match.glob "https://video.*" } })
            else
                visitor:expect("error", { operation = "get_video_url", message = "No video session was offered" })
            end
            refused("No video session", "acceptVideoSession", visitor.accept_video)
        end
        for _, status in ipairs { 10, -1 } do
            desk:send_event("updateChat", { Values = { VideoSessionStatus = status } }, visitor)
            visitor:expect("video_changed", { status = status, state = "unknown" })
        end
        visitor:end_session()
    end)

    scenario("is answered once for each invitation", { tags = { "video" } }, function(t)
        local visitor, sam, desk, refused = browser(t)
        for _ = 1, 2 do
            desk:set_video(2, visitor)
            visitor:expect("video_changed", { status = 2 })
            visitor:accept_video()
            visitor:accept_video()
            visitor:expect("video_changed", { status = 4 })
            refused("No video session", "declineVideoSession", visitor.decline_video)
        end
        desk:set_video(2, visitor)
        visitor:expect("video_changed", { status = 2 })
        visitor:decline_video()
        visitor:decline_video()
        visitor:expect("video_changed", { status = 6, state = "declined_by_visitor" })
        sam:expect("video_changed", { status = 6 })
        expect(sam:events "video_changed", match.count(6))
        expect(visitor:events "video_changed", match.count(6))
        visitor:end_session()
    end)
end)

group("what only the browser knows", function()
    scenario("cannot be answered before there is a chat, nor after it", { tags = { "active_assist", "errors" } }, function(t)
        local desk = t:server(boldchat)
        local visitor = t:actor(boldchat, { profile = "html" })
        local function wrong(state)
            expect(visitor.session_state, state)
            for method, operation in pairs {
                accept_active_assist = "acceptActiveAssist", accept_remote_control = "acceptRemoteControlSession",
                decline_video = "declineVideoSession",
            } do
                visitor[method](visitor)
                visitor:expect("error", { code = -203, operation = operation })
            end
        end
        wrong "Idle"
        visitor:create_chat()
        visitor:expect "pre_chat"
        wrong "PreChatForm"
        visitor:submit_pre_chat { first_name = "Ada" }
        visitor:expect "connected"
        visitor:finish()
        visitor:expect "ended"
        wrong "Finished"
        expect(desk:chats(), { { state = "ended", video_supported = false } })
    end)

    scenario("no phone can ask", { tags = { "video", "errors" } }, function(t)
        t:server(boldchat)
        local visitor = t:actor(boldchat)
        for method, words in pairs { get_video_url = "only the browser", support_video = "only the browser", accept_video = "only the browser" } do
            local done, why = pcall(visitor[method], visitor)
            expect(done, false)
            expect(tostring(why), match.contains(words))
        end
    end)

    scenario("needs no agent: an offer of the desk is answered before anybody has accepted", { tags = { "active_assist" } }, function(t)
        local desk = t:server(boldchat)
        local sam, visitor = desk:agent "Sam", t:actor(boldchat, { profile = "html" })
        visitor:create_chat { skip_pre_chat = true }
        visitor:expect "connected"
        desk:invite_active_assist(visitor)
        visitor:expect "cobrowse_requested"
        visitor:accept_active_assist()
        sam:expect_silence("300ms", "cobrowse_active")
        visitor:end_session()
    end)
end)

group("a file", function()
    scenario("has three steps, and each that fails is told with its step's answer", { tags = { "files", "faults" } }, function(t)
        local visitor, sam, desk = beginnings.in_chat(t)
        local function fails(message, code)
            visitor:send_file("a.txt", "1234")
            visitor:expect("error", { operation = "send_file", code = code or -100, message = match.contains(message) })
        end
        desk:break_next("files", "status", 1, 413)
        fails "HTTP 413"
        desk:break_next("files", "status", 1, 400)
        fails "HTTP 400"
        desk:break_next("files", "malformed")
        fails("no JSON", -102)
        desk:break_next("files", "status", 1, 200)
        fails("no JSON", -102)
        desk:fail_next("files", "Not today")
        fails "Not today"
        desk:break_next("files", "drop")
        fails("dropped the connection", -101)
        for step = 2, 3 do
            desk:delay_next("files", "100ms", step - 1)
            desk:break_next("files", "status", 1, 500)
            fails "HTTP 500"
        end
        desk:delay_next("files", "100ms", 2)
        desk:break_next("files", "status", 1, 399)
        visitor:send_file("b.txt", "12345", "text/csv")
        visitor:expect("attachment_uploaded", { name = "b.txt", size = 5, type = "text/csv", token = match.pattern "%x+" })
        expect(visitor:events "attachment_uploaded", match.count(1))
        sam:expect("attachment_uploaded", { file = "b.txt" })
        visitor:end_session()
    end)

    scenario("goes only into a chat, and several go at once", { tags = { "files" } }, function(t)
        local desk = t:server(boldchat)
        local sam, visitor = desk:agent "Sam", t:actor(boldchat)
        local function wrong()
            visitor:send_file("a.txt", "1")
            visitor:expect("error", { code = -203, operation = "send_file" })
        end
        wrong()
        expect(visitor.upload_params, nil)
        visitor:create_chat()
        visitor:expect "pre_chat"
        wrong()
        visitor:submit_pre_chat { first_name = "Ada" }
        visitor:expect "connected"
        expect(visitor.upload_params, {
            chat_id = visitor.chat_id, person_id = visitor.visitor_id, client_id = match.pattern "%d+", person_type = "VISITOR",
            account_id = "1000100010001",
        })
        visitor:send_file("early.txt", "1") -- nobody is told who is not there yet
        visitor:expect("attachment_uploaded", { name = "early.txt" })
        sam:accept(visitor)
        visitor:expect "accepted"
        for _, name in ipairs { "a.txt", "b.txt", "c.txt" } do visitor:send_file(name, name) end
        for _ = 1, 3 do visitor:expect("attachment_uploaded", { size = 5 }) end
        for _ = 1, 3 do sam:expect "attachment_uploaded" end
        expect(sam:events "attachment_uploaded", match.count(3))
        expect(sam:events "attachment_uploaded", match.has { file = "b.txt", name = "Ada" })
        visitor:finish()
        visitor:expect "post_chat"
        wrong()
        visitor:end_session()
    end)

    scenario("may have nothing in it", { tags = { "files" } }, function(t)
        local visitor = beginnings.in_chat(t)
        visitor:send_file("empty.txt", "")
        visitor:expect("attachment_uploaded", { size = 0 })
        visitor:end_session()
    end)
end)
