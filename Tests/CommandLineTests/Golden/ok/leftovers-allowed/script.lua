-- Events that nothing expects fail a scenario, unless they are allowed.
local websocket = require "websocket"

local function connection(t)
    local server = t:server(websocket)
    local peer = server:peer "peer"
    local client = t:actor(websocket)
    client:connect()
    client:expect "connected"
    return client, peer
end

scenario("by an option", { allow = { "frame" } }, function(t)
    local _, peer = connection(t)
    peer:send "nobody asked"
end)

scenario("by t:allow, before the event", function(t)
    local _, peer = connection(t)
    t:allow "frame"
    peer:send "nobody asked"
end)

scenario("by t:allow with fields, after the event", function(t)
    local _, peer = connection(t)
    peer:send "nobody asked"
    wait "1s"
    t:allow("frame", { text = match.contains "nobody" })
end)

scenario("a list of names", function(t)
    local _, peer = connection(t)
    t:allow { "frame", "disconnected" }
    peer:send "nobody asked"
    peer:close(4000)
end)
