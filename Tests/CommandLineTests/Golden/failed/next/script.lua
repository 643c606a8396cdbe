-- expect_next allows nothing in between.
local websocket = require "websocket"

local function connection(t)
    local server = t:server(websocket)
    local peer = server:peer "peer"
    local client = t:actor(websocket)
    client:connect()
    client:expect "connected"
    return client, peer
end

scenario("something came first", function(t)
    local client, peer = connection(t)
    peer:send "uninvited"
    peer:send "wanted"
    client:expect_next("frame", { text = "wanted" })
end)

scenario("seq with something in between", function(t)
    local client, peer = connection(t)
    peer:send "a"
    peer:send "x"
    peer:send "b"
    client:expect_next(seq { event("frame", { text = "a" }), event("frame", { text = "b" }) })
end)
