-- What differs is marked, and long texts are shown around it.
local websocket = require "websocket"

local function connection(t)
    local peer = t:server(websocket):peer "peer"
    local client = t:actor(websocket)
    client:connect()
    client:expect "connected"
    return client, peer
end

scenario("one character", function(t)
    local client, peer = connection(t)
    peer:send "Your order A-1O01 is on its way"
    client:expect("frame", { text = "Your order A-1001 is on its way" }, { within = "1s" })
end)

scenario("words that are missing, and words too many", function(t)
    local client, peer = connection(t)
    peer:send "Good evening, Ada! How can I help?"
    client:expect("frame", { text = "Good evening! How can I help you?" }, { within = "1s" })
end)

scenario("a long frame", function(t)
    local client, peer = connection(t)
    local head = "<message xmlns='jabber:client' type='groupchat' from='room@chat.example/Sam' id='r9e4'>"
    peer:send(head .. "<body>Your order is on its way</body></message>")
    client:expect("frame", { text = head .. "<body>Your order is on the way</body></message>" }, { within = "1s" })
end)

scenario("an allowed ping is never the nearest", { allow = { "frame" } }, function(t)
    local client, peer = connection(t)
    peer:send_json { type = "ping" }
    client:expect("frame", { json = { type = "message" } }, { within = "1s" })
end)

scenario("a frame of JSON is shown once", function(t)
    local client, peer = connection(t)
    peer:send_json { type = "queue", position = 3 }
    client:expect("frame", { json = { type = "queue", position = 2 } }, { within = "1s" })
end)
