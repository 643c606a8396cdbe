-- How a conversation that differs from the stored one is shown.
local websocket = require "websocket"

local function talk(t, ...)
    local server = t:server(websocket)
    local peer = server:peer "peer"
    local visitor = t:actor(websocket, { name = "visitor" })
    visitor:connect()
    peer:expect "connected"
    for _, text in ipairs { ... } do peer:send(text) end
    return visitor
end

scenario("a text that changed", function(t)
    talk(t, "Hello", "Order 4711 left today.", "Bye"):expect_transcript("order", { within = "1s" })
end)
scenario("a message too many and one missing", function(t)
    talk(t, "Hello", "Are you still there?", "Order 4711 left yesterday."):expect_transcript("order", { within = "1s" })
end)
scenario("no transcript yet", function(t)
    talk(t, "Hello")
    expect_transcript "another"
end)
