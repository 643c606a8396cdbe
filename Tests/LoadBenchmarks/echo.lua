-- The work of `scripts/bench load` for repartee: each user sends a JSON message, reads the echo, sends the next one.
local websocket = require "websocket"

scenario("echo", { timeout = "10m" }, function(t)
    local user = t:actor(websocket)
    user:connect()
    user:expect "connected"
    if env "IDLE" then wait "9m" end
    local seq = 0
    while true do
        seq = seq + 1
        user:send_json {
            type = "message", user = t.user.number, seq = seq, text = "Where is my order? It was to arrive on Monday.",
        }
        if user:expect("frame", nil, { within = "60s" }).json.seq ~= seq then t:fail "not the echo" end
    end
end)
