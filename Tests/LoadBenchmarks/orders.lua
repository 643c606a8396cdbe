-- The work of echo.lua, and a table of a hundred entries of the script's own that it walks for every message: what work
-- in Lua costs.
local websocket = require "websocket"

local orders = {}
for number = 1, 100 do orders["A-" .. number] = number end

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
        local sum = 0
        for _, number in pairs(orders) do sum = sum + number end
        if sum ~= 5050 then t:fail "not all orders" end
    end
end)
