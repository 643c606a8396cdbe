-- The buttons of a card are asked for by their labels, or as match.button asks for those of a message.
local websocket = require "websocket"

scenario("a button of a card", function(t)
    local server = t:server(websocket)
    local peer = server:peer "peer"
    local client = t:actor(websocket)
    client:connect()
    client:expect "connected"
    peer:expect "connected"
    peer:send_json { cards = { { title = "Funghi", buttons = { { label = "Order", url = "https://a.test/7" } } } } }
    client:expect("frame", match.card { buttons = { match.button { label = "Order", url = match.contains "/7" } } })
    peer:send_json { cards = { { title = "Funghi", buttons = { { label = "Order" } } } } }
    client:expect("frame", match.card { title = "Funghi", buttons = { match.button(match.glob "Or*") } })
end)
