-- How chats begin and end: what is said before there is a link, who ends them, what the account and the client know afterwards.
local boldchat = require "boldchat"
local beginnings = require "beginnings"

-- A fault that breaks a connection, or keeps an answer back, changes when the stream is where.
local own = "it breaks and times its connections itself"
local timed = {
    cut = own, truncate = own, half_close = own, refuse = own, one_byte = own, delay = own, duplicate = own, reorder = own,
    http_429 = own, http_500 = own, http_503 = own, malformed_json = own, clock_jump = own,
}

local function last(desk)
    local chats = desk:chats()
    return chats[#chats]
end

for _, profile in ipairs { "ios", "html" } do
    local browser = profile == "html"

    group("a chat of the client " .. profile, function()
        scenario("that is finished before it is connected is told to the desk by the browser alone", { tags = { "survey" }, faults = timed }, function(t)
            local desk = t:server(boldchat)
            local sam, visitor = desk:agent "Sam", t:actor(boldchat, { profile = profile })
            desk:delay_next("socket", "1s")
            visitor:create_chat { skip_pre_chat = true }
            visitor:expect "chat_started"
            sam:expect "chat_waiting"
            wait "200ms"
            if not browser then desk:delay_next("pingChat", "10s", 5) end
            visitor:finish()
            if browser then expect(visitor.chat_state, "Finishing") else expect(visitor.chat_state, "Finished") end
            visitor:expect("ended", { reason = "visitor" })
            sam:expect("chat_ended", { reason = "visitor" })
            expect(last(desk), { state = browser and "ended" or "closed", ended_reason = "visitor" })
            visitor:end_session()
        end)

        scenario("keeps what is said and typed until it is connected, in its order", { tags = { "messages" }, faults = timed }, function(t)
            local visitor, sam, desk = beginnings.greeted(t, { profile = profile })
            desk:delay_next("startChat", "500ms")
            desk:send_reset(visitor)
            wait "100ms"
            expect(visitor.chat_state, "ChatStarting")
            visitor:say "One"
            visitor:typing()
            visitor:typing(false)
            visitor:typing()
            visitor:say "Two"
            expect(visitor:events "message_sent", {})
            visitor:expect("typing_sent", { active = true })
            visitor:expect("message_sent", { text = "One" })
            visitor:expect("message_sent", { text = "Two" })
            sam:expect(seq { event("typing", { active = true }), event("message", { text = "One" }), event("message", { text = "Two" }) })
            expect(visitor.chat_state, "OSSStarted")
            expect({ visitor:events "connected", visitor:events "typing_sent", visitor:events "accepted" }, { match.count(1), match.count(1), match.count(1) })
            desk:send_reset(visitor) -- what was kept and sent is not sent again
            sam:say "Three"
            visitor:expect("message", { text = "Three" })
            wait "300ms"
            expect({ sam:events "message", visitor:events "message", visitor:events "typing_sent" }, {
                match.count(2), match.count(4), match.count(1),
            })
            visitor:end_session()
        end)

        scenario("says again after a reset what the desk has not answered", { tags = { "messages", "links" }, faults = timed }, function(t)
            local visitor, sam, desk = beginnings.greeted(t, { profile = profile })
            desk:delay_next("sendMessage", "5s")
            visitor:say "Once"
            wait "100ms"
            desk:send_reset(visitor)
            visitor:expect("message_sent", { text = "Once" })
            sam:expect("message", { text = "Once" })
            wait "6s"
            expect({ sam:events "message", visitor:events "message_sent" }, { match.count(1), match.count(1) })
            visitor:end_session()
        end)

        scenario("says again after a reset what it had kept and the desk has not answered", { tags = { "messages", "links" }, faults = timed }, function(t)
            local visitor, sam, desk = beginnings.greeted(t, { profile = profile })
            desk:delay_next("startChat", "300ms")
            desk:send_reset(visitor)
            wait "100ms"
            visitor:say "One"
            visitor:say "Two"
            desk:delay_next("sendMessage", "5s")
            sam:expect("message", { text = "One" })
            desk:send_reset(visitor)
            visitor:expect("message_sent", { text = "One" })
            visitor:expect("message_sent", { text = "Two" })
            wait "300ms"
            expect(sam:events "message", { { text = "One" }, { text = "Two" } })
            visitor:end_session()
        end)

        scenario("takes no word after its end", { tags = { "errors" }, faults = timed }, function(t)
            local visitor, sam = beginnings.greeted(t, { profile = profile })
            visitor:finish()
            visitor:expect("post_chat", { reason = "visitor", time = match.any })
            visitor:say "One more"
            visitor:expect("error", { code = -203, operation = "say" })
            for _, method in ipairs { "typing", "finish", "cancel_chat" } do
                visitor[method](visitor)
                visitor:expect("error", { code = -203, operation = method })
            end
            visitor:expect_silence("500ms", any { "typing_sent", "ended", "unavailable" })
            expect({ visitor.session_state, visitor.chat_state }, { "PostChatForm", "Finished" })
            expect(sam:events "message", {})
            visitor:end_session()
            local function refused(method, ...)
                local done, why = pcall(visitor[method], visitor, ...)
                expect(done, false)
                expect(tostring(why), match.contains("before " .. method .. "()"))
            end
            refused("say", "?")
            for _, method in ipairs { "typing", "finish", "cancel_chat" } do refused(method) end
        end)

        scenario("is ended by the agent, by the desk and by time, each for its reason", { tags = { "survey" }, faults = timed }, function(t)
            local desk = t:server(boldchat, { post_chat = false })
            local sam, visitor = desk:agent "Sam", t:actor(boldchat, { profile = profile, quirks = { end_reason_unassigned = false } })
            local function ends(how, reason, told)
                visitor:create_chat { skip_pre_chat = true }
                visitor:expect "connected"
                expect(visitor.end_reason, "undefined")
                sam:accept(visitor)
                visitor:expect "accepted"
                if how == "operator" then sam:finish(visitor) else desk:end_chat(how, visitor) end
                if how == "operator" and browser then
                    visitor:expect("chat_ended", { reason = "operator" })
                    expect(visitor.chat_state, "OSSStarted")
                    visitor:finish()
                end
                visitor:expect("ended", { reason = reason, time = match.pattern "^%d+%-%d+%-%d+T.*Z$" })
                sam:expect("chat_ended", { reason = told })
                expect({ visitor.end_reason, visitor.chat_state, visitor.session_state }, { reason, "Finished", "Finished" })
                expect(last(desk), { ended_reason = told, agent = "Sam" })
            end
            ends("operator", "operator", "operator")
            ends("disconnect", "timeout", "disconnect")
            ends("unknown", "timeout", "unknown")
            if browser then ends("visitor", "visitor", "visitor") end
            expect(sam:events "chat_ended", match.count(browser and 4 or 3))
        end)

        scenario("that nobody answers in time is left for the mail form", { tags = { "answer_timeout", "unavailable" }, faults = timed }, function(t)
            local desk = t:server(boldchat, { answer_timeout = "2s" })
            local sam, visitor = desk:agent "Sam", t:actor(boldchat, { profile = profile })
            visitor:create_chat { skip_pre_chat = true }
            visitor:expect "connected"
            sam:expect "chat_waiting"
            visitor:expect_silence("1800ms", "unavailable")
            visitor:expect("unavailable", { reason = "unknown", form = { kind = "unavailable" }, message = match.absent }, { within = "1s" })
            sam:expect("chat_ended", { reason = "visitor" })
            expect(last(desk).state, "unavailable")
            expect({ visitor.unavailable_reason, visitor.session_state }, { "unknown", "UnavailableForm" })
            visitor:end_session()
            -- Being accepted is answer enough for the browser, not for the phone.
            visitor:create_chat { skip_pre_chat = true }
            visitor:expect "connected"
            sam:accept(visitor)
            visitor:expect "accepted"
            if browser then
                visitor:expect_silence("3s", "unavailable")
            else
                visitor:expect("unavailable", {}, { within = "3s" })
            end
            visitor:end_session()
        end)

        scenario("that cannot be ended is an error, and what is left of it depends on the client", { tags = { "errors" }, faults = timed }, function(t)
            local visitor, sam, desk = beginnings.greeted(t, { profile = profile })
            desk:fail_next("finishChat", "No")
            visitor:finish()
            visitor:expect("error", { code = -301, domain = "BCChat", operation = "finish" })
            if browser then visitor:expect("ended", { reason = "error" }) end
            expect({ visitor.chat_state, visitor.link_state, visitor.session_state }, { "Error", "Idle", browser and "Finished" or "Chatting" })
            sam:say "There?"
            visitor:expect_silence("300ms", "message")
            visitor:end_session()
        end)
    end)
end

scenario("a desk that gives no time for an answer waits for ever", { tags = { "answer_timeout" } }, function(t)
    t:server(boldchat, { answer_timeout = 0 })
    local visitor = t:actor(boldchat)
    visitor:create_chat { skip_pre_chat = true }
    visitor:expect "connected"
    visitor:expect_silence("2s", "unavailable")
    expect(visitor.session_state, "Chatting")
    visitor:end_session()
end)

scenario("whoever ends a session leaves no chat behind, not even one that is being created", { tags = { "sessions" }, faults = timed }, function(t)
    local desk = t:server(boldchat)
    local visitor = t:actor(boldchat)
    visitor:create_chat { skip_pre_chat = true }
    visitor:expect "connected"
    local done, why = pcall(visitor.create_chat, visitor)
    expect({ done, tostring(why) }, { false, match.contains "is under way (Chatting)" })
    desk:delay_next("finishChat", "500ms")
    visitor:end_session()
    visitor:create_chat { skip_pre_chat = true }
    visitor:end_session()
    visitor:create_chat { skip_pre_chat = true }
    visitor:expect "connected"
    wait "1s"
    expect(last(desk).state, "waiting")
    expect(desk:chats()[1].ended_reason, "visitor")
    visitor:end_session()
end)

scenario("an end that nobody answers is asked for again although the next session ends meanwhile", { tags = { "sessions" }, faults = timed }, function(t)
    local desk = t:server(boldchat)
    local visitor = t:actor(boldchat)
    visitor:create_chat { skip_pre_chat = true }
    visitor:expect "connected"
    desk:break_next("finishChat", "malformed")
    visitor:end_session()
    visitor:create_chat { skip_pre_chat = true }
    visitor:end_session()
    visitor:expect("call_repeated", { call = "finishChat" })
    expect(desk:chats()[1].ended_reason, "visitor")
end)

scenario("whoever loads the page again or ends a session is given no number of a call", { tags = { "sessions" } }, function(t)
    local visitor = beginnings.greeted(t, { profile = "html" })
    expect(visitor:reload(), match.absent)
    visitor:expect "connected"
    expect(visitor:end_session(), match.absent) -- this calls finishChat
    visitor:create_chat()
    visitor:expect "pre_chat"
    expect(visitor:end_session(), match.absent) -- and this cancelPreChat
end)

scenario("each session begins with nothing of the one before", { tags = { "sessions" } }, function(t)
    local desk = t:server(boldchat, { departments = { { id = "1", name = "Sales" } } })
    local sam = desk:agent "Sam"
    local visitor = t:actor(boldchat, { external = { reference = "1815" } })
    visitor:create_chat { external = { CustomUrl = "https://example.com/1", vn = "Ada", vi = "gold", customField_rank = 3, curl = "https://example.com/2", ve = "ada@example.com" } }
    visitor:expect "pre_chat"
    local first = { visitor.chat_key, visitor.chat_id, visitor.visitor_id }
    visitor:submit_pre_chat { department = "1" }
    visitor:expect "connected"
    expect({ visitor.department_id, visitor.custom_url }, { "1", match.glob "https://example.com/*" })
    expect(last(desk).values, {
        first_name = "Ada", information = "gold", reference = "1815", custom_rank = "3", email = "ada@example.com",
        department = "1", CustomUrl = match.glob "https://example.com/*",
    })
    sam:accept(visitor)
    visitor:expect "accepted"
    sam:say "Hello"
    visitor:expect "message"
    visitor:screen_type("inputTextView", "half a")
    visitor:finish()
    visitor:expect "post_chat"
    visitor:end_session()
    desk:delay_next("createChat", "300ms")
    visitor:create_chat { skip_pre_chat = true }
    for _, name in ipairs {
        "chat_key", "chat_id", "chat_state", "department_id", "custom_url", "post_chat_form", "pre_chat_form", "upload_params",
    } do
        check(visitor[name], nil, name)
    end
    visitor:expect "connected"
    expect({ visitor.chat_key, visitor.chat_id, visitor.visitor_id }, {
        match.is_not(first[1]), match.is_not(first[2]), match.is_not(first[3]),
    })
    expect(visitor.screen.chat, { chatHistoryWebView = match.count(0), inputTextView = { text = "" } })
    expect(last(desk).values, match.equals { reference = "1815" })
    visitor:end_session()
end)

scenario("a transcript goes to whoever asked last, once, and nobody else", { tags = { "transcript" } }, function(t)
    local visitor, sam, desk = beginnings.greeted(t, { external = { first_name = "Ada" } })
    visitor:email_history "nobody"
    visitor:expect("error", { code = -205, operation = "email_history" })
    visitor:email_history "one@example.com"
    visitor:expect "transcript_requested"
    visitor:email_history "two@example.com"
    visitor:expect "transcript_requested"
    visitor:say "Thanks"
    sam:expect("message", { text = "Thanks", name = "Ada" })
    expect(desk:mails(), {})
    visitor:finish()
    visitor:expect "post_chat"
    expect(desk:mails(), match.count(1))
    expect(desk:mails(), { {
        kind = "transcript", to = "two@example.com", chat_key = visitor.chat_key, body = "Sam: Good morning!\nAda: Thanks", time = match.any,
    } })
    visitor:email_history "three@example.com" -- after the end it goes at once
    visitor:expect "transcript_requested"
    visitor:email_history "three@example.com" -- and the same wish is the same mail
    visitor:expect "transcript_requested"
    expect(desk:mails(), { match.any, { to = "three@example.com" } })
    expect(desk:mails(), match.count(2))
    visitor:submit_post_chat { email = "four@example.com", overall = 2 }
    visitor:expect "ended"
    expect(desk:mails(), { match.any, match.any, { to = "four@example.com", body = match.contains "Ada: Thanks" } })
    expect(last(desk), { survey = match.equals { email = "four@example.com", overall = "2" }, values = match.equals { first_name = "Ada" } })
end)

scenario("a survey is asked only after somebody has answered, and a page that is loaded again finds its way", { tags = { "survey", "links" }, faults = timed }, function(t)
    local desk = t:server(boldchat)
    local sam, visitor = desk:agent "Sam", t:actor(boldchat, { profile = "html" })
    visitor:create_chat { skip_pre_chat = true, external = { overall = 4, email = "ada@example.com" } }
    visitor:expect "connected"
    local id = visitor.chat_id
    visitor:reload()
    visitor:expect("chat_started", { after_pre_chat = false, chat_id = id })
    visitor:expect "connected"
    sam:accept(visitor)
    visitor:expect "accepted"
    sam:say "Before"
    visitor:expect("message", { text = "Before" })
    visitor:reload()
    visitor:expect "chat_started"
    visitor:expect "connected"
    sam:say "After"
    visitor:expect("message", { text = "After" })
    expect(visitor.screen.chat.chatHistoryWebView, { { text = "Before", name = "Sam" }, { text = "After", name = "Sam" } })
    expect({ visitor:events "message", visitor:events "accepted" }, { match.count(2), match.count(1) })
    expect(visitor.branding["api#chat#send"], "Send")
    desk:fail_next("resolveChatKey", "Unknown page")
    visitor:reload()
    visitor:expect("error", { operation = "reload", message = "Unknown page" })
    visitor:reload()
    visitor:expect "connected"
    desk:fail_next("startChat", "Not now")
    visitor:reload()
    visitor:expect("error", { code = -300, operation = "reload" })
    visitor:reload()
    visitor:expect "connected"
    visitor:finish()
    visitor:expect("post_chat", { form = { fields = match.has { key = "overall", value = "4" } } })
    expect(visitor.post_chat_form.fields, match.has { key = "email", value = "ada@example.com" })
    visitor:end_session()
end)

scenario("a page whose chat has ended meanwhile is over when it is loaded again", { tags = { "links" }, faults = timed }, function(t)
    local visitor, _, desk = beginnings.greeted(t, { profile = "html" })
    desk:block_sockets()
    desk:drop_socket(visitor)
    visitor:expect "disconnected"
    desk:end_chat("disconnect", visitor)
    visitor:reload()
    visitor:expect("ended", { reason = "undefined", time = match.absent })
    expect({ visitor.session_state, visitor.screen.view }, { "Finished", "end" })
end)
