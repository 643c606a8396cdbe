-- Several actors, and functions that run beside each other.
local websocket = require "websocket"

local function connection(t)
    local server = t:server(websocket)
    local peer = server:peer "peer"
    local client = t:actor(websocket)
    client:connect()
    client:expect "connected"
    return client, peer
end

scenario("two clients on one server", function(t)
    local server = t:server(websocket, { echo = true })
    local ada, bob = t:actor(websocket, { name = "Ada" }), t:actor(websocket, { name = "Bob" })
    expect(ada.name, "Ada")
    expect(tostring(bob), "Bob")
    for _, actor in ipairs { ada, bob } do
        actor:connect()
        actor:expect "connected"
    end
    ada:send "from Ada"
    bob:send "from Bob"
    bob:expect("frame", { text = "from Bob" })
    ada:expect("frame", { text = "from Ada" })
    t:allow "frame"
    local _ = server
end)

scenario("actors of the same kind get names of their own", function(t)
    t:server(websocket)
    local first, second = t:actor(websocket), t:actor(websocket)
    expect(first.name ~= second.name, true)
end)

scenario("spawn runs beside, join waits and returns the result", function()
    local order = {}
    local slow = spawn(function(word)
        wait "2s"
        order[#order + 1] = word
        return word .. "!"
    end, "slow")
    local quick = spawn(function()
        wait "1s"
        order[#order + 1] = "quick"
        return "quick!"
    end)
    order[#order + 1] = "first"
    expect(join(slow), "slow!")
    expect(quick:join(), "quick!")
    expect(order, { "first", "quick", "slow" })
    expect(now(), match.near(2, 0.001))
end)

scenario("waits work in the script's own coroutines and iterators", function()
    local function ticks()
        return coroutine.wrap(function()
            for tick = 1, 3 do
                wait "1s"
                coroutine.yield(tick)
            end
        end)
    end
    local sum = 0
    for tick in ticks() do sum = sum + tick end
    expect(sum, 6)
    expect(now(), match.near(3, 0.001))
end)
