-- The other work of `scripts/bench load` for repartee: each user is sent messages as fast as it takes them, and no
-- script looks at them.
local websocket = require "websocket"

scenario("fan-out", { timeout = "10m" }, function(t)
    local user = t:actor(websocket, { path = "/fanout", counts = true })
    user:connect()
    user:expect "connected"
    wait "9m"
end)
