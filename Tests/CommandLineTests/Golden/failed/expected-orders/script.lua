-- What was still awaited of an order that came only in part.
local websocket = require "websocket"

local function connection(t)
    local server = t:server(websocket)
    local peer = server:peer "peer"
    local client = t:actor(websocket)
    client:connect()
    client:expect "connected"
    return client, peer
end

local function frame(text) return event("frame", { text = text }) end

local function sent(t, ...)
    local client, peer = connection(t)
    for _, text in ipairs { ... } do peer:send(text) end
    return client
end

scenario("all", function(t) sent(t, "a"):expect(all { frame "a", frame "b", frame "c" }, { within = "1s" }) end)
scenario("seq", function(t) sent(t, "b", "a"):expect(seq { frame "a", frame "b" }, { within = "1s" }) end)
scenario("any", function(t) sent(t, "c"):expect(any { frame "a", frame "b" }, { within = "1s" }) end)
scenario("interleave", function(t)
    sent(t, "a1", "b2", "b1"):expect(
        interleave { seq { frame "a1", frame "a2" }, seq { frame "b1", frame "b2" } }, { within = "1s" })
end)
