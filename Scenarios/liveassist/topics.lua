-- What the simulated server makes of the frames of participants who speak the protocol by hand.
local liveassist = require "liveassist"
local http = require "http"
local websocket = require "websocket"
local wire = require "wire"

local faults = {
    delay = "what was sent later over another connection is there before", reorder = "frames of several participants",
    malformed_json = "the frames are read by the scenario", duplicate = "frames have no number",
}
local function options(...) return { tags = { "wire", ... }, faults = faults } end

scenario("a newcomer gets the lists, and the others hear of it", options "topics", function(t)
    local server = t:server(liveassist)
    local ada = wire.participant(t, server, { role = "consumer", name = "Ada" })
    ada.send("open_private", 0, string.pack("<I2", 0) .. json.encode { type = "shared-window" })
    local screen = wire.entry(ada.expect("open_private", 0).payload)
    expect(screen, { id = match.any, metadata = { type = "shared-window" } })
    local sam = wire.participant(t, server, { role = "agent", name = "Sam" })
    local joined = ada.expect("join", 0)
    expect({ joined.source, wire.entry(joined.payload).metadata }, { sam.id, { role = "agent", name = "Sam" } })
    expect(sam.id ~= ada.id)
    local lists = sam.frames()
    expect({ lists[1].kind, lists[1].source, lists[2].kind, lists[2].source }, { "participants", sam.id, "topics", sam.id })
    local people, topics = json.decode(lists[1].payload), json.decode(lists[2].payload)
    expect({ people[1].id, json.decode(people[1].metadata).name }, { ada.id, "Ada" })
    expect({ people[2].id, json.decode(people[2].metadata).name }, { sam.id, "Sam" })
    expect(topics, { { id = screen.id, owner = ada.id, private = true } })
    sam.send "ping"
    expect({ sam.expect("pong").topic, sam.frames("pong")[1].source }, { 0, sam.id })
    expect(ada.frames "pong", {})
    sam.send("leave", 0)
    sam.socket:expect("disconnected", { code = 1000, clean = true })
    local left = ada.expect("leave", 0)
    expect({ left.source, left.payload }, { sam.id, '{"metadata":"{}"}' })
    expect(wire.fresh(server).sessions, { { correlation_id = "room", participants = 1, topics = 1 } })
end)

-- A consumer with a private topic, and an agent who may be in it or not.
local function screen(t, server)
    local ada = wire.participant(t, server, { role = "consumer", name = "Ada" })
    local sam = wire.participant(t, server, { role = "agent", name = "Sam" })
    ada.send("open_private", 0, string.pack("<I2", 0) .. json.encode { type = "shared-window" })
    local topic = wire.entry(ada.expect("open_private", 0).payload).id
    expect(wire.entry(sam.expect("open_private", 0).payload).id, topic)
    return ada, sam, topic
end

local permission = wire.permission

-- Waits until the server has heard all that somebody has sent.
local function settled(side)
    side.send "ping"
    side.expect "pong"
end

scenario("a private topic is for those whom its owner allows, and for as long as it does", options "permissions", function(t)
    local server = t:server(liveassist)
    local ada, sam, topic = screen(t, server)
    local max = wire.participant(t, server, { role = "agent", name = "Max" })
    sam.send("join", topic)
    sam.send("permission", topic, permission(sam.id, 2)) -- nobody allows itself
    sam.send("permission", topic, permission(ada.id, 1)) -- and nobody asks for others
    sam.send("permission", topic, permission(sam.id, 1))
    local asked = ada.expect("permission", topic)
    expect({ asked.source, asked.payload }, { sam.id, permission(sam.id, 1) })
    max.expect("permission", topic)
    expect(wire.fresh(server).ignored, 3)
    ada.send("permission", topic, permission(sam.id, 2))
    expect(sam.expect("permission", topic).payload, permission(sam.id, 2))
    sam.send("join", topic)
    expect(ada.expect("join", topic).source, sam.id)
    local people = json.decode(sam.expect("participants", topic).payload)
    expect({ #people, people[1].id, people[2].id }, { 2, ada.id, sam.id })
    expect(json.decode(sam.expect("topics", topic).payload), {})
    -- What is said is for the others who are in the topic.
    ada.say(topic, 8002)
    sam.heard(topic, 8002)
    sam.say(topic, 7001)
    expect(ada.heard(topic, 7001), "")
    max.say(topic, 7002)
    sam.send("open", topic, json.encode { type = "annotation" })
    local drawing = wire.entry(ada.expect("open", topic).payload).id
    ada.send("join", drawing)
    expect(sam.expect("join", drawing).source, ada.id)
    -- With the permission goes the place in the topic and in all below it.
    ada.send("permission", topic, permission(sam.id, 3))
    expect(ada.expect("leave", topic).source, sam.id)
    expect(ada.expect("leave", drawing).source, sam.id)
    expect(sam.expect("permission", topic).payload, permission(sam.id, 3))
    sam.say(topic, 7003)
    sam.say(drawing, 7004)
    settled(sam)
    settled(max)
    ada.send("permission", topic, permission(ada.id, 0)) -- the owner stays whatever it sets for itself
    ada.send("close", topic)
    expect(max.expect("close", topic).source, ada.id)
    for _, frame in ipairs(ada.frames "message") do expect(frame.payload, wire.words(7001)) end
    expect(max.frames "message", {})
    expect(#ada.frames "leave", 2)
    expect({ wire.fresh(server).ignored, server.sessions[1].topics }, { 6, 0 })
end)

scenario("a public topic is for all who are where it was opened, and leaving it is told", options "topics", function(t)
    local server = t:server(liveassist)
    local ada, sam = screen(t, server)
    ada.send("open", 0, json.encode { type = "news" })
    local topic = wire.entry(sam.expect("open", 0).payload).id
    sam.send("join", topic)
    expect(ada.expect("join", topic).source, sam.id)
    ada.send("permission", topic, permission(sam.id, 3)) -- of a public topic nobody is sent out
    sam.expect("permission", topic)
    sam.say(topic, 1, "hello")
    expect(ada.heard(topic, 1), "hello")
    sam.send("leave", topic)
    expect(ada.expect("leave", topic).source, sam.id)
    sam.say(topic, 2)
    sam.send("leave", topic)
    sam.send("close", topic)
    ada.send("open", 999, json.encode {})
    ada.send("open", 0, "no JSON")
    ada.send("open_private", 0, "\1\0")
    ada.send("pong", 0)
    ada.send("close", 0)
    ada.send "ping"
    ada.expect "pong"
    sam.send "ping"
    sam.expect "pong"
    expect({ wire.fresh(server).ignored, server.sessions[1].topics }, { 8, 2 })
    expect(#ada.frames "message", 1)
end)

scenario("an owner who is back finds its topics, and those of one who stays away go", {
    tags = { "wire", "reconnect" }, faults = faults, timeout = "1m",
}, function(t)
    local server = t:server(liveassist, { grace = "3s" })
    local ada, sam, topic = screen(t, server)
    sam.send("open", 0, json.encode { type = "drawing" })
    local drawing = wire.entry(ada.expect("open", 0, function(payload) return payload:find "drawing" end).payload).id
    ada.send("permission", topic, permission(sam.id, 2))
    sam.expect("permission", topic)
    sam.send("join", topic)
    ada.expect("join", topic)
    sam.socket:drop()
    expect(ada.expect("leave", 0).source, sam.id)
    ada.socket:drop()
    local again = wire.participant(t, server, {}, ada.token)
    expect(again.id ~= ada.id)
    local list = json.decode(again.frames("topics")[1].payload)
    expect(list, { { id = topic, owner = again.id }, { id = drawing } })
    expect(#json.decode(again.frames("participants")[1].payload), 1)
    again.send("join", topic)
    -- What was allowed to one who is gone is allowed to nobody.
    expect(#json.decode(again.expect("participants", topic).payload), 1)
    again.expect("close", drawing)
    wait "4s"
    expect(wire.fresh(server).sessions, { { participants = 1, topics = 1 } })
    again.socket:drop()
    wait "4s"
    expect(wire.fresh(server).sessions, {})
end)

scenario("what does not lead into a session is refused with the reason", { tags = { "wire", "errors" }, faults = faults }, function(t)
    local server = t:server(liveassist)
    local web = t:actor(http, { server = server })
    t:allow { "response", "connected" }
    web:request("POST", "/assistserver/agent", nil, { form = { username = "sam" } })
    local agent = web:expect("response").json.token
    web:request("POST", "/assistserver/consumer", nil, { form = { type = "create", username = "room" } })
    local consumer = web:expect("response").json.token
    local function connect(path, query)
        local socket = t:actor(websocket, { server = server, path = path, query = query })
        socket:connect()
        return socket
    end
    local function refused(status, path, query)
        connect(path, query):expect("error", { code = "upgrade_refused", status = status })
    end
    local topic, room = "/assistserver/topic", { topic = "room", appkey = "room", sessionId = consumer }
    refused(404, "/assistserver/nothing", room)
    refused(403, topic, { topic = "room", appkey = "room" })
    refused(403, topic, { topic = "room", appkey = "other", sessionId = consumer })
    refused(403, topic, { topic = "other", appkey = "other", sessionId = consumer })
    refused(403, topic, { topic = "", appkey = "", sessionId = agent })
    refused(403, "/gateway/agent", { sessionId = "nobody's" })
    refused(403, "/gateway/agent", { sessionId = consumer })
    refused(403, "/gateway/call", { sessionId = consumer, cid = "other" })
    refused(403, "/gateway/call", { cid = "room" })
    expect(wire.fresh(server).calls, 0)
    server:refuse_handshakes(1)
    refused(503, topic, room)
    connect(topic, { topic = "any", appkey = "any", sessionId = agent }):expect "connected" -- an agent's opens them all
    connect(topic, room):expect "connected"
    expect(wire.fresh(server).last_handshake, { path = topic, metadata = { role = "consumer" } })
    connect("/gateway/agent", { sessionId = agent }):expect "connected"
    t:allow "frame"
end)

scenario("a call is told to both sides state by state", { tags = { "wire", "call" }, faults = faults }, function(t)
    local server = t:server(liveassist, { access = "trusted", ring_limit = "5s" })
    local web = t:actor(http, { server = server })
    t:allow { "response", "connected", "frame" }
    local function token(path, form)
        web:request("POST", path, nil, { form = form })
        return web:expect("response", { status = 200 }).json.token
    end
    local function connect(path, query)
        local socket = t:actor(websocket, { server = server, path = path, query = query })
        socket:connect()
        socket:expect "connected"
        return socket
    end
    local consumer = token("/assistserver/consumer", { type = "create", username = "room", uui = "6869" })
    local agent = connect("/gateway/agent", { sessionId = token("/assistserver/agent", { username = "sam" }) })
    local function call() return connect("/gateway/call", { sessionId = consumer, cid = "room", destination = "sam" }) end
    local function states(socket)
        local list = {}
        for _, event in ipairs(socket:events "frame") do list[#list + 1] = event.json.status end
        return list
    end
    local first = call()
    local offer = agent:expect("frame", { json = { status = "ringing" } }).json
    expect(offer, { call = 1, status = "ringing", cid = "room", video = "full", uui = "6869" })
    agent:send_json { call = 1, action = "dance" }
    agent:send "{"
    agent:send_json { call = 7, action = "answer" }
    local second = call()
    second:expect("frame", { json = { call = 2, status = "queued" } })
    second:send_json { call = 1, action = "answer" } -- no agent's
    agent:send_json { call = 1, action = "answer" }
    first:expect("frame", { json = { status = "inCall" } })
    agent:expect("frame", { json = { call = 1, status = "inCall", cid = "room" } })
    expect(states(first), { "setup", "alerting", "ringing", "mediaPending", "inCall" })
    agent:send_json { call = 1, action = "answer" }
    agent:send_json { call = 1, action = "reject" }
    agent:send_json { call = 1, action = "hang_up" }
    first:expect("disconnected", { code = 1000, clean = true })
    expect(states(first)[6], "ended")
    agent:expect("frame", { json = { call = 1, status = "ended" } })
    agent:expect("frame", { json = { call = 2, status = "ringing", cid = "room" } })
    second:expect("frame", { json = { status = "ringing" } })
    expect(states(second), { "setup", "queued", "alerting", "ringing" })
    -- Nobody answers in time.
    agent:expect("frame", { json = { call = 2, status = "ended" } }, { within = "6s" })
    second:expect("disconnected", { code = 1000 })
    expect(states(second)[5], "timedOut")
    expect({ wire.fresh(server).calls, server.ignored }, { 0, 6 })
    -- Whoever goes takes its call along.
    local third = call()
    agent:expect("frame", { json = { call = 3, status = "ringing" } })
    third:drop()
    agent:expect("frame", { json = { call = 3, status = "ended" } })
    local fourth = call()
    agent:expect("frame", { json = { call = 4, status = "ringing" } })
    agent:drop()
    fourth:expect("frame", { json = { call = 4, status = "ended" } })
    expect(wire.fresh(server).calls, 0)
    local fifth = call() -- with nobody on duty the server answers by itself
    fifth:expect("frame", { json = { call = 5, status = "inCall" } })
    expect(states(fifth), { "setup", "alerting", "ringing", "mediaPending", "inCall" })
    t:allow "disconnected"
end)
