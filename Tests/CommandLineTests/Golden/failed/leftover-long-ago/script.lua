-- What nobody expected is in the timeline, however much came after it.
local websocket = require "websocket"

scenario("a stray frame before many others", function(t)
    local peer = t:server(websocket):peer "peer"
    local client = t:actor(websocket)
    client:connect()
    client:expect "connected"
    peer:send "stray"
    for number = 1, 40 do
        peer:send("number " .. number)
        client:expect("frame", { text = "number " .. number })
    end
end)
