-- The work of `scripts/bench load` at half load: each user sends a JSON message, reads the echo, waits, sends the next
-- one. Waits are random, as people are: with equal ones, those who once came together would do so for ever.
local websocket = require "websocket"

local pause = tonumber(env "PAUSE")

workload {
    executor = "ramping_vus",
    stages = {
        { name = "ramp-up", duration = "4s", target = tonumber(env "USERS") },
        { name = "steady", duration = env "STEADY", target = tonumber(env "USERS") },
    },
}

scenario("pace", { timeout = "10m" }, function(t)
    local user = t:actor(websocket)
    user:connect()
    user:expect "connected"
    local seq = 0
    while not t.stopping do
        wait(random.number(0, 2 * pause))
        seq = seq + 1
        user:send_json {
            type = "message", user = t.user.number, seq = seq, text = "Where is my order? It was to arrive on Monday.",
        }
        if user:expect("frame", nil, { within = "60s" }).json.seq ~= seq then t:fail "not the echo" end
    end
    user:close()
    user:expect "disconnected"
end)
