-- An expectation looks at the remaining events, also at those that were there before it began to wait.
local websocket = require "websocket"

local function connection(t)
    local server = t:server(websocket)
    local peer = server:peer "peer"
    local client = t:actor(websocket)
    client:connect()
    client:expect "connected"
    return client, peer
end

scenario("an event that is there already satisfies", function(t)
    local client, peer = connection(t)
    peer:send "early"
    wait "1s"
    local frame = client:expect("frame", { text = "early" })
    expect(frame.text, "early")
    expect(now(), match.between(1, 1.1))
end)

scenario("what does not fit is passed over", { allow = { "frame" } }, function(t)
    local client, peer = connection(t)
    for _, text in ipairs { "one", "two", "three" } do peer:send(text) end
    client:expect("frame", { text = "three" })
    expect(#client:events "frame", 3)
end)

scenario("an event that arrives while nobody waits is not lost", function(t)
    local client, peer = connection(t)
    local sender = spawn(function()
        for number = 1, 50 do
            peer:send(tostring(number))
            wait "10ms"
        end
    end)
    for number = 1, 50 do
        client:expect("frame", { text = tostring(number) })
        if number % 7 == 0 then wait "35ms" end
    end
    join(sender)
end)

scenario("an event satisfies one expectation", function(t)
    local client, peer = connection(t)
    peer:send "same"
    peer:send "same"
    local first = client:expect("frame", { text = "same" })
    local second = client:expect("frame", { text = "same" })
    expect(second.number, first.number + 1)
end)
