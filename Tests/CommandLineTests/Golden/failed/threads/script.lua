-- A thread that fails, fails the scenario.
local websocket = require "websocket"

local function connection(t)
    local server = t:server(websocket)
    local peer = server:peer "peer"
    local client = t:actor(websocket)
    client:connect()
    client:expect "connected"
    return client, peer
end

scenario("a joined thread", function()
    local thread = spawn(function()
        wait "1s"
        expect(1, 2)
    end)
    join(thread)
end)

scenario("a thread that nobody joins", function()
    spawn(function()
        wait "1s"
        expect(1, 2)
    end)
    wait "5s"
end)

scenario("two actors, and the failure names the one", function(t)
    local server = t:server(websocket)
    local ada, bob = t:actor(websocket, { name = "Ada" }), t:actor(websocket, { name = "Bob" })
    for _, actor in ipairs { ada, bob } do
        actor:connect()
        actor:expect "connected"
    end
    bob:expect("frame", { text = "for Bob" }, { within = "1s" })
    local _ = server
end)
