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
    tags = { "reconnect" }, clock = "virtual",
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
    tags = { "reconnect" }, clock = "virtual", timeout = "5m",
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
    tags = { "reconnect" }, clock = "virtual",
}, function(t)
    local consumer, server = supported(t, { screen = { elements = { { id = "a", label = "A", value = "b" } } } })
    local agent = t:actor(liveassist, { role = "agent", name = "Sam" })
    agent:join(nil, nil, consumer)
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
