-- What must not come, came.
local websocket = require "websocket"

local function connection(t)
    local server = t:server(websocket)
    local peer = server:peer "peer"
    local client = t:actor(websocket)
    client:connect()
    client:expect "connected"
    return client, peer
end

scenario("silence is broken", function(t)
    local client, peer = connection(t)
    spawn(function()
        wait "1s"
        peer:send "psst"
    end)
    client:expect_silence("2s", "frame")
end)

scenario("silence is broken by what is there already", function(t)
    local client, peer = connection(t)
    peer:send "psst"
    wait "1s"
    client:expect_silence "1s"
end)

scenario("never in a block", function(t)
    local client, peer = connection(t)
    client:never("frame", { text = "x" }, function()
        peer:send "x"
        wait "1s"
    end)
end)

scenario("never to the end", function(t)
    local client, peer = connection(t)
    client:never "frame"
    peer:send "x"
    t:allow "frame"
end)

scenario("silence of any of several events is broken", function(t)
    local client, peer = connection(t)
    peer:send "x"
    client:expect_silence("1s", any { event("frame", { text = "y" }), event("frame", { text = "x" }) })
end)
