-- The work of echo.lua, and each message is a table that the script walks whole.
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
        local members = 0
        for name, value in pairs(user:expect("frame", nil, { within = "60s" }).json) do
            members = members + 1
            if name == "seq" and value ~= seq then t:fail "not the echo" end
        end
        if members ~= 4 then t:fail "not the whole message" end
    end
end)
