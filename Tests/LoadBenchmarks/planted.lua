-- The users of capacity.py: a short message five times a second, by the clock and whatever the last answer took.
local websocket = require "websocket"

scenario("asks", { timeout = "1m" }, function(t)
    local user = t:actor(websocket)
    user:connect()
    user:expect "connected"
    -- Nobody begins with the others, as people do not.
    wait(random.number(0, 0.2))
    local due = now()
    while not t.stopping do
        local begin = now()
        user:send "Where is my order?"
        user:expect("frame", nil, { within = "1s" })
        metric.time("answer", now() - begin)
        due = due + 0.2
        if due > now() then wait(due - now()) end
    end
    user:close()
    user:expect "disconnected"
end)
