-- What a network does to conversations: late, lossy, narrow, cut, half closed, refused, without names, damaged.
local websocket = require "websocket"
local http = require "http"
local oracle = require "oracle"

-- A client that is connected with a peer that a script plays, and that peer.
local function connected(t, name, options)
    local peer = t:server(websocket):peer "peer"
    local client = t:actor(websocket, { name = name })
    client:connect(options)
    client:expect "connected"
    peer:expect "connected"
    return client, peer
end

-- How many seconds a frame takes from the peer to the client.
local function transit(client, peer, text)
    local begin = now()
    peer:send(text)
    client:expect("frame", { text = text })
    return now() - begin
end

scenario("latency is the time that a delivery takes, and ends when the network heals", {
    tags = { "smoke", "network" },
}, function(t)
    local client, peer = connected(t)
    t:network { latency = "50ms" }
    expect(transit(client, peer, "late"), match.between(0.05, 0.5))
    t:network { latency = "50ms", jitter = "20ms" }
    expect(transit(client, peer, "later"), match.between(0.05, 0.5))
    t:network {}
    expect(transit(client, peer, "in time"), match.between(0, 0.04))
end)

scenario("latency counts three times until the first answer: twice to connect, once each way after that", {
    tags = { "network" },
}, function(t)
    t:server(http, { answers = { { json = { text = "hello" } } } })
    t:network { latency = "100ms" }
    local visitor, begin = t:actor(http), now()
    visitor:get "/"
    visitor:expect(all { event "response", event "message" })
    expect(now() - begin, match.between(0.39, 1))
end)

scenario("a network of one client leaves the others alone", { tags = { "network" } }, function(t)
    local server = t:server(websocket, { echo = true })
    local ada, bob = t:actor(websocket, { name = "Ada" }), t:actor(websocket, { name = "Bob" })
    t:network({ latency = "300ms" }, bob)
    for _, case in ipairs { { ada, match.between(0, 0.2) }, { bob, match.between(1.79, 3) } } do
        local client, range = case[1], case[2]
        local begin = now()
        client:connect()
        client:expect "connected"
        client:send "hello"
        client:expect("frame", { text = "hello" })
        expect(now() - begin, range)
    end
    local passed, problem = pcall(t.network, t, { latency = "1s" }, server:peer "peer")
    expect(not passed and tostring(problem), match.contains "name a client")
end)

scenario("what is lost comes again later, and nothing overtakes it", {
    tags = { "network" }, timeout = "1h", -- each time that it is lost again, it waits twice as long
}, function(t)
    local client, peer = connected(t)
    t:network { latency = "10ms", loss = 0.3 }
    local begin = now()
    for number = 1, 60 do
        peer:send(tostring(number))
        wait "1ms"
    end
    for number = 1, 60 do client:expect("frame", { text = tostring(number) }, { within = "30m" }) end
    expect(now() - begin >= 0.2, true, "a time-out of 200ms at least")
end)

scenario("a narrow network takes its time for many bytes", { tags = { "network" } }, function(t)
    local client, peer = connected(t, nil, { compression = false })
    t:network { bandwidth = "10KB/s" }
    expect(transit(client, peer, string.rep("x", 5000)), match.between(0.49, 2))
end)

scenario("a connection that is cut ends without a close frame, and the next one is fine", {
    tags = { "smoke", "network" },
}, function(t)
    local client, peer = connected(t)
    t:network { cut = true }
    client:expect("disconnected", { code = 1006, clean = false })
    peer:expect("disconnected", { code = 1006 })
    client:connect()
    client:expect "connected"
    peer:expect "connected"
    expect(transit(client, peer, "back"), match.number)
end)

scenario("a chat client comes back by itself after a cut", { tags = { "smoke", "network" } }, function(t)
    t:server(oracle, { echo = true })
    local user = t:actor(oracle)
    user:connect()
    user:expect "connected"
    t:network { cut = true }
    user:expect "reconnecting"
    user:expect("reconnected", nil, { within = "8s" })
    user:say "Still there?"
    user:expect("message", { text = "Still there?" })
end)

scenario("an outage ends when the network heals", { tags = { "network" } }, function(t)
    t:server(oracle, { echo = true })
    local user = t:actor(oracle, { reconnect_interval = "500ms" })
    user:connect()
    user:expect "connected"
    t:network { cut = true, refuse = true }
    user:expect "reconnecting"
    wait "1200ms"
    t:network {}
    user:expect("reconnected", nil, { within = "8s" })
end)

scenario("a connection is cut after so many bytes", { tags = { "network" } }, function(t)
    t:server(http, { answers = { { json = { text = string.rep("x", 4000) } } } })
    t:network { cut = "1KB" }
    local visitor = t:actor(http)
    visitor:get "/"
    visitor:expect("error", { code = "connection_lost" })
end)

scenario("either side can end its direction alone", { tags = { "network" } }, function(t)
    local client, peer = connected(t)
    t:network { half_close = "server" }
    client:expect("disconnected", { code = 1006 })
    client, peer = connected(t)
    t:network { half_close = "client" }
    peer:expect("disconnected", { code = 1006 })
    client:expect("disconnected", { code = 1006 })
end)

scenario("a cable that is pulled says nothing at all", { tags = { "network" } }, function(t)
    local visitor = t:actor(http, { timeout = "300ms" })
    t:network { stall = true }
    visitor:get "/"
    visitor:expect("error", { code = "timed_out" })
end)

scenario("a cable that is plugged in again loses nothing", { tags = { "network" } }, function(t)
    local client, peer = connected(t)
    t:network { stall = true }
    client:send "from here"
    peer:send "from there"
    wait "5s"
    expect(#client:events "frame" + #peer:events "frame", 0)
    t:network {}
    peer:expect("frame", { text = "from here" })
    client:expect("frame", { text = "from there" })
end)

scenario("a refused connection is an error of the client", { tags = { "smoke", "network" } }, function(t)
    t:network { refuse = true }
    local visitor = t:actor(http)
    visitor:get "/"
    visitor:expect("error", { code = "cannot_connect", message = match.contains "refused" })
end)

scenario("a name that cannot be resolved, and one that takes its time", { tags = { "network" } }, function(t)
    t:server(http, { answers = { { json = {} } } })
    local visitor = t:actor(http)
    t:network { dns = "fail" }
    visitor:get "/"
    visitor:expect("error", { code = "cannot_connect", message = match.contains "resolved" })
    t:network { dns = "200ms" }
    local begin = now()
    visitor:get "/"
    visitor:expect "response"
    expect(now() - begin, match.between(0.19, 1))
end)

scenario("damaged bytes break the protocol", { tags = { "smoke", "network" }, allow = { "frame" } }, function(t)
    local client, peer = connected(t)
    t:network({ corrupt = 1 }, client)
    local ending
    repeat
        peer:send "x"
        ending = client:maybe("disconnected", nil, { within = "10ms" })
    until ending
    -- A text that has become a ping is answered, and that the answer is damaged the server is the one to notice.
    if ending.code ~= 1002 then
        expect(ending.code, 1006)
        expect(ending.reason, match.contains "broke the protocol")
    end
end)

scenario("one byte at a time changes nothing", { tags = { "network" } }, function(t)
    local client, peer = connected(t)
    t:network { pieces = 1 }
    expect(transit(client, peer, "piece by piece"), match.number)
    client:send "and back"
    peer:expect("frame", { text = "and back" })
end)

scenario("mistakes are told with what is meant", { tags = { "network" } }, function(t)
    local function problem(conditions)
        local passed, message = pcall(t.network, t, conditions)
        return not passed and tostring(message)
    end
    expect(problem { latncy = "50ms" }, match.contains 'did you mean "latency"?')
    expect(problem { latency = "50" }, match.contains "a duration such as")
    expect(problem { bandwidth = "64KB" }, match.contains "a rate such as")
    expect(problem { loss = 2 }, match.contains "a chance from 0 to 1")
    expect(problem { cut = "soon" }, match.contains "true or a size")
    expect(problem { half_close = "both" }, match.contains '"client", "server"')
    expect(problem { dns = "never" }, match.contains '"fail" or a duration')
    expect(problem "slow", match.contains "takes a table")
end)
