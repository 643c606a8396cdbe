-- Losing the connection, and finding it again.
local liveassist = require "liveassist"

local function supported(t, options)
    local server = t:server(liveassist)
    options = options or {}
    options.correlationId = "room"
    local consumer = t:actor(liveassist, options)
    consumer:start_support()
    consumer:expect("connected", { first = true })
    return consumer, server
end

scenario("a lost connection comes back at the second attempt", {
    tags = { "reconnect" },
}, function(t)
    local consumer, server = supported(t)
    server:refuse_handshakes(1)
    server:drop "consumer"
    consumer:expect("disconnected", { code = 30102 })
    consumer:expect("reconnecting", { ["in"] = 1, attempt = 1, of = 6 })
    consumer:expect("disconnected", { code = 30102 })
    consumer:expect("reconnecting", { ["in"] = 2, attempt = 2, of = 6 })
    consumer:expect("connected", { first = false })
end)

scenario("after six attempts the connection is gone for good", {
    tags = { "reconnect" }, timeout = "5m",
}, function(t)
    local consumer, server = supported(t)
    server:refuse_handshakes(6)
    server:drop "consumer"
    for attempt, pause in ipairs { 1, 2, 4, 8, 16, 32 } do
        consumer:expect("disconnected", { code = 30102 }, { within = "1m" })
        consumer:expect("reconnecting", { ["in"] = pause, attempt = attempt, of = 6 })
    end
    consumer:expect("disconnected", { code = 30102 }, { within = "1m" })
    consumer:expect "terminated"
end)

scenario("an application without intervals reconnects when it likes", { tags = { "reconnect" } }, function(t)
    local consumer, server = supported(t, { retryIntervals = {} })
    server:drop "consumer"
    consumer:expect "disconnected"
    consumer:expect_silence("500ms", "reconnecting")
    consumer:reconnect "2s"
    consumer:expect("connected", { first = false })
end)

scenario("an agent sees the whole screen again after the consumer is back", {
    tags = { "reconnect" },
}, function(t)
    local consumer, server = supported(t, { screen = { elements = { { id = "a", label = "A", value = "b" } } } })
    local agent = t:actor(liveassist, { role = "agent", name = "Sam" })
    agent:join(nil, nil, consumer)
    agent:expect "connected"
    consumer:expect "agent_joined_session"
    agent:request_cobrowse()
    consumer:expect "cobrowse_requested"
    consumer:allow_cobrowse()
    consumer:expect "agent_joined_cobrowse"
    agent:expect "screen"
    server:drop "consumer"
    consumer:expect "disconnected"
    consumer:expect("connected", { first = false })
    agent:expect("screen", { full = true })
    t:allow { "reconnecting", "cobrowse_active", "cobrowse_requested", "consumer_left" }
    t:allow { "agent_joined_cobrowse", "agent_left_cobrowse", "agent_joined_session", "agent_left_session" }
end)

scenario("the last limit counts for all further attempts", {
    tags = { "reconnect" }, timeout = "5m",
}, function(t)
    local consumer, server = supported(t, { retryIntervals = { 1, 1, 1 }, maxReconnectTimeouts = { 2, 3 } })
    server:refuse_handshakes(3, 0) -- they are never answered
    server:drop "consumer"
    local begin = now()
    for attempt, limit in ipairs { 2, 3, 3 } do
        consumer:expect("disconnected", { code = 30102 }, { within = "1m" })
        consumer:expect("reconnecting", { attempt = attempt, of = 3 })
    end
    consumer:expect("disconnected", { code = 30102 }, { within = "1m" })
    consumer:expect("terminated", { code = 30102 })
    expect(now() - begin, match.near(1 + 2 + 1 + 3 + 1 + 3, 0.5))
end)

scenario("without intervals and without the application the connection stays lost", { tags = { "reconnect" } }, function(t)
    local consumer, server = supported(t, { retryIntervals = {} })
    server:drop "consumer"
    consumer:expect("disconnected", { code = 30102 })
    wait "2s"
    for _, kind in ipairs { "reconnecting", "terminated" } do expect(consumer:events(kind), {}) end
    expect(consumer.connection, "lost")
    consumer:terminate "no hope"
    consumer:expect("terminated", { reason = "no hope" })
end)

scenario("an application that is impatient reconnects between two attempts", { tags = { "reconnect" } }, function(t)
    local consumer, server = supported(t, { retryIntervals = { 30 } })
    server:drop "consumer"
    consumer:expect "disconnected"
    consumer:expect("reconnecting", { ["in"] = 30, attempt = 1, of = 1 })
    consumer:reconnect "5s"
    consumer:expect("connected", { first = false })
end)

scenario("the initializer's defaults reconnect never", { tags = { "reconnect" } }, function(t)
    local consumer, server = supported(t, { defaults = "initializer" })
    expect(consumer.configuration, { retryIntervals = {}, maxReconnectTimeouts = { 0 }, initialConnectTimeout = 0 })
    server:drop "consumer"
    consumer:expect "disconnected"
    consumer:expect_silence("1500ms", "reconnecting")
end)

scenario("a first connection that is refused is not tried again", { tags = { "errors" } }, function(t)
    local server = t:server(liveassist)
    server:refuse_handshakes(1, 403)
    local consumer = t:actor(liveassist, { correlationId = "room" })
    consumer:start_support()
    consumer:expect("error", { code = 30102 })
    consumer:expect_silence("1500ms", "connected")
    consumer:start_support()
    consumer:expect("connected", { first = true })
end)

scenario("a server that no longer answers pings is noticed within two periods", {
    tags = { "reconnect" }, timeout = "2m",
}, function(t)
    local consumer, server = supported(t)
    wait "15s"
    server:swallow_pongs()
    consumer:expect("disconnected", { code = 30102 }, { within = "20s" })
    server:swallow_pongs(false)
    consumer:expect "reconnecting"
    consumer:expect("connected", { first = false })
end)

scenario("what an agent lost with its connection it finds again", { tags = { "reconnect" } }, function(t)
    local consumer, server = supported(t, { agentCobrowseDelegate = true })
    local agent = t:actor(liveassist, { role = "agent", name = "Sam", retryIntervals = { 0.05, 0.05 } })
    agent:join(nil, nil, consumer)
    agent:expect "connected"
    consumer:expect("agent_joined_session", { agent = "Sam" })
    server:drop "agent"
    agent:expect("reconnecting", { attempt = 1 })
    agent:expect("reconnected", { callback = "connectionReestablished" })
    consumer:expect("agent_left_session", { agent = "Sam" })
    consumer:expect("agent_joined_session", { agent = "Sam" })
    t:allow "disconnected"
end)

scenario("broken frames from the server are told, and the session goes on", { tags = { "errors" } }, function(t)
    local consumer, server = supported(t)
    for _, frame in ipairs { "", "AA==", "////////", "dE4AAAAAe30=" } do
        server:send_frame(frame, "consumer")
        consumer:expect("error", { code = 30102, message = match.contains "no frame of the topics" })
    end
    -- A list of topics that is cut off in the middle of its JSON.
    server:send_frame("ECcAAAAAW3siaWQiOg==", "consumer")
    consumer:expect("error", { code = 30102, message = match.contains "a list that cannot be read" })
    for _, kind in ipairs { "disconnected", "terminated" } do expect(consumer:events(kind), {}) end
    local agent = t:actor(liveassist, { role = "agent", name = "Sam" })
    agent:join(nil, nil, consumer)
    consumer:expect "agent_joined_session"
end)

-- The network is so slow that the session and then the topic WebSocket take four times twelve seconds each.
for _, case in ipairs { { 0, "connected" }, { 40, "error" }, { 50, "connected" } } do
    local limit, outcome = table.unpack(case)
    scenario("the first connection may take initialConnectTimeout: " .. (limit == 0 and "no limit" or limit .. "s"), {
        tags = { "reconnect" },
    }, function(t)
        t:server(liveassist)
        t:network { latency = "12s" }
        local consumer = t:actor(liveassist, {
            correlationId = "room", timeout = 60, initialConnectTimeout = limit,
        })
        consumer:start_support()
        consumer:expect(outcome, {}, { within = "10m" })
        t:network {}
    end)
end
