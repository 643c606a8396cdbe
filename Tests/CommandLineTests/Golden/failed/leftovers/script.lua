-- Events that nothing expected.
local websocket = require "websocket"

local function connection(t)
    local server = t:server(websocket)
    local peer = server:peer "peer"
    local client = t:actor(websocket)
    client:connect()
    client:expect "connected"
    return client, peer
end

scenario("two are left over", function(t)
    local client, peer = connection(t)
    peer:send "one"
    peer:send "two"
    peer:send "three"
    client:expect("frame", { text = "one" })
end)

scenario("one comes while the scenario ends", function(t)
    local _, peer = connection(t)
    peer:send "late"
end)

scenario("skipped over is left over", function(t)
    local client, peer = connection(t)
    peer:send "one"
    peer:send "two"
    client:expect("frame", { text = "two" })
end)
