-- What a consumer's client says on the wire, to an agent who speaks the protocol by hand.
local liveassist = require "liveassist"
local wire = require "wire"

local faults = {
    delay = "what was sent later over another connection is there before", reorder = "frames of several participants",
    malformed_json = "the frames are read by the scenario", duplicate = "frames have no number",
}
local function options(...) return { tags = { "wire", ... }, faults = faults } end

-- A consumer who has admitted an agent by hand; the agent is in the topic of the screen and has read what came first.
local function watched(t, settings, permissions)
    local server = t:server(liveassist)
    settings = settings or {}
    settings.correlationId = "room"
    local consumer = t:actor(liveassist, settings)
    consumer:start_support()
    consumer:expect("connected", { first = true })
    local sam = wire.participant(t, server, { role = "agent", name = "Sam", permissions = permissions })
    consumer:expect("agent_joined_session", { agent = "Sam" })
    for _, topic in ipairs(json.decode(sam.frames("topics")[1].payload)) do
        if json.decode(topic.metadata).type == "shared-window" then sam.screen = topic.id end
        if json.decode(topic.metadata).type == "input" then sam.input = topic.id end
    end
    -- The consumer opens the topic once it is connected: the agent may come before it.
    while not sam.screen do
        local entry = wire.entry(sam.expect("open_private", 0).payload)
        if entry.metadata.type == "shared-window" then sam.screen = entry.id end
        if entry.metadata.type == "input" then sam.input = entry.id end
    end
    sam.send("permission", sam.screen, wire.permission(sam.id, 1))
    consumer:expect "cobrowse_requested"
    consumer:allow_cobrowse()
    sam.expect("permission", sam.screen, function(payload) return payload == wire.permission(sam.id, 2) end)
    sam.send("join", sam.screen)
    consumer:expect "agent_joined_cobrowse"
    consumer:expect("cobrowse_active", { active = true })
    return consumer, sam, server
end

-- The next picture on the screen of an agent: its place and size, and what it shows.
local function picture(sam)
    local payload = sam.heard(sam.screen, 1003)
    local x, y, width, height, format = string.unpack("<i2i2i2i2i2", payload)
    local shown = wire.shown(payload:sub(11))
    check({ format, shown.x, shown.y }, { 1, x, y }, "the picture")
    return { x = x, y = y, width = width, height = height, shown = shown }
end

-- The input topic, which is there as soon as there is something to fill in; the agent comes into it.
local function input(sam)
    local found = sam.input
    if not found then
        local frame = sam.expect("open_private", 0, function(payload) return wire.entry(payload).metadata.type == "input" end)
        found = wire.entry(frame.payload).id
    end
    sam.expect("permission", found, function(payload) return payload == wire.permission(sam.id, 2) end)
    sam.send("join", found)
    return found
end

local two = {
    width = 200, height = 100,
    elements = {
        { id = "name", type = "text", label = "Name", value = "Ada", x = 10, y = 10, width = 80, height = 20 },
        { id = "note", label = "Note", x = 100, y = 50, width = 50, height = 20 },
    },
}

scenario("an agent gets size, picture and state of the screen, and then what changes", options "screen", function(t)
    local consumer, sam = watched(t, { screen = two })
    expect({ string.unpack("<i2i2", sam.heard(sam.screen, 1001)) }, { 200, 100, 5 })
    local whole = picture(sam)
    expect({ whole.x, whole.y, whole.width, whole.height }, { 0, 0, 200, 100 })
    expect(whole.shown, { width = 200, height = 100, full = true, elements = {
        { id = "name", type = "text", label = "Name", value = "Ada", x = 10, y = 10, width = 80, height = 20 },
        { id = "note", type = "label", label = "Note", x = 100, y = 50, width = 50, height = 20 },
    } })
    sam.heard(sam.screen, 8002)
    local begin = now()
    consumer:change("name", "Bea")
    local part = picture(sam)
    expect(part.shown, { x = 10, y = 10, width = 80, height = 20, full = false, elements = { { id = "name", value = "Bea" } } })
    expect(#part.shown.elements, 1)
    expect({ part.width, part.height }, { 200, 100 })
    if t.clock == "virtual" then expect(now() - begin, match.near(0.5, 0.05)) end
    -- Two changes go out together, in the box around both.
    consumer:change("name", "Cleo")
    consumer:change("note", "read")
    local both = picture(sam)
    expect(both.shown, { x = 10, y = 10, width = 140, height = 60, full = false })
    expect(#both.shown.elements, 2)
    begin = now()
    sam.say(sam.screen, 7002)
    consumer:expect("remote_input", { type = "scroll", direction = "down" })
    expect(picture(sam).shown, { x = 0, y = 0, width = 200, height = 100, full = false })
    if t.clock == "virtual" then expect(now() - begin, match.near(0.75, 0.05)) end
    -- The size is told again only if it is another one.
    consumer:show_screen { width = 200, height = 100, elements = {} }
    expect(picture(sam).shown, { full = true, elements = {} })
    consumer:show_screen { width = 200, height = 120, elements = {} }
    expect({ string.unpack("<i2i2", sam.heard(sam.screen, 1001)) }, { 200, 120, 5 })
    expect(picture(sam).shown, { full = true, height = 120 })
    local sizes = 0
    for _, frame in ipairs(sam.frames "message") do
        if frame.topic == sam.screen and string.unpack("<i2", frame.payload) == 1001 then sizes = sizes + 1 end
    end
    expect(sizes, 2)
end)

scenario("while a consumer pauses nothing goes out, and then all of it", options "pause", function(t)
    local consumer, sam = watched(t, { screen = two })
    local form = input(sam)
    sam.heard(form, 6001)
    sam.heard(sam.screen, 8002)
    picture(sam)
    consumer:pause_cobrowse()
    sam.heard(sam.screen, 8001)
    consumer:pause_cobrowse()
    consumer:change("name", "Bea")
    consumer:take_snapshot()
    sam.say(sam.screen, 7001)
    sam.say(sam.screen, 6003, 20, 20, "typed")
    sam.say(form, 6002, json.encode { screenId = 1, descriptors = { { index = 0, value = "filled" } } })
    sam.send("message", 0, json.encode { type = "url", url = "https://shop.example/" })
    consumer:expect_silence("1s", any { "remote_input", "link" })
    local before = #sam.frames "message"
    consumer:resume_cobrowse()
    local after = sam.frames "message"
    sam.heard(sam.screen, 8002)
    expect(picture(sam).shown, { full = true, elements = match.has { id = "name", value = "Bea" } })
    expect(json.decode(sam.heard(form, 6001)).descriptors, { { label = "Name", value = "Bea" } })
    expect(#after, before)
    wait "1s" -- what changed in the pause does not come once more
    local pictures = 0
    for _, frame in ipairs(sam.frames "message") do
        if frame.topic == sam.screen and string.unpack("<i2", frame.payload) == 1003 then pictures = pictures + 1 end
    end
    expect(pictures, 2)
    expect(consumer:screen().elements[1].value, "Bea")
end)

scenario("a form goes out with its number, and only what fits it is filled in", options "forms", function(t)
    local consumer, sam = watched(t, {
        screen = {
            elements = {
                { id = "name", type = "text", label = "Name", value = "" },
                { id = "news", type = "checkbox", label = "News", value = "true" },
                { id = "size", type = "select", label = "Size", options = { "S", "M" } },
                { id = "staff", type = "text", label = "Staff", permission = "staff", value = "" },
            },
        },
    })
    local form = input(sam)
    local offered = json.decode(sam.heard(form, 6001))
    expect(offered, { screenId = 1, descriptors = {
        { type = "text", label = "Name", index = 0, value = "" },
        { type = "checkbox", label = "News", index = 1, checked = true, value = match.absent },
        { type = "select", label = "Size", index = 2, value = "", options = {
            { value = "S", label = "S" }, { value = "M", label = "M" },
        } },
    } })
    local function fill(screen, ...) sam.say(form, 6002, json.encode { screenId = screen, descriptors = { ... } }) end
    fill(2, { index = 0, value = "another form" })
    fill(1, { index = 3, value = "no such field" })
    fill(1, { index = -1, value = "no such field" }, { value = "no field" }, { index = 0, value = 7 }, { index = 0 })
    fill(1, { index = 0, value = ("x"):rep(10001) })
    fill(1, { index = 0, checked = true }, { index = 1, value = "perhaps" }, { index = 1, checked = "yes" }, { index = 2, value = "XL" })
    fill(1, { index = 0, value = "Ada" }, { index = 1, checked = false })
    consumer:expect("remote_input", { type = "fill", element = "name", value = "Ada", agent = "Sam" })
    consumer:expect("remote_input", { type = "fill", element = "news", value = "false" })
    local confirmed = json.decode(sam.heard(form, 6002))
    expect(confirmed, { screenId = 1, descriptors = { { value = "Ada" }, { checked = false }, { label = "Size" } } })
    expect(#consumer:events "remote_input", 2)
    sam.say(sam.screen, 3001, 20, 60, 0)
    sam.say(sam.screen, 3002, 20, 60, 0)
    consumer:expect("remote_input", { type = "toggle", element = "news", value = "true" })
    local clicked = sam.heard(form, 6004)
    expect({ string.unpack("<i2i2", clicked) }, { 20, 60, 5 })
    expect(json.decode(clicked:sub(5)), { screenId = 1, by = sam.id, clicked = { type = "checkbox", label = "News", index = 1 } })
    -- Another screen has another number, and one without fields no topic.
    consumer:show_screen { elements = { { id = "town", type = "text", label = "Town", value = "" } } }
    expect(json.decode(sam.heard(form, 6001)), { screenId = 2, descriptors = { { label = "Town", index = 0 } } })
    consumer:show_screen { elements = {} }
    sam.expect("close", form)
    t:allow "remote_input"
end)

scenario("a snapshot goes to those who have come for it", options "screen", function(t)
    local consumer, sam = watched(t, { screen = two })
    consumer:take_snapshot()
    local topic = wire.entry(sam.expect("open_private", 0, function(payload)
        return wire.entry(payload).metadata.type == "snapshot"
    end).payload).id
    sam.expect("permission", topic, function(payload) return payload == wire.permission(sam.id, 2) end)
    expect(sam.frames("message")[#sam.frames "message"].topic ~= topic)
    sam.send("join", topic)
    local function snapshot()
        sam.heard(topic, 5001)
        local bytes, longest = "", 0
        repeat
            local payload = sam.expect("message", topic).payload
            local code, part = string.unpack("<i2", payload), payload:sub(3)
            if code == 5002 then bytes, longest = bytes .. part, math.max(longest, #part) end
        until code == 5003
        return wire.shown(bytes), longest
    end
    expect(snapshot(), { snapshot = true, elements = { { id = "name", value = "Ada" }, { id = "note" } } })
    local many = {}
    for number = 1, 40 do many[number] = { id = "e" .. number, label = ("long "):rep(10) .. number } end
    consumer:show_screen { elements = many }
    consumer:take_snapshot()
    local shown, longest = snapshot()
    expect({ #shown.elements, longest }, { 40, 1400 })
    expect(shown.elements[40].label, many[40].label)
end)

scenario("documents are accepted, shown in windows of their own, and closed", options "documents", function(t)
    local consumer, sam = watched(t, {
        screen = { width = 300, height = 200, elements = {} },
        documentViewConstraints = { left = 10, top = 20, right = 30, bottom = 40 },
    })
    local function window()
        local entry = wire.entry(sam.expect("open", sam.screen).payload)
        sam.send("join", entry.id)
        sam.expect("participants", entry.id)
        return entry.id, entry.metadata
    end
    sam.say(sam.screen, 4003, 0, "Application/PDF")
    expect(sam.heard(sam.screen, 4006), wire.words(0))
    sam.say(sam.screen, 4003, 0, "application/pdf") -- the same once more
    sam.say(sam.screen, 4004, 0, "%PDF")
    sam.say(sam.screen, 4004, 1, "of another document")
    sam.say(sam.screen, 4004, 0, "-1.4")
    sam.say(sam.screen, 4012, 0, "a contract")
    sam.say(sam.screen, 4005, 0)
    local first, metadata = window()
    expect(metadata, { type = "shared-window", moveable = true, resizeable = true, interactive = true, closeable = true, zoomable = true, sharedItemId = 0 })
    expect(sam.heard(sam.screen, 4008), wire.words(0))
    consumer:expect("document_opened", {
        id = 0, type = "application/pdf", metadata = "a contract", size = 8, x = 10, y = 20, width = 260, height = 140,
    })
    -- Where a document is, is told to those who come into its window.
    expect({ string.unpack("<i2i2", sam.heard(first, 1001)) }, { 260, 140, 5 })
    expect({ string.unpack("<i2i2i2", sam.heard(first, 1002)) }, { 10, 20, 0, 7 })
    sam.say(sam.screen, 4001, 1, "/documents/200/image/png#sharedDocMetadata=a%20map%20%26%20more")
    expect(sam.heard(sam.screen, 4006), wire.words(1))
    consumer:expect("completed", { status = 200, url = "/documents/200/image/png", type = match.any })
    local second = window()
    expect(sam.heard(sam.screen, 4008), wire.words(1))
    consumer:expect("document_opened", { id = 1, type = "image/png", metadata = "a map & more", size = 11 })
    expect(consumer.documents, 2)
    sam.say(sam.screen, 4010, 7)
    sam.say(sam.screen, 4010, 0)
    expect(sam.heard(first, 1004), wire.words(2))
    sam.expect("close", first)
    expect(sam.heard(sam.screen, 4011), wire.words(0, 2))
    consumer:expect("document_closed", { id = 0, by = "agent", initiator = 1 })
    sam.say(second, 1004, 2)
    sam.expect("close", second)
    expect(sam.heard(sam.screen, 4011), wire.words(1, 2))
    consumer:expect("document_closed", { id = 1, by = "agent", initiator = 1 })
    expect(consumer.documents, 0)
    -- What cannot be shown is told with its reason.
    for number, case in ipairs {
        { { 4003, "text/html" }, "the type text/html cannot be displayed", 3, 0 },
        { { 4001, "/documents/503/image/png" }, "the server answered 503", 2, 503 },
        { { 4001, "/documents/200/text/plain" }, "the type text/plain cannot be displayed", 3, 200 },
        { { 4001, "ht!tp://" }, "the URL cannot be read", 1, 0 },
    } do
        sam.say(sam.screen, case[1][1], number + 1, case[1][2])
        local id, code, http = string.unpack("<i2i2i2", sam.heard(sam.screen, 4009))
        expect({ id, code, http }, { number + 1, case[3], case[4] })
        consumer:expect("document_error", { code = case[3], reason = case[2] })
    end
    local share = consumer:share_document(nil, base64.encode "%PDF", "application/pdf")
    local own, ours = window()
    expect(ours, { sharedItemId = "local", contentType = "application/pdf", key = share })
    consumer:expect("document_opened", { id = -1, size = 4, url = match.absent })
    consumer:end_support()
    expect(sam.heard(own, 1004), wire.words(3))
    expect(json.decode(sam.expect("message", 0).payload), { type = "consumerEndedSupport" })
    sam.expect("leave", 0)
    sam.expect("close", 0)
    sam.socket:expect("disconnected", { code = 1000 })
    consumer:expect("document_closed", { id = -1, by = "support_ended", initiator = 3 })
    t:allow { "completed", "error", "terminated", "cobrowse_active", "agent_left_cobrowse", "agent_left_session" }
end)

scenario("an agent is sent away with all it had, and one who asks for others is not heard", options "admission", function(t)
    local consumer, sam, server = watched(t, { screen = two, agentCobrowseDelegate = true })
    local form = input(sam)
    local max = wire.participant(t, server, { role = "agent", name = "Max" })
    consumer:expect("agent_joined_session", { agent = "Max" })
    sam.send("permission", sam.screen, wire.permission(max.id, 1))
    max.send("join", sam.screen)
    max.say(sam.screen, 7001)
    consumer:disallow_cobrowse "Max" -- denied and then nothing, so that it may ask
    for _, value in ipairs { 3, 0 } do
        expect(max.expect("permission", sam.screen, function(payload) return payload:sub(1, 2) == string.pack("<I2", max.id) end).payload,
            wire.permission(max.id, value))
    end
    consumer:disallow_cobrowse "Sam"
    consumer:expect("agent_left_cobrowse", { agent = "Sam" })
    for _, topic in ipairs { sam.screen, form } do
        sam.expect("permission", topic, function(payload) return payload == wire.permission(sam.id, 3) end)
    end
    sam.say(sam.screen, 7001)
    sam.say(form, 6002, "{}")
    sam.send("join", sam.screen)
    sam.send "ping"
    sam.expect "pong"
    expect({ consumer:events "remote_input", consumer:events "cobrowse_requested" }, { {}, match.count(1) })
    expect(consumer.agents, { { agent = "Sam", cobrowsing = false }, { agent = "Max", cobrowsing = false } })
    -- Whoever asks last is meant by an answer without a name.
    sam.send("permission", sam.screen, wire.permission(sam.id, 1))
    consumer:expect("cobrowse_requested", { agent = "Sam" })
    max.send("permission", sam.screen, wire.permission(max.id, 1))
    consumer:expect("cobrowse_requested", { agent = "Max" })
    consumer:allow_cobrowse()
    max.expect("permission", sam.screen, function(payload) return payload == wire.permission(max.id, 2) end)
    max.send("leave", 0)
    consumer:expect("agent_left_session", { agent = "Max" })
    consumer:allow_cobrowse() -- the only one who is left
    sam.expect("permission", sam.screen, function(payload) return payload == wire.permission(sam.id, 2) end)
    sam.send("join", sam.screen)
    consumer:expect("agent_joined_cobrowse", { agent = "Sam" })
    t:allow { "cobrowse_active", "disconnected" }
end)

scenario("the window of the agent's video is there with the call", options "windows", function(t)
    local server = t:server(liveassist)
    for _, mode in ipairs { "agentOnly", "none" } do
        local consumer = t:actor(liveassist, { destination = "sales", videoMode = mode, isAgentWindowOnTop = true })
        consumer:start_support()
        consumer:expect "connected"
        local agent = t:actor(liveassist, { role = "agent", name = "Sam" })
        agent:join(nil, nil, consumer)
        agent:expect "connected"
        agent:request_cobrowse()
        consumer:expect "cobrowse_requested"
        consumer:allow_cobrowse()
        agent:expect("cobrowse_active", { active = true })
        wait "200ms"
        expect(agent.windows, mode == "none" and {} or { { on_top = true } })
        agent:leave_session()
        consumer:expect "agent_left_session"
        consumer:end_support()
        consumer:expect "support_ended"
        wait "100ms"
    end
    expect(wire.fresh(server).calls, 0)
    t:allow { "cobrowse_active", "agent_joined_session", "agent_joined_cobrowse", "agent_left_cobrowse", "terminated" }
end)
