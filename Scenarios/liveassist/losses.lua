-- What outlives a lost connection and for how long, and whose place a newcomer takes.
local liveassist = require "liveassist"

-- A consumer whose screen an agent watches, and the server, each with further options.
local function cobrowsing(t, options, settings, agent_options)
    local server = t:server(liveassist, settings or {})
    options, agent_options = options or {}, agent_options or {}
    options.correlationId, options.agentCobrowseDelegate = "room", true
    agent_options.role, agent_options.name = "agent", "Sam"
    local consumer, agent = t:actor(liveassist, options), t:actor(liveassist, agent_options)
    consumer:start_support()
    consumer:expect "connected"
    agent:join(nil, nil, consumer)
    agent:expect "connected"
    consumer:expect "agent_joined_session"
    agent:request_cobrowse()
    consumer:expect "cobrowse_requested"
    consumer:allow_cobrowse()
    consumer:expect(seq { event "agent_joined_cobrowse", event("cobrowse_active", { active = true }) })
    agent:expect(seq { event("screen", { full = true }), event("cobrowse_active", { active = true }) })
    return consumer, agent, server
end

for _, case in ipairs { { "3s", "3 s, as the server has it" }, { nil, "a minute unless the server has another time" } } do
    local grace, title = case[1], case[2]
    scenario("the topics of a consumer who stays away are closed after " .. title, {
        tags = { "reconnect" }, timeout = "5m",
        faults = { delay = "who opens a topic or hears of the loss late counts another time" },
    }, function(t)
        local consumer, agent, server = cobrowsing(t, { retryIntervals = {} }, { grace = grace })
        wait "300ms" -- so that the agent has opened its own topics
        local topics = server.sessions[1].topics
        server:drop "consumer"
        consumer:expect "disconnected"
        agent:expect "consumer_left"
        agent:expect_silence(grace and "2500ms" or "57s", "cobrowse_active")
        expect(server.sessions[1].topics, topics)
        agent:expect("cobrowse_active", { active = false }, { within = grace and "2s" or "8s" })
        expect(server.sessions[1], { participants = 1, topics = 0 })
        expect({ agent.cobrowsing, agent:view() }, { false, {} })
        consumer:reconnect()
        consumer:expect("connected", { first = false })
        t:allow { "cobrowse_active", "agent_left_cobrowse", "agent_joined_session", "agent_left_session" }
        agent:request_cobrowse()
        consumer:expect("cobrowse_requested", { agent = "Sam" })
        consumer:allow_cobrowse()
        consumer:expect "agent_joined_cobrowse"
        agent:expect("screen", { full = true })
    end)
end

scenario("the topics of a consumer who is back in time stay", {
    tags = { "reconnect" }, faults = { delay = "a topic that the agent opens late is counted only afterwards" },
}, function(t)
    local consumer, agent, server = cobrowsing(t, {}, { grace = "3s" })
    wait "300ms"
    local topics = server.sessions[1].topics
    server:drop "consumer"
    consumer:expect(seq { event "disconnected", event "reconnecting", event("connected", { first = false }) })
    agent:expect("screen", { full = true })
    wait "4s"
    expect(server.sessions[1], { participants = 2, topics = topics })
    expect({ agent.cobrowsing, agent.active, consumer.cobrowsing }, { true, true, true })
    t:allow { "cobrowse_active", "consumer_left" }
end)

scenario("an agent gives up one attempt before its intervals are used, and counts anew in the next session", {
    tags = { "reconnect" },
}, function(t)
    local consumer, agent, server = cobrowsing(t, {}, {}, { retryIntervals = { 0.1, 0.2, 0.3 } })
    server:refuse_handshakes(9)
    server:drop "agent"
    agent:expect(seq { event("cobrowse_active", { active = false }), event("reconnecting", { attempt = 1, of = 3, ["in"] = 0.1 }) })
    expect(agent:events "disconnected", {})
    agent:expect(seq { event "disconnected", event("reconnecting", { attempt = 2, of = 3, ["in"] = 0.2 }) })
    agent:expect(seq { event "disconnected", event("terminated", { code = 0, callback = "connectionLost" }) })
    expect({ agent.state, agent.connection }, { "ended", "idle" })
    consumer:expect(all { event "agent_left_cobrowse", event "agent_left_session", event("cobrowse_active", { active = false }) })

    expect(pcall(server.refuse_handshakes, server, -1), false)
    server:refuse_handshakes(0)
    agent:join(nil, nil, consumer)
    agent:expect "connected"
    consumer:expect "agent_joined_session"
    server:drop "agent"
    agent:expect(seq { event("reconnecting", { attempt = 1, of = 3 }), event("reconnected", { correlation_id = "room" }) })
    consumer:expect(seq { event "agent_left_session", event "agent_joined_session" })
end)

scenario("every loss is counted from the first attempt", { tags = { "reconnect" } }, function(t)
    local consumer, _, server = cobrowsing(t, { retryIntervals = { 0.1, 0.2 } })
    for _ = 1, 3 do
        server:drop "consumer"
        consumer:expect(seq {
            event("disconnected", { code = 30102 }), event("reconnecting", { attempt = 1, of = 2, ["in"] = 0.1 }),
            event("connected", { first = false }),
        })
    end
    t:allow { "cobrowse_active", "consumer_left", "agent_left_cobrowse", "agent_joined_cobrowse" }
end)

scenario("support is ended while the first connection opens, and begins anew", {
    tags = { "connection" }, faults = {
        delay = "a session that is made late is not connecting yet",
        one_byte = "the end of the first session goes over a slower connection than the beginning of the second, and ends both",
    },
}, function(t)
    local server = t:server(liveassist)
    server:refuse_handshakes(1, 0) -- it is never answered
    local consumer = t:actor(liveassist, { correlationId = "room" })
    consumer:start_support()
    wait "500ms"
    expect({ consumer.state, consumer.connection }, { "connecting", "connecting" })
    consumer:end_support()
    consumer:expect("terminated", { code = 50101 })
    expect({ consumer.state, consumer.connection }, { "ended", "idle" })
    consumer:start_support()
    consumer:expect("connected", { first = true })
    expect(consumer:events "disconnected", {})
end)

scenario("whoever comes with the token of another takes its place", { tags = { "connection" } }, function(t)
    local first, agent, server = cobrowsing(t, { retryIntervals = {} })
    local second = t:actor(liveassist)
    second:start_support { sessionToken = first.session_token, correlationId = "room" }
    second:expect("connected", { first = true })
    first:expect("disconnected", { code = 30102 })
    expect(first.connection, "lost")
    agent:expect(seq { event "consumer_left", event "consumer_joined" })
    second:expect("agent_joined_session", { agent = "Sam" })
    expect(server.sessions[1].participants, 2)
    t:allow { "cobrowse_active" }
end)

local later = "the agent hears late that it is connected, and the consumer in time"
scenario("frames that the server sends late come late", {
    tags = { "connection" }, faults = { delay = later, reorder = later },
}, function(t)
    local server = t:server(liveassist, { latency = "1s" })
    local consumer = t:actor(liveassist, { correlationId = "room" })
    consumer:start_support()
    consumer:expect "connected"
    local agent = t:actor(liveassist, { role = "agent", name = "Sam" })
    agent:join(nil, nil, consumer)
    agent:expect "connected"
    consumer:expect_silence("800ms", "agent_joined_session")
    consumer:expect("agent_joined_session", {}, { within = "1s" })
    server:set_latency "0s"
    agent:push_link "https://shop.example/"
    consumer:expect("link", {}, { within = "500ms" })
end)
