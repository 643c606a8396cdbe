-- A conversation that is as it is stored, where it is stored: gaps, fields left out, and masks for what varies.
local websocket = require "websocket"

scenario("an order", function(t)
    local server = t:server(websocket)
    local peer = server:peer "peer"
    local visitor = t:actor(websocket, { name = "visitor" })
    visitor:connect()
    peer:expect "connected"
    peer:send "Hello"
    peer:send "One moment please"
    peer:send(("Order %d left on %s, ticket %s"):format(random.integer(1000, 9999), "2026-03-01", random.uuid()))
    visitor:expect_transcript "order"
end)
