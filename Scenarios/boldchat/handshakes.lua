-- Links that are hard to get and easy to lose: sockets that open badly, long polls that break, apps in the background.
local boldchat = require "boldchat"
local beginnings = require "beginnings"

-- Brings a visitor, who may lose the connection, into a chat in which an agent has said good morning.
local function in_chat(t, ...)
    t:allow { "disconnected", "reconnected" }
    return beginnings.greeted(t, ...)
end

-- Begins a chat whose socket opens but says nothing for a second.
local function opening(t, options, server, delay, times)
    local desk = t:server(boldchat, server)
    local sam, visitor = desk:agent "Sam", t:actor(boldchat, options)
    desk:delay_next("socket", delay or "1s", times)
    visitor:create_chat { skip_pre_chat = true }
    visitor:expect "chat_started"
    wait "200ms"
    expect(visitor.chat_state, "OSSStarting")
    return visitor, desk, sam
end

-- Where the desk is told what to do with the next connection, one that is lost takes that with it.
local taken = "what the desk was told to do is done to the connection that is lost"
local once = {
    cut = taken, truncate = taken, half_close = taken, delay = taken, http_429 = taken, http_500 = taken, http_503 = taken,
}

for _, profile in ipairs { "ios", "html" } do
    group("a socket that the client " .. profile .. " opens", function()
        scenario("may be lost or refused before it says a word", { tags = { "links", "faults" } }, function(t)
            local desk = t:server(boldchat)
            local visitor = t:actor(boldchat, { profile = profile })
            desk:break_next("socket", "drop", 2)
            desk:break_next("socket", "status", 2, 503)
            visitor:create_chat { skip_pre_chat = true }
            visitor:expect "connected"
            expect(visitor.link_state, "WebSocketConnected")
            visitor:end_session()
        end)

        scenario("may be closed before it says a word", { tags = { "links", "faults" }, faults = once }, function(t)
            local visitor, desk = opening(t, { profile = profile })
            desk:close_socket(visitor)
            visitor:expect "connected"
            expect(visitor.link_state, "WebSocketConnected")
            visitor:end_session()
        end)

        scenario("may be sent elsewhere before it says a word", { tags = { "links" } }, function(t)
            local visitor, desk = opening(t, { profile = profile }, nil, "1s", 2)
            desk:send_redirect(visitor)
            wait "200ms"
            desk:send_reconnect(visitor)
            visitor:expect "connected"
            visitor:end_session()
        end)

        for _, method in ipairs { "send_redirect", "send_reconnect", "close_socket" } do
            scenario("is given up after the sixth " .. method, { tags = { "links" }, faults = once }, function(t)
                local visitor, desk = opening(t, { profile = profile }, nil, "1s", 6)
                for _ = 1, 6 do
                    desk[method](desk, visitor)
                    wait "100ms"
                end
                visitor:expect "connected"
                expect(visitor.link_state, "LongPollConnected")
                visitor:end_session()
            end)
        end

        scenario("is given up after the sixth loss", { tags = { "links", "faults" } }, function(t)
            local desk = t:server(boldchat)
            local visitor = t:actor(boldchat, { profile = profile })
            desk:break_next("socket", "drop", 6)
            visitor:create_chat { skip_pre_chat = true }
            visitor:expect "connected"
            expect(visitor.link_state, "LongPollConnected")
            visitor:end_session()
        end)

        scenario("begins with nonsense, and the client polls instead", {
            tags = { "links", "faults" }, faults = once,
        }, function(t)
            local desk = t:server(boldchat, { client_timeout = "2s", heartbeat_interval = "500ms" })
            local visitor = t:actor(boldchat, { profile = profile })
            desk:break_next("socket", "malformed")
            visitor:create_chat { skip_pre_chat = true }
            visitor:expect("error", { code = -102, domain = "BCOSSWebSocket", message = match.contains "over the socket" })
            visitor:expect("connected", {}, { within = "4s" })
            expect(visitor.link_state, "LongPollConnected")
            visitor:end_session()
        end)

        scenario("may be reset before it says a word", { tags = { "links" }, faults = once }, function(t)
            local visitor, desk, sam = opening(t, { profile = profile })
            desk:send_reset(visitor)
            visitor:expect "connected"
            sam:accept(visitor)
            visitor:expect "accepted"
            visitor:end_session()
        end)

        scenario("may be closed for good before it says a word", { tags = { "links" }, faults = once }, function(t)
            local visitor, desk = opening(t, { profile = profile })
            desk:send_closed(visitor)
            visitor:expect("ended", { reason = "timeout" })
        end)

        for _, reason in ipairs { "disconnect", "unknown" } do
            scenario("may begin with an end for the reason " .. reason, { tags = { "links" }, faults = once }, function(t)
                local visitor, desk = opening(t, { profile = profile })
                local values = { Ended = "2024-01-01T00:00:00.000Z", EndedReason = reason }
                desk:send_text(json.encode { method = "updateChat", params = { { Values = values } } }, visitor)
                visitor:expect("ended", { reason = "timeout" })
            end)
        end

        scenario("may begin with the agent's end, which is the visitor's once the visitor finishes", { tags = { "links" }, faults = once }, function(t)
            local visitor, desk = opening(t, { profile = profile })
            local values = { Ended = "2024-01-01T00:00:00.000Z", EndedReason = "operator" }
            desk:send_text(json.encode { method = "updateChat", params = { { Values = values } } }, visitor)
            wait "100ms"
            expect({ visitor.session_state, visitor.chat_state, visitor.link_state }, { "Chatting", "OSSStarting", "Idle" })
            visitor:finish()
            visitor:expect("ended", { reason = "visitor" })
        end)

        scenario("is not needed to leave the queue or the chat", { tags = { "links", "queue" }, faults = once }, function(t)
            local visitor, desk = opening(t, { profile = profile })
            visitor:cancel_chat()
            visitor:expect("unavailable", { reason = "unknown" })
            expect(visitor.link_state, "Idle")
            visitor:end_session()
            desk:delay_next("socket", "1s")
            visitor:create_chat { skip_pre_chat = true }
            visitor:expect "chat_started"
            wait "200ms"
            visitor:finish()
            visitor:expect("ended", { reason = "visitor" })
        end)

        local later = "a connection that is lost in another way is opened again only after five seconds"
        scenario("may be closed in good order and is opened again", {
            tags = { "links" },
            faults = {
                cut = later, truncate = later, half_close = later, delay = later, http_429 = later, http_500 = later,
                http_503 = later, refuse = later, one_byte = later, reorder = later,
            },
        }, function(t)
            local visitor, sam, desk = in_chat(t, { profile = profile })
            wait "200ms"
            desk:close_socket(visitor)
            wait "200ms"
            expect(visitor.link_state, "WebSocketConnected")
            sam:say "Still here?"
            visitor:expect("message", { text = "Still here?" })
            visitor:end_session()
        end)

        for _, how in ipairs { "drop", "status", "malformed" } do
            scenario("may break at its greeting: " .. how, { tags = { "links", "faults" }, faults = once }, function(t)
                t:allow { "disconnected", "reconnected" }
                local desk = t:server(boldchat, { client_timeout = "3s", heartbeat_interval = "500ms" })
                local visitor = t:actor(boldchat, { profile = profile })
                desk:break_next("connect", how)
                visitor:create_chat { skip_pre_chat = true }
                visitor:expect "connected"
                if how == "malformed" then
                    visitor:expect("error", { code = -102, domain = "BCOSSWebSocket" })
                end
                if how == "drop" then
                    visitor:expect_silence("1s", "error")
                else -- Without its greeting the stream stays silent.
                    visitor:expect("ended", { reason = "timeout" }, { within = "5s" })
                end
                visitor:end_session()
            end)
        end
    end)

    group("a long poll of the client " .. profile, function()
        scenario("that fails where sockets fail too is the end of the chat", { tags = { "links", "long_poll", "errors" } },
            function(t)
                local desk = t:server(boldchat)
                desk:block_sockets()
                desk:break_next("poll", "status", 1, 502)
                local visitor = t:actor(boldchat, { profile = profile })
                visitor:create_chat { skip_pre_chat = true }
                visitor:expect("error", { code = -303, domain = "BCChat", operation = "connect" })
                if profile == "html" then visitor:expect("ended", { reason = "error" }) end
                expect(visitor.chat_state, profile == "ios" and "Error" or match.any)
                expect(visitor.link_state, "Idle")
                visitor:end_session()
            end)

        for _, fault in ipairs { "malformed", "drop", "refusal" } do
            scenario("that breaks at first is an error: " .. fault, { tags = { "long_poll", "errors" } }, function(t)
                local desk = t:server(boldchat)
                if fault == "refusal" then desk:fail_next("poll", "Not now") else desk:break_next("poll", fault, 3) end
                local visitor = t:actor(boldchat, { profile = profile, link = "long_poll" })
                visitor:create_chat { skip_pre_chat = true }
                visitor:expect("error", { code = -303 })
                if profile == "html" then visitor:expect("ended", { reason = "error" }) end
                visitor:end_session()
            end)

            scenario("that breaks later is made again: " .. fault, { tags = { "long_poll", "faults" } }, function(t)
                local visitor, sam, desk = in_chat(t, { profile = profile, link = "long_poll" })
                if fault == "refusal" then desk:fail_next("poll", "Not now") else desk:break_next("poll", fault) end
                sam:say "Are you there?" -- Answers the poll that is held; the next one breaks.
                visitor:expect("message", { text = "Are you there?" })
                sam:say "Hello?"
                visitor:expect("message", { text = "Hello?" }, { within = "8s" })
                expect(visitor.link_state, "LongPollConnected")
                visitor:end_session()
            end)
        end

        scenario("that nobody answers is the end of the chat", { tags = { "long_poll", "errors" } }, function(t)
            local desk = t:server(boldchat, { client_timeout = "1s" })
            desk:delay_next("poll", "1h")
            local visitor = t:actor(boldchat, { profile = profile, link = "long_poll" })
            visitor:create_chat { skip_pre_chat = true }
            visitor:expect("error", { code = -303 }, { within = "3s" })
            if profile == "html" then visitor:expect("ended", { reason = "error" }) end
            visitor:end_session()
        end)

        scenario("that stops being answered times out", { tags = { "long_poll" } }, function(t)
            local visitor, _, desk = in_chat(t, { profile = profile, link = "long_poll" }, { client_timeout = "2s" })
            desk:drop_socket(visitor)
            visitor:expect("post_chat", { reason = "timeout" }, { within = "5s" })
            visitor:end_session()
        end)

        scenario("may bring the end at once", { tags = { "long_poll" } }, function(t)
            local desk = t:server(boldchat)
            desk:delay_next("poll", "1s")
            local visitor = t:actor(boldchat, { profile = profile, link = "long_poll" })
            visitor:create_chat { skip_pre_chat = true }
            visitor:expect "chat_started"
            desk:end_chat("unknown", visitor)
            visitor:expect("ended", { reason = "timeout" })
        end)

        scenario("need not be there to leave", { tags = { "long_poll" } }, function(t)
            local desk = t:server(boldchat)
            desk:delay_next("poll", "1s")
            local visitor = t:actor(boldchat, { profile = profile, link = "long_poll" })
            visitor:create_chat { skip_pre_chat = true }
            visitor:expect "chat_started"
            wait "200ms"
            visitor:end_session()
            visitor:expect_silence "2s"
        end)
    end)

    local background = { tags = { "links", "background" } }
    local short = { client_timeout = "2s", heartbeat_interval = "500ms" }
    group("in the background the client " .. profile, function()
        scenario("loses its socket and opens it on return", background, function(t)
            local visitor, sam, desk = in_chat(t, { profile = profile })
            visitor:suspend()
            desk:drop_socket(visitor)
            wait "10s"
            sam:say "Welcome back"
            visitor:resume()
            visitor:expect("message", { text = "Welcome back" })
            visitor:end_session()
        end)

        scenario("loses its socket, and on return its chat", background, function(t)
            local visitor, _, desk = in_chat(t, { profile = profile }, short)
            visitor:suspend()
            desk:drop_socket(visitor)
            wait "6s"
            visitor:resume()
            visitor:expect(any { event("post_chat", { reason = "timeout" }), event("ended", { reason = "timeout" }) })
            visitor:end_session()
        end)

        scenario("loses its poll and polls on return", background, function(t)
            local visitor, sam, desk = in_chat(t, { profile = profile, link = "long_poll" })
            visitor:suspend()
            desk:drop_socket(visitor)
            wait "10s"
            sam:say "Welcome back"
            visitor:resume()
            visitor:expect("message", { text = "Welcome back" })
            visitor:end_session()
        end)

        scenario("loses its polls, and on return its chat", background, function(t)
            local visitor, _, desk = in_chat(t, { profile = profile, link = "long_poll" }, short)
            visitor:suspend()
            desk:drop_socket(visitor)
            wait "6s"
            visitor:resume()
            visitor:expect(any { event("post_chat", { reason = "timeout" }), event("ended", { reason = "timeout" }) })
            visitor:end_session()
        end)

        scenario("waits for its first poll too long", background, function(t)
            local desk = t:server(boldchat, short)
            desk:delay_next("poll", "1h")
            local visitor = t:actor(boldchat, { profile = profile, link = "long_poll" })
            visitor:create_chat { skip_pre_chat = true }
            visitor:expect "chat_started"
            visitor:suspend()
            wait "4s"
            visitor:resume()
            visitor:expect("ended", { reason = "timeout" })
        end)
    end)
end

scenario("a message over long polling is sent again when nobody answers", { tags = { "long_poll", "faults" } }, function(t)
    local visitor, sam, desk = in_chat(t, { link = "long_poll" })
    desk:break_next("sendMessage", "drop", 16)
    visitor:say "Only once, please"
    visitor:expect("call_repeated", { call = "sendMessage", code = -101 })
    visitor:expect("message_sent", { text = "Only once, please" }, { within = "8s" })
    sam:expect("message", { text = "Only once, please" })
    sam:expect_silence("500ms", "message")
    visitor:end_session()
end)
