-- Clients whose server is a bare WebSocket that the scenario plays: what they send of their own accord, and when.
local liveassist = require "liveassist"
local websocket = require "websocket"
local wire = require "wire"

local faults = {
    delay = "when the client speaks is what is asserted", clock_jump = "when the client speaks is what is asserted",
    one_byte = "when the client speaks is what is asserted", malformed_json = "the frames are read by the scenario",
    half_close = "the scenario plays the server, which does not answer a connection that is half closed",
    cut = "the scenario plays the server, to which the last words do not come", truncate = "as a cut",
}

-- A server by hand to which a client of this kind has connected, with the frames of either side.
local function met(t, settings)
    local server = t:server(websocket)
    local peer = server:peer "server"
    settings.server = server.url
    local client = t:actor(liveassist, settings)
    if settings.role == "agent" then client:join(nil, "room", nil, "secret") else client:start_support() end
    peer:expect("connected", {
        path = "/assistserver/topic", query = { appkey = "room", topic = "room", sessionId = "secret" },
    })
    t:allow { "frame", "connected" }
    return client, peer, wire.side(peer)
end

scenario("a consumer opens the topic of its screen, pings every ten seconds, and notices silence", {
    tags = { "wire", "connection" }, timeout = "5m", faults = faults,
}, function(t)
    local client, peer, hand = met(t, { correlationId = "room", sessionToken = "secret", retryIntervals = { 3 } })
    client:expect("connected", { first = true })
    local begin = now()
    local opened = hand.expect("open_private", 0)
    expect(json.decode(opened.payload:sub(3)), { type = "shared-window", interactive = "true", scrollable = "true" })
    hand.expect("ping", 0)
    expect(now() - begin, match.between(0, 2))
    for round = 1, 4 do
        hand.send("pong", 0)
        hand.expect("ping", 0)
        expect(now() - begin, match.between(10 * round - 0.1, 10 * round + 5))
    end
    -- Whatever comes is a sign of life.
    hand.send("participants", 0, json.encode { { id = 0 } })
    hand.expect("ping", 0)
    expect(#hand.frames "ping", 6)
    peer:expect("disconnected", { code = 1006 }, { within = "11s" })
    expect(now() - begin, match.between(59.9, 70))
    client:expect(seq { event("disconnected", { code = 30102, reason = match.contains "silent" }), event("reconnecting", { ["in"] = 3, attempt = 1, of = 1 }) })
    client:expect("connected", { first = false })
    expect(now() - begin, match.between(62.9, 75))
    hand.expect("ping", 0)
    expect(#hand.frames "open_private", 1) -- the topics have not been listed, so nothing is missing yet
    client:end_support()
    expect(json.decode(hand.expect("message", 0).payload), { type = "consumerEndedSupport" })
    hand.expect("leave", 0)
    peer:expect("disconnected", { code = 1000, clean = true })
    client:expect("terminated", { code = 50101 })
    client:expect("error", { code = 30102, message = match.contains "not told that the session is over" })
end)

scenario("an agent pings, too, and leaves with a word", {
    tags = { "wire", "connection" }, timeout = "5m", faults = faults,
}, function(t)
    local client, peer, hand = met(t, { role = "agent", name = "Sam", retryIntervals = { 1, 2, 4, 8, 16, 32, 64 } })
    client:expect("connected", { correlation_id = "room" })
    hand.expect("ping", 0)
    local begin = now()
    hand.send("participants", 0, json.encode { { id = 0, metadata = json.encode { role = "agent", name = "Sam" } } })
    hand.send("pong", 0)
    hand.expect("ping", 0)
    expect(now() - begin, match.between(9.9, 15))
    hand.send("pong", 0)
    hand.expect("ping", 0)
    expect(client.state, "joined")
    client:leave_session()
    hand.expect("leave", 0)
    peer:expect("disconnected", { code = 1000, clean = true })
    expect({ client.state, client.connection }, { "ended", "idle" })
end)

scenario("lists in which a topic is missing or another one close and open topics", {
    tags = { "wire", "reconnect" }, faults = faults,
}, function(t)
    local client, peer, hand = met(t, {
        correlationId = "room", sessionToken = "secret", agentCobrowseDelegate = true,
        screen = { elements = { { id = "go", type = "button", label = "Go" } } },
    })
    client:expect "connected"
    local function person(id, role, name) return { id = id, metadata = json.encode { role = role, name = name } } end
    local function list(name, own, entries) peer:send_binary(base64.encode(string.pack("<I2I2I2", wire.kinds[name], 0, own) .. json.encode(entries))) end
    local function tell(name, topic, source, payload)
        peer:send_binary(base64.encode(string.pack("<I2I2I2", wire.kinds[name], topic, source) .. payload))
    end
    list("participants", 1, { person(1, "consumer", "Ada"), person(2, "agent", "Sam") })
    list("topics", 1, {})
    client:expect("agent_joined_session", { agent = "Sam", participant = 2 })
    client:allow_cobrowse "Sam" -- before there is a screen
    tell("open_private", 0, 1, json.encode { id = 5, metadata = json.encode { type = "shared-window" } })
    expect(json.decode(hand.expect("open_private", 5).payload:sub(3)), { type = "scrollbar" })
    expect(hand.expect("permission", 5).payload, wire.permission(2, 2))
    tell("join", 5, 2, "{}")
    client:expect(seq { event "agent_joined_cobrowse", event("cobrowse_active", { active = true }) })
    tell("open", 5, 2, json.encode { id = 6, metadata = json.encode { type = "annotation" } })
    hand.expect("join", 6)
    tell("message", 6, 2, wire.words(2002, '<path d="M 1 2 L 30 40"/>'))
    client:expect("annotation_added", {
        kASDKSVGPathKey = "M 1 2 L 30 40", kASDKSVGPathStrokeKey = "#ff0000", kASDKSVGPathStrokeWidthKey = 1, kASDKSVGPathStrokeOpacityKey = 1,
    })
    tell("message", 6, 2, wire.words(2002, "<path/>")) -- no path at all
    tell("leave", 6, 2, "") -- the agent leaves its drawing, not the screen
    tell("close", 6, 2, "")
    tell("leave", 5, 9, "") -- nobody knows this one
    client:expect_silence("200ms", any { "agent_left_cobrowse", "annotations_cleared" })
    expect({ client.cobrowsing, client:annotations() }, { true, {} })
    tell("message", 5, 2, wire.words(3001, 20, 20, 0)) -- its mouse goes down on the button
    client:expect("remote_input", { type = "mouse_down", element = "go" })
    -- Another one under the same number is somebody else, who has no right to anything.
    list("participants", 1, { person(1, "consumer", "Ada"), person(2, "agent", "Max") })
    client:expect(seq {
        event("agent_left_cobrowse", { agent = "Sam" }), event("cobrowse_active", { active = false }),
        event("agent_left_session", { agent = "Sam" }), event("agent_joined_session", { agent = "Max" }),
    })
    expect(hand.expect("permission", 5, function(payload) return payload == wire.permission(2, 3) end).topic, 5)
    expect(client.agents, { { agent = "Max", cobrowsing = false } })
    client:allow_cobrowse "Max"
    hand.expect("permission", 5, function(payload) return payload == wire.permission(2, 2) end)
    tell("join", 5, 2, "{}")
    client:expect(seq { event "agent_joined_cobrowse", event("cobrowse_active", { active = true }) })
    tell("message", 5, 2, wire.words(3002, 20, 20, 0))
    client:expect("remote_input", { type = "mouse_up", element = "go" })
    expect(client:events "remote_input", match.is_not(match.has { type = "click" })) -- the other one's mouse went down
    -- The screen is gone: it is opened once more, and an agent without one is refused by a word.
    list("topics", 1, {})
    hand.expect("open_private", 0, function(payload) return payload:find "shared" end)
    client:expect(seq { event "agent_left_cobrowse", event("cobrowse_active", { active = false }) })
    tell("message", 0, 2, json.encode { type = "requestScreenShare" })
    client:expect("cobrowse_requested", { agent = "Max" })
    client:disallow_cobrowse()
    expect(json.decode(hand.expect("message", 0).payload), { type = "rejectScreenShare" })
    -- The session is closed by the server.
    tell("close", 0, 0, "")
    client:expect("terminated", { code = 30102, reason = match.contains "closed the session" })
    peer:expect("disconnected", { code = 1000 })
    t:allow { "disconnected", "error" }
end)
