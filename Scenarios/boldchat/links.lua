-- The event stream: sockets, long polling, heartbeats, and what the server can say about the stream itself.
local in_chat = require("beginnings").greeted

for _, profile in ipairs { "ios", "html" } do
    group("the link of the client " .. profile, function()
        scenario("is opened again when the server asks for it", { tags = { "links" } }, function(t)
            t:allow { "disconnected", "reconnected" }
            local visitor, sam, desk = in_chat(t, { profile = profile })
            wait "200ms"
            desk:send_reconnect(visitor)
            sam:say "Still here?"
            visitor:expect("message", { text = "Still here?" })
            expect(visitor.link_state, "WebSocketConnected")
            visitor:end_session()
        end)

        scenario("follows the server to another address", { tags = { "links" } }, function(t)
            t:allow { "disconnected", "reconnected" }
            local visitor, sam, desk = in_chat(t, { profile = profile })
            wait "200ms"
            desk:send_redirect(visitor)
            sam:say "Follow me"
            visitor:expect("message", { text = "Follow me" })
            visitor:say "I did"
            sam:expect("message", { text = "I did" })
            visitor:end_session()
        end)

        scenario("is over when the server closes it for good", { tags = { "links" } }, function(t)
            local visitor, _, desk = in_chat(t, { profile = profile })
            desk:send_closed(visitor)
            visitor:expect("post_chat", { reason = "timeout" }).form:submit()
            visitor:expect("ended", { reason = "timeout" })
        end)

        scenario("polls from the start where an app wants no sockets", { tags = { "links", "long_poll" } }, function(t)
            local visitor, sam = in_chat(t, { profile = profile, link = "long_poll" })
            expect(visitor.link_state, "LongPollConnected")
            visitor:typing(true)
            sam:expect("typing", { active = true })
            visitor:say "Over HTTP"
            sam:expect("message", { text = "Over HTTP" })
            sam:finish()
            visitor:expect(any { "post_chat", "chat_ended" }, { within = "5s" })
            visitor:end_session()
        end)
    end)
end

scenario("the browser window says that it reconnects, and that it is back", { tags = { "links" } }, function(t)
    local visitor, _, desk = in_chat(t, { profile = "html" })
    desk:drop_socket(visitor)
    visitor:expect "disconnected"
    expect(visitor.window_state, "ChatInactive")
    visitor:expect("reconnected", {}, { within = "8s" })
    expect(visitor.window_state, "ChatActive")
    visitor:end_session()
end)

scenario("15 seconds without a heartbeat are a disturbance in the browser", { tags = { "links" } },
    function(t)
        local visitor, _, desk = in_chat(t, { profile = "html" })
        desk:set_heartbeats(false, visitor)
        visitor:expect("disconnected", {}, { within = "20s" })
        desk:set_heartbeats(true, visitor)
        visitor:expect("reconnected", {}, { within = "10s" })
        visitor:end_session()
    end)

scenario("the ios client ends a chat without heartbeats", { tags = { "links" } }, function(t)
    local visitor, _, desk = in_chat(t, {}, { client_timeout = "3s", heartbeat_interval = "500ms" })
    desk:set_heartbeats(false, visitor)
    visitor:expect("post_chat", { reason = "timeout" }, { within = "10s" })
    visitor:end_session()
end)

scenario("heartbeats keep a silent chat alive for an hour", { tags = { "links" }, timeout = "2h", clock = "virtual" },
    function(t)
        local visitor, sam = in_chat(t, {}, { client_timeout = "60s" })
        wait "1h"
        sam:say "Are you still there?"
        visitor:expect("message", { text = "Are you still there?" })
        visitor:end_session()
    end)

scenario("a message is taken once although it was sent twice", { tags = { "links" } }, function(t)
    local visitor, sam, desk = in_chat(t)
    desk:break_next("sendMessage", "drop")
    visitor:say "Only once, please"
    visitor:expect("message_sent", { text = "Only once, please" }, { within = "8s" })
    sam:expect("message", { text = "Only once, please" })
    sam:expect_silence("500ms", "message")
    visitor:end_session()
end)

scenario("an app in the background hears what it missed when it comes back", { tags = { "links" } }, function(t)
    local visitor, sam = in_chat(t)
    visitor:suspend()
    sam:say "While you were away"
    wait "500ms"
    visitor:resume()
    visitor:expect("message", { text = "While you were away" }, { within = "8s" })
    visitor:end_session()
end)

scenario("a client that gives up at the client time-out is heard before the desk gives it up", {
        tags = { "links" }, faults = { delay = "a farewell that is late comes after the desk has given the visitor up" },
    },
    function(t)
        local visitor, sam, desk = in_chat(t, {}, { client_timeout = "2s", heartbeat_interval = "500ms" })
        desk:block_sockets()
        desk:drop_socket(visitor)
        visitor:expect("post_chat", { reason = "timeout" }, { within = "10s" })
        sam:expect("chat_ended", { reason = "visitor" })
        visitor:end_session()
    end)

scenario("an app that was away too long has lost its chat", { tags = { "links" } }, function(t)
    local visitor, _, desk = in_chat(t, {}, { client_timeout = "2s", heartbeat_interval = "500ms" })
    visitor:suspend()
    desk:set_heartbeats(false, visitor)
    wait "6s"
    visitor:resume()
    visitor:expect(any { event("post_chat", { reason = "timeout" }), event("ended", { reason = "timeout" }) })
    visitor:end_session()
end)

scenario("a page that is loaded again comes back into its chat", { tags = { "links" } }, function(t)
    local visitor, sam = in_chat(t, { profile = "html" })
    visitor:reload()
    visitor:expect "chat_started"
    visitor:expect "connected"
    sam:say "Welcome back"
    visitor:expect("message", { text = "Welcome back" })
    visitor:end_session()
end)
