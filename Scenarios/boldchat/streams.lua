-- The event stream in detail: which connection counts, what is sent again, what rests in the background, what polls do.
local boldchat = require "boldchat"
local beginnings = require "beginnings"

-- A fault that breaks a connection, or keeps an answer back, changes when the stream is where.
local own = "it breaks and times its connections itself"
local timed = {
    cut = own, truncate = own, half_close = own, refuse = own, one_byte = own, delay = own, duplicate = own, reorder = own,
    http_429 = own, http_500 = own, http_503 = own, malformed_json = own, clock_jump = own,
}

local function texts(events)
    local found = {}
    for place, event in ipairs(events) do found[place] = event.text end
    return found
end

for _, profile in ipairs { "ios", "html" } do
    group("the stream of the client " .. profile, function()
        scenario("goes on at the address that the server named last", { tags = { "links" }, faults = timed }, function(t)
            t:allow { "disconnected", "reconnected" }
            local visitor, sam, desk = beginnings.greeted(t, { profile = profile })
            wait "200ms"
            desk:send_event("redirect", { WebSocketURL = "ws://nowhere.invalid/" }, visitor)
            wait "1s"
            expect(visitor.link_state, "WebSocketConnecting")
            sam:say "Where are you?"
            visitor:expect_silence("12s", "message")
            visitor:end_session()
            expect(visitor.link_state, "Idle")
        end)

        scenario("is silent while nothing answers, and brings all that was missed once", { tags = { "links" }, faults = timed }, function(t)
            t:allow { "disconnected", "reconnected" }
            local visitor, sam, desk = beginnings.greeted(t, { profile = profile })
            desk:block_sockets()
            desk:drop_socket(visitor)
            sam:say "One"
            wait "1s"
            visitor:say "Mine"
            expect(visitor.link_state, "WebSocketConnecting")
            expect(desk:chats(), { { connected = false } })
            sam:say "Two"
            wait "11s"
            expect(texts(visitor:events "message"), { "Good morning!" })
            desk:block_sockets(false)
            visitor:expect("message", { text = "One" }, { within = "6s" })
            visitor:expect("message", { text = "Two" })
            visitor:expect("message_sent", { text = "Mine" })
            sam:expect("message", { text = "Mine" })
            expect(texts(visitor:events("message")), { "Good morning!", "One", "Two", "Mine" })
            expect({ sam:events "message", visitor.link_state }, { match.count(1), "WebSocketConnected" })
            expect(desk:chats(), { { connected = true } })
            visitor:end_session()
        end)

        scenario("is opened again after five seconds where it broke, and at once where it was closed", { tags = { "links" }, faults = timed, timeout = "1m" }, function(t)
            t:allow { "disconnected", "reconnected" }
            local visitor, _, desk = beginnings.greeted(t, { profile = profile })
            wait "200ms"
            desk:drop_socket(visitor)
            wait "4500ms"
            expect(visitor.link_state, "WebSocketConnecting")
            wait "700ms"
            expect(visitor.link_state, "WebSocketConnected")
            for _, how in ipairs { "close_socket", "send_reconnect", "send_redirect" } do
                wait "300ms"
                desk[how](desk, visitor)
                wait "200ms"
                check(visitor.link_state, "WebSocketConnected", how)
            end
            expect(visitor:events "disconnected", match.count(profile == "html" and 4 or 0))
            expect(visitor:events "reconnected", match.count(profile == "html" and 4 or 0))
            visitor:end_session()
        end)

        scenario("ends the chat when nothing is heard for the client time-out, and not before", { tags = { "links" }, faults = timed, timeout = "1m" }, function(t)
            t:allow { "disconnected", "reconnected" }
            local visitor, sam, desk = beginnings.greeted(t, { profile = profile }, { client_timeout = "8s", heartbeat_interval = "2s" })
            visitor:expect_silence("12s", any { "post_chat", "ended" }) -- heartbeats are signs of life
            desk:set_heartbeats(false, visitor)
            visitor:expect_silence("5s", any { "post_chat", "ended" })
            visitor:expect("post_chat", { reason = "timeout" }, { within = "4s" })
            sam:expect("chat_ended", { reason = "visitor" })
            expect(visitor.link_state, "Idle")
            visitor:end_session()
        end)

        scenario("rests in the background, and the time-out with it until the return", { tags = { "links", "background" }, faults = timed, timeout = "1m" }, function(t)
            t:allow { "disconnected", "reconnected" }
            local visitor, sam, desk = beginnings.greeted(t, { profile = profile }, { client_timeout = "8s", heartbeat_interval = "2s" })
            desk:set_heartbeats(false, visitor)
            wait "1s"
            visitor:suspend()
            wait "5s"
            visitor:resume()
            sam:say "Back?"
            visitor:expect("message", { text = "Back?" })
            expect(visitor.session_state, "Chatting")
            visitor:expect_silence("1s", "post_chat")
            visitor:expect("post_chat", { reason = "timeout" }, { within = "8s" })
            visitor:end_session()
        end)

        scenario("may be closed or lost in the background, and is open after it", { tags = { "links", "background" }, faults = timed, timeout = "1m" }, function(t)
            t:allow { "disconnected", "reconnected" }
            local visitor, sam, desk = beginnings.greeted(t, { profile = profile })
            for _, how in ipairs { "close_socket", "drop_socket", "send_reconnect" } do
                wait "200ms"
                visitor:suspend()
                desk[how](desk, visitor)
                wait "1s"
                check(visitor.link_state, "WebSocketConnecting", how)
                visitor:resume()
                sam:say(how)
                visitor:expect("message", { text = how })
                check(visitor.link_state, "WebSocketConnected", how)
            end
            visitor:end_session()
        end)

        scenario("of a chat that is over says nothing more", { tags = { "links" }, faults = timed }, function(t)
            local visitor, sam, desk = beginnings.greeted(t, { profile = profile })
            desk:end_chat("unknown", visitor)
            visitor:expect("post_chat", { reason = "timeout" })
            expect(visitor.link_state, "Idle")
            for _, act in ipairs { "send_reset", "send_closed", "send_reconnect", "drop_socket", "push_auto_message" } do
                if act == "push_auto_message" then desk[act](desk, "?", visitor) else desk[act](desk, visitor) end
            end
            visitor:expect_silence("1s", any { "auto_message", "ended", "error" })
            expect({ visitor.session_state, visitor.link_state }, { "PostChatForm", "Idle" })
            expect(desk:chats(), { { connected = false } })
            visitor:end_session()
            sam:expect "chat_ended"
        end)

        scenario("sends one call after the other, each when the one before is answered", { tags = { "links", "messages" }, faults = timed }, function(t)
            local visitor, sam, desk = beginnings.greeted(t, { profile = profile })
            desk:delay_next("sendMessage", "500ms", 2)
            visitor:say "One"
            visitor:say "Two"
            visitor:typing()
            wait "100ms"
            expect(texts(sam:events "message"), { "One" })
            visitor:expect("message_sent", { text = "One" })
            wait "100ms"
            sam:expect("message", { text = "One" })
            sam:expect("message", { text = "Two" })
            expect(sam:events "typing", {})
            visitor:expect("message_sent", { text = "Two" })
            visitor:expect("typing_sent", { active = true })
            sam:expect("typing", { active = true })
            visitor:end_session()
        end)

        scenario("over polls brings and takes all that a socket does", { tags = { "links", "long_poll" }, faults = timed }, function(t)
            local visitor, sam, desk = beginnings.greeted(t, { profile = profile, link = "long_poll" })
            sam:typing()
            visitor:expect("typing", { active = true })
            for number = 1, 3 do
                sam:say("Word " .. number)
                visitor:expect("message", { text = "Word " .. number })
                visitor:say("Answer " .. number)
                visitor:expect("message_sent", { text = "Answer " .. number })
                sam:expect("message", { text = "Answer " .. number })
            end
            desk:send_redirect(visitor)
            desk:send_reconnect(visitor)
            wait "6s"
            sam:say "There?"
            visitor:expect("message", { text = "There?" }, { within = "6s" })
            expect(visitor.link_state, "LongPollConnected")
            desk:send_event("heartbeat", {}, visitor)
            desk:send_event("connect", {}, visitor)
            sam:say "Still?"
            visitor:expect("message", { text = "Still?" }, { within = "6s" })
            expect(texts(sam:events "message"), { "Answer 1", "Answer 2", "Answer 3" })
            desk:send_reset(visitor)
            visitor:say "Again"
            sam:expect("message", { text = "Again" }, { within = "6s" })
            wait "6s"
            desk:send_closed(visitor)
            visitor:expect("post_chat", { reason = "timeout" }, { within = "6s" })
            expect(visitor.link_state, "Idle")
            visitor:end_session()
        end)

        scenario("over polls tells what it cannot read and goes on", { tags = { "links", "long_poll", "faults" }, faults = timed }, function(t)
            t:allow { "disconnected" } -- no poll brings a heartbeat
            local visitor, sam, desk = beginnings.greeted(t, { profile = profile, link = "long_poll" })
            wait "200ms"
            desk:break_next("poll", "malformed")
            sam:say "One"
            visitor:expect("message", { text = "One" })
            wait "100ms"
            expect(visitor.link_state, "LongPollConnected")
            sam:say "Two"
            visitor:expect_silence("4s", "message")
            visitor:expect("message", { text = "Two" }, { within = "3s" })
            desk:break_next("sendMessage", "malformed", profile == "ios" and 16 or 1)
            visitor:say "Mine"
            visitor:expect("message_sent", { text = "Mine" }, { within = "50s" })
            expect(texts(sam:events "message"), { "Mine" })
            visitor:end_session()
        end)
    end)
end

scenario("a browser that hears nothing for fifteen seconds says so once, until it hears again", { tags = { "links" }, faults = timed, timeout = "2m" }, function(t)
    local visitor, sam, desk = beginnings.greeted(t, { profile = "html" })
    wait "6s"
    desk:set_heartbeats(false, visitor)
    visitor:expect("disconnected", {}, { within = "16s" })
    expect({ visitor.window_state, visitor.screen.chat.status, visitor.screen.chat.inputTextView }, { "ChatInactive", "Connecting again…" })
    wait "20s"
    expect(visitor:events "disconnected", match.count(1))
    sam:say "A word is no heartbeat"
    visitor:expect "message"
    expect(visitor.window_state, "ChatInactive")
    desk:set_heartbeats(true, visitor)
    visitor:expect("reconnected", {}, { within = "6s" })
    expect({ visitor.window_state, visitor.screen.chat.sendButton }, { "ChatActive", "Send" })
    wait "20s"
    expect({ visitor:events "disconnected", visitor:events "reconnected" }, { match.count(1), match.count(1) })
    visitor:end_session()
end)

scenario("a second window of the same chat replaces the socket of the first", { tags = { "links" }, faults = timed }, function(t)
    t:allow { "disconnected", "reconnected" }
    local visitor, sam, desk = beginnings.greeted(t, { profile = "html" })
    wait "200ms"
    visitor:reload()
    visitor:expect "connected"
    wait "6s"
    sam:say "Once"
    visitor:expect("message", { text = "Once" })
    expect({ visitor:events "disconnected", texts(visitor:events "message") }, { {}, { "Good morning!", "Once" } })
    expect(desk:chats(), { { connected = true } })
    visitor:end_session()
end)

scenario("a visitor who is lost is gone after the client time-out, whether socket, poll or nothing was there", { tags = { "links" }, faults = timed, timeout = "2m" }, function(t)
    local desk = t:server(boldchat, { client_timeout = "4s", heartbeat_interval = "1s" })
    local sam = desk:agent "Sam"
    for _, options in ipairs { {}, { link = "long_poll" } } do
        local visitor = t:actor(boldchat, options)
        visitor:create_chat { skip_pre_chat = true }
        visitor:expect "connected"
        sam:accept(visitor)
        sam:say("Hello", visitor)
        visitor:expect "message"
        visitor:suspend()
        wait "100ms"
        desk:drop_socket(visitor)
        sam:expect_silence("3500ms", "chat_ended")
        sam:expect("chat_ended", { reason = "disconnect" }, { within = t.clock == "virtual" and "1200ms" or "10s" })
        visitor:resume()
        visitor:expect(any { event("post_chat", { reason = "timeout" }), event("ended", { reason = "timeout" }) }, { within = "20s" })
        visitor:end_session()
    end
end)

scenario("a visitor who is lost is not given up where the desk gives no time for it", {
    tags = { "links" }, faults = timed, clock = "virtual", timeout = "10m",
}, function(t)
    local desk = t:server(boldchat, { client_timeout = 0 })
    local sam, visitor = desk:agent "Sam", t:actor(boldchat)
    visitor:create_chat { skip_pre_chat = true }
    visitor:expect "connected"
    sam:accept(visitor)
    visitor:expect "accepted"
    desk:block_sockets()
    desk:drop_socket(visitor)
    wait "400s"
    expect({ sam:events "chat_ended", desk:chats() }, { {}, { { state = "answered", connected = false } } })
    desk:block_sockets(false)
    sam:say "Still there?"
    visitor:expect("message", { text = "Still there?" })
    visitor:end_session()
end)
