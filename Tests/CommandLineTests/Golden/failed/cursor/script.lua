-- Expectations are ordered: what came before the last event that was taken is passed over.
local websocket = require "websocket"

local function connection(t)
    local server = t:server(websocket)
    local peer = server:peer "peer"
    local client = t:actor(websocket)
    client:connect()
    client:expect "connected"
    return client, peer
end

scenario("one after the other, the wrong way round", function(t)
    local client, peer = connection(t)
    peer:send "first"
    peer:send "second"
    client:expect("frame", { text = "second" })
    client:expect("frame", { text = "first" }, { within = "1s" })
end)

scenario("one event does not satisfy two expectations", function(t)
    local client, peer = connection(t)
    peer:send "once"
    client:expect("frame", { text = "once" })
    client:expect("frame", { text = "once" }, { within = "1s" })
end)

scenario("all wants as many events as it has members", function(t)
    local client, peer = connection(t)
    peer:send "once"
    client:expect(all { event("frame", { text = "once" }), event("frame", { text = "once" }) }, { within = "1s" })
end)
