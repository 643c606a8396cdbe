-- Any WebSocket server: frames out, frames in, close codes.
local websocket = require "websocket"

-- A frame is a frame, whether it is JSON or not, so nothing tells the script that waits for JSON.
local faults = { malformed_json = "a text frame need not be JSON" }

scenario("an echo comes back as text, as JSON and as bytes", {
    tags = { "smoke", "websocket" }, faults = faults,
}, function(t)
    t:server(websocket, { echo = true })
    local client = t:actor(websocket, { path = "/chat" })
    client:connect()
    client:expect "connected"

    client:send "hello"
    client:expect("frame", { type = "text", text = "hello" })
    client:send_json { type = "say", text = "hi", tags = { "a", "b" } }
    client:expect("frame", { json = match.path("$.tags[1]", "b") })
    client:send_binary "AAEC/w=="
    client:expect("frame", { type = "binary", bytes = "AAEC/w==", size = 4 })

    client:close()
    client:expect("disconnected", { code = 1000, clean = true })
end)

scenario("the handshake carries headers, query and sub-protocol", { tags = { "websocket" } }, function(t)
    local server = t:server(websocket, { subprotocols = { "chat.v2" } })
    local peer = server:peer "peer"
    local client = t:actor(websocket, {
        path = "/rooms/1",
        query = { token = "a b" },
        headers = { ["X-Tenant"] = "acme" },
        subprotocols = { "chat.v1", "chat.v2" },
    })
    client:connect()
    client:expect("connected", { subprotocol = "chat.v2" })
    peer:expect("connected", { path = "/rooms/1", query = { token = "a b" }, headers = { ["x-tenant"] = "acme" } })
    client:close()
    client:expect "disconnected"
end)

-- A client with these options, and the other end of its connection, which a script plays.
local function connected(t, options)
    local peer = t:server(websocket):peer "peer"
    local client = t:actor(websocket, options)
    client:connect()
    client:expect("connected", { subprotocol = match.absent })
    peer:expect("connected", { subprotocol = match.absent })
    return client, peer
end

scenario("close codes of the server are events", { tags = { "websocket" } }, function(t)
    local client, peer = connected(t)
    peer:close(4001, "session expired")
    client:expect("disconnected", { code = 4001, reason = "session expired", clean = true })
end)

scenario("a dropped connection is not a clean end", { tags = { "websocket" } }, function(t)
    local client, peer = connected(t)
    peer:drop()
    client:expect("disconnected", { code = 1006, clean = false })
end)

scenario("a server that refuses says with which status", { tags = { "websocket" } }, function(t)
    t:server(websocket, { refuse = 403 })
    local client = t:actor(websocket)
    client:connect()
    client:expect("error", { code = "upgrade_refused", status = 403 })
end)

scenario("bytes that are no frames end the connection, and the event says why", { tags = { "websocket" } }, function(t)
    local client, peer = connected(t)
    peer:send_bytes "//////////8="
    client:expect("disconnected", { code = 1006, reason = match.contains "broke the protocol" })
end)

scenario("messages that nobody looks at are only counted", { tags = { "websocket", "load" } }, function(t)
    local client, peer = connected(t, { counts = true })
    for _ = 1, 3 do peer:send "hello" end
    peer:send_binary "AAEC/w=="
    peer:close(1000)
    client:expect("disconnected", { code = 1000 })
    expect(client.frames, 4)
    expect(client.bytes, 19)
end)
