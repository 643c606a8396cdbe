-- Whatever may still bring an event is waited for.
local websocket = require "websocket"
local http = require "http"

local function connection(t)
    local peer = t:server(websocket):peer "peer"
    local client = t:actor(websocket)
    client:connect()
    client:expect "connected"
    return client, peer
end

scenario("another thread may act after a time", function(t)
    t:server(websocket)
    local client = t:actor(websocket)
    local thread = spawn(function()
        wait "3s"
        client:connect()
    end)
    client:expect("connected", nil, { within = "10s" })
    expect(now() >= 3, true)
    join(thread)
end)

scenario("another thread may act once it has its letter", function(t)
    t:server(websocket)
    local client = t:actor(websocket)
    local thread = spawn(function()
        mailbox.receive "go"
        client:connect()
    end)
    local sender = spawn(function()
        wait "2s"
        mailbox.send("go", true)
    end)
    client:expect "connected"
    join(thread)
    join(sender)
end)

scenario("another thread may act once it has its event", function(t)
    local ada, peer = connection(t)
    local bob = t:actor(websocket, { name = "Bob" })
    local thread = spawn(function()
        ada:expect "frame"
        bob:connect()
    end)
    local speaker = spawn(function()
        wait "2s"
        peer:send "go"
    end)
    bob:expect "connected"
    join(thread)
    join(speaker)
end)

scenario("a thread that gives up what may come acts after that", function(t)
    t:server(websocket)
    local client = t:actor(websocket)
    local other = t:actor(websocket, { name = "other" })
    local thread = spawn(function()
        expect(other:maybe("frame", nil, { within = "1h" }), nil)
        client:connect()
    end)
    client:expect "connected"
    expect(now() < 1, true)
    join(thread)
end)

scenario("maybe ends at once, and waits where it is asked again and again", function(t)
    local client = t:actor(websocket)
    expect(client:maybe("frame", nil, { within = "1h" }), nil)
    expect(now() < 1, true)
    for _ = 1, 101 do client:maybe("frame", nil, { within = "1s" }) end
    -- A script that asks without end lets time pass.
    expect(now() >= 1, true)
end)

scenario("the silence of a dead connection takes its time", function(t)
    local client, peer = connection(t)
    peer:close()
    client:expect "disconnected"
    local begin = now()
    client:expect_silence "2s"
    expect(now() - begin, 2)
end)

scenario("a server has a timer", function(t)
    t:server(http, { answers = { { after = "5s", json = { text = "late" } } } })
    local client = t:actor(http)
    client:send { message = "question" }
    client:expect("message", { text = "late" })
end)

scenario("a party hears what was sent before its sender fell silent", function(t)
    local client, peer = connection(t)
    client:send "last words"
    client:drop()
    peer:expect("frame", { text = "last words" })
    peer:expect "disconnected"
end)
