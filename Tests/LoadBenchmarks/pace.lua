-- The work of `scripts/bench load` at half load: each user sends a JSON message, reads the echo, waits, sends the next one.
local websocket = require "websocket"

local pause = tonumber(env "PAUSE")

scenario("pace", { timeout = "10m" }, function(t)
    local user = t:actor(websocket)
    user:connect()
    user:expect "connected"
    wait(random.number(0, pause))
    local seq = 0
    while not t.stopping do
        seq = seq + 1
        user:send_json {
            type = "message", user = t.user.number, seq = seq, text = "Where is my order? It was to arrive on Monday.",
        }
        if user:expect("frame", nil, { within = "60s" }).json.seq ~= seq then t:fail "not the echo" end
        wait(pause)
    end
    user:close()
    user:expect "disconnected"
end)
