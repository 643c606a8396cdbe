-- What must not come.
local websocket = require "websocket"

local function connection(t)
    local server = t:server(websocket)
    local peer = server:peer "peer"
    local client = t:actor(websocket)
    client:connect()
    client:expect "connected"
    return client, peer
end

scenario("silence holds for its time", function(t)
    local client, peer = connection(t)
    client:expect_silence "2s"
    expect(now(), match.near(2, 0.01))
    client:expect_silence("1s", "frame", { text = "b" })
    peer:send "a"
    client:expect_silence("1s", "frame", { text = "b" })
    client:expect("frame", { text = "a" })
end)

scenario("never stands for a block only", function(t)
    local client, peer = connection(t)
    local result = client:never("frame", { text = "x" }, function()
        peer:send "a"
        client:expect("frame", { text = "a" })
        return "done"
    end)
    expect(result, "done")
    peer:send "x"
    client:expect("frame", { text = "x" })
end)

scenario("never without a block stands to the end", function(t)
    local client, peer = connection(t)
    client:never("frame", { text = "x" })
    peer:send "a"
    client:expect "frame"
end)

scenario("silence and never take any of several events", function(t)
    local client, peer = connection(t)
    client:never(any { "error", event("frame", { text = "x" }) })
    peer:send "a"
    client:expect_silence("1s", any { "error", event("frame", { text = "b" }) })
    client:expect("frame", { text = "a" })
end)
