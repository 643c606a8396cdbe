-- What an agent's client says on the wire and makes of what it hears, with a consumer who speaks the protocol by hand.
local liveassist = require "liveassist"
local wire = require "wire"

local faults = {
    delay = "what was sent later over another connection is there before", reorder = "frames of several participants",
    malformed_json = "the frames are read by the scenario", duplicate = "frames have no number",
}
local function options(...) return { tags = { "wire", ... }, faults = faults } end

-- A consumer by hand with a topic for the screen, and an agent in its session.
local function session(t, settings, server_options)
    local server = t:server(liveassist, server_options or {})
    local ada = wire.participant(t, server, { role = "consumer", name = "Ada" })
    ada.send("open_private", 0, string.pack("<I2", 0) .. json.encode { type = "shared-window" })
    ada.screen = wire.entry(ada.expect("open_private", 0).payload).id
    settings = settings or {}
    settings.role, settings.name = "agent", "Sam"
    local agent = t:actor(liveassist, settings)
    agent:join(nil, "room")
    agent:expect("connected", { correlation_id = "room" })
    ada.agent = ada.expect("join", 0).source
    repeat wait "50ms" until agent.participant -- so that the lists have come to the agent, and it knows of the screen
    wait "50ms"
    t:allow { "screen", "form", "cobrowse_active" }
    return agent, ada, server
end

-- The same, and the agent looks at the screen; both its own topics are there, and the consumer is in them.
local function watching(t, settings, server_options)
    local agent, ada, server = session(t, settings, server_options)
    agent:request_cobrowse()
    expect(ada.expect("permission", ada.screen).payload, wire.permission(ada.agent, 1))
    ada.send("permission", ada.screen, wire.permission(ada.agent, 2))
    ada.expect("join", ada.screen)
    for _, kind in ipairs { "annotation", "spotlight" } do
        local opened = wire.entry(ada.expect("open", ada.screen).payload)
        expect(opened.metadata, { type = kind })
        ada[kind] = opened.id
        ada.send("join", opened.id)
        ada.expect("participants", opened.id)
    end
    ada.say(ada.screen, 8002)
    agent:expect("cobrowse_active", { active = true })
    return agent, ada, server
end

local function box(id, x, y, width, height, more)
    local element = { id = id, type = "label", label = id, x = x, y = y, width = width, height = height }
    for name, value in pairs(more or {}) do element[name] = value end
    return element
end

-- Draws a picture for the agent; nil is the whole screen.
local function draw(ada, place, elements)
    local x, y, width, height = table.unpack(place or { 0, 0, 100, 200 })
    local content = { x = x, y = y, width = width, height = height, elements = elements, full = place == nil }
    ada.say(ada.screen, 1003, x, y, 100, 200, 1, wire.picture(content))
end

scenario("what is drawn in a rectangle takes the place of what was seen there", options "screen", function(t)
    local agent, ada = watching(t)
    draw(ada, nil, { box("a", 0, 0, 10, 10), box("b", 0, 20, 10, 10), box("c", 0, 40, 10, 10) })
    agent:expect("screen", { width = 100, height = 200, full = true })
    local function view(...)
        local ids = {}
        for _, element in ipairs(agent:view()) do ids[#ids + 1] = element.id end
        expect(ids, { ... })
    end
    view("a", "b", "c")
    draw(ada, { 0, 20, 10, 10 }, { box("B", 0, 20, 10, 10) }) -- as many as before: in the same place
    agent:expect("screen", { full = false })
    view("a", "B", "c")
    draw(ada, { 0, 0, 10, 30 }, { box("one", 0, 0, 10, 30) }) -- fewer: above all others
    agent:expect("screen", { full = false })
    view("c", "one")
    draw(ada, { 0, 30, 10, 20 }, { box("x", 0, 30, 10, 10), box("y", 0, 40, 10, 10) }) -- "one" ends where this begins
    agent:expect("screen", { full = false })
    view("one", "x", "y")
    draw(ada, { 10, 0, 10, 50 }, {}) -- beside all of them
    agent:expect("screen", { full = false })
    view("one", "x", "y")
    draw(ada, { 9, 29, 1, 1 }, {})
    agent:expect("screen", { full = false })
    view("x", "y")
    expect(agent.frames, 6)
    -- A picture of another product shows nothing that a script could read.
    ada.say(ada.screen, 1003, 0, 0, 100, 200, 2, "\xFF\xD8 a JPEG")
    agent:expect("screen", { size = 9, elements = match.absent, full = match.absent })
    view("x", "y")
    ada.say(ada.screen, 8001)
    agent:expect("cobrowse_active", { active = false })
    expect({ agent.frames, agent.active, agent.cobrowsing }, { 7, false, true })
end)

scenario("what cannot be read is told, and the session goes on", options "errors", function(t)
    local agent, ada = watching(t)
    local function told(what) agent:expect("error", { code = 2, name = "SOCKET", message = match.contains(what) }) end
    ada.say(ada.screen, 1003, 0, 0, 100, 200, 1, wire.picture '{"elements":[')
    told "a picture that says what it shows so that it cannot be read"
    expect(agent.frames, 0)
    for _, bytes in ipairs { "", "\1", wire.words(1003, 0, 0), wire.words(1003, 0, 0, 1, 1, 9), wire.words(31000), wire.words(4006) } do
        ada.send("message", ada.screen, bytes)
        told "that cannot be read"
    end
    ada.send("open", 0, json.encode { type = "snapshot" })
    local topic = wire.entry(ada.expect("open", 0).payload).id
    ada.expect("join", topic)
    ada.say(topic, 5001)
    ada.say(topic, 5002, wire.picture "{")
    ada.say(topic, 5003)
    told "a snapshot that says what it shows so that it cannot be read"
    ada.say(topic, 5003) -- without a beginning it is none
    ada.say(topic, 5002, "lost")
    ada.say(topic, 5001)
    ada.say(topic, 5002, "half of")
    ada.say(topic, 5001)
    ada.say(topic, 5002, wire.picture { elements = { { id = "a" } } })
    ada.say(topic, 5003)
    agent:expect("snapshot", { elements = { { id = "a" } } })
    expect(agent:events "snapshot", match.count(1))
    expect({ agent.state, agent.cobrowsing }, { "joined", true })
end)

scenario("mouse, keyboard and links of an agent on the wire", options "input", function(t)
    local agent, ada = watching(t)
    draw(ada, nil, { box("a", 10, 20, 31, 41), box("b", 0, 100, 10, 10), box("a", 50, 60, 10, 10) })
    agent:expect "screen"
    agent:click(3, 4)
    expect({ ada.heard(ada.screen, 3001), ada.heard(ada.screen, 3002) }, { wire.words(3, 4, 0), wire.words(3, 4, 0) })
    agent:click(nil, nil, "a") -- the one that was drawn last
    expect(ada.heard(ada.screen, 3001), wire.words(55, 65, 0))
    agent:mouse_down(1, 2)
    expect(ada.heard(ada.screen, 3001), wire.words(1, 2, 0))
    agent:mouse_up(5, 6)
    expect(ada.heard(ada.screen, 3002), wire.words(55, 65, 0))
    expect(ada.heard(ada.screen, 3002), wire.words(5, 6, 0))
    agent:double_click(nil, nil, "b")
    expect(ada.heard(ada.screen, 3003), wire.words(5, 105))
    agent:move_mouse(99, 100)
    expect(ada.heard(ada.screen, 3004), wire.words(99, 100))
    for _, place in ipairs { { 100, 0 }, { 0, 200 }, { -1, 0 }, { 99999, -99999 } } do
        for _, method in ipairs { "move_mouse", "click", "point" } do
            local done, why = pcall(agent[method], agent, place[1], place[2])
            expect({ done, tostring(why) }, { false, match.contains "outside of the screen of 100 × 200 pixels" })
        end
    end
    agent:type_text("Grüße", 7, 8)
    expect(ada.heard(ada.screen, 6003), wire.words(7, 8, "Grüße"))
    for number, direction in ipairs { "up", "down", "left", "right" } do
        agent:scroll(direction)
        expect(ada.heard(ada.screen, 7000 + number), "")
    end
    agent:scroll()
    expect(ada.heard(ada.screen, 7002), "")
    agent:draw("M 1 2 L 3 4", "#00ff00", 3, 0.5)
    expect(ada.heard(ada.annotation, 2002),
        '<path d="M 1 2 L 3 4" stroke="#00ff00" stroke-width="3.0" stroke-opacity="0.5" fill="none"/>')
    agent:clear_annotations()
    expect(ada.heard(ada.annotation, 2001), "")
    agent:point(11, 12)
    expect(ada.heard(ada.spotlight, 9001), wire.words(11, 12))
    local function told() return json.decode(ada.expect("message", 0).payload) end
    agent:push_link "https://shop.example/"
    expect(told(), { type = "url", url = "https://shop.example/" })
    agent:start_zoom()
    agent:expect("zoom", { active = true, callback = "zoomStarted" })
    expect(told(), { type = "startZoom" })
    agent:end_zoom()
    agent:expect("zoom", { active = false, callback = "zoomEnded" })
    expect(told(), { type = "endZoom" })
    for _, place in ipairs { { nil, nil, "nothing" }, { 1 }, { nil, 2 } } do
        expect(pcall(agent.click, agent, table.unpack(place, 1, 3)), false)
    end
    -- What the consumer's side says of its mouse and its clicks.
    ada.say(ada.screen, 3004, 8, 9)
    agent:expect("remote_input", { type = "mouse_move", x = 8, y = 9 })
    ada.say(ada.annotation, 2001, "<path/>") -- a set that is not empty clears nothing
    ada.say(ada.annotation, 2001)
    agent:expect "annotations_cleared"
    expect(agent:events "annotations_cleared", match.count(1))
end)

scenario("what an agent draws before the consumer has come waits for it, and goes with the permission", options "drawing", function(t)
    local agent, ada, server = session(t)
    agent:request_cobrowse()
    ada.expect("permission", ada.screen)
    ada.send("permission", ada.screen, wire.permission(ada.agent, 2))
    ada.expect("join", ada.screen)
    ada.say(ada.screen, 8002)
    agent:expect("cobrowse_active", { active = true })
    agent:draw "M 1 1 L 2 2"
    agent:point(3, 4)
    agent:draw "M 5 5 L 6 6"
    local opened = {}
    for _ = 1, 2 do
        local entry = wire.entry(ada.expect("open", ada.screen).payload)
        opened[entry.metadata.type] = entry.id
    end
    wait "200ms"
    expect(ada.frames "message", {})
    ada.send("join", opened.spotlight)
    expect(ada.heard(opened.spotlight, 9001), wire.words(3, 4))
    ada.send("join", opened.annotation)
    expect(ada.heard(opened.annotation, 2002), match.contains "M 1 1 L 2 2")
    expect(ada.heard(opened.annotation, 2002), match.contains "M 5 5 L 6 6")
    -- One who left and comes again is in its own topics again, and draws there.
    agent:leave_cobrowse()
    ada.expect("leave", ada.screen)
    ada.expect("leave", opened.annotation)
    expect(pcall(agent.draw, agent, "M 1 1 L 2 2"), false)
    agent:request_cobrowse()
    ada.expect("permission", ada.screen)
    ada.send("permission", ada.screen, wire.permission(ada.agent, 2))
    ada.expect("join", ada.screen)
    ada.expect("join", opened.annotation)
    ada.say(ada.screen, 8002)
    agent:expect("cobrowse_active", { active = true })
    agent:draw "M 7 7 L 8 8"
    expect(ada.heard(opened.annotation, 2002), match.contains "M 7 7 L 8 8")
    expect({ wire.fresh(server).sessions[1].topics, #ada.frames "message" }, { 3, 4 })
end)

scenario("an agent whose connection is back draws in the topics that it has", {
    tags = { "wire", "drawing", "reconnect" }, faults = faults,
}, function(t)
    local agent, ada, server = watching(t, { retryIntervals = { 0.1, 0.1 } })
    server:drop "agent"
    agent:expect("cobrowse_active", { active = false })
    agent:expect(seq { event "reconnecting", event "reconnected" })
    local back = ada.expect("join", 0).source
    expect(back ~= ada.agent)
    ada.send("permission", ada.screen, wire.permission(back, 2))
    expect(ada.expect("join", ada.screen).source, back)
    ada.expect("join", ada.annotation)
    ada.expect("join", ada.spotlight)
    ada.say(ada.screen, 8002)
    agent:expect("cobrowse_active", { active = true })
    agent:draw "M 1 1 L 2 2"
    expect(ada.heard(ada.annotation, 2002), match.contains "M 1 1 L 2 2")
    agent:point(3, 4)
    expect(ada.heard(ada.spotlight, 9001), wire.words(3, 4))
    expect(wire.fresh(server).sessions[1].topics, 3)
end)

scenario("an agent that was away longer than its topics opens them anew", {
    tags = { "wire", "drawing", "reconnect" }, faults = faults,
}, function(t)
    local agent, ada, server = watching(t, { retryIntervals = { 2, 2 } }, { grace = "1s" })
    server:drop "agent"
    agent:expect("cobrowse_active", { active = false })
    ada.expect("close", ada.annotation)
    ada.expect("close", ada.spotlight)
    agent:expect(seq { event "reconnecting", event "reconnected" })
    local back = ada.expect("join", 0).source
    ada.send("permission", ada.screen, wire.permission(back, 2))
    local opened = {}
    for _ = 1, 2 do
        local entry = wire.entry(ada.expect("open", ada.screen).payload)
        opened[entry.metadata.type] = entry.id
        ada.send("join", entry.id)
        ada.expect("participants", entry.id)
    end
    ada.say(ada.screen, 8002)
    agent:expect("cobrowse_active", { active = true })
    agent:draw "M 1 1 L 2 2"
    expect(ada.heard(opened.annotation, 2002), match.contains "M 1 1 L 2 2")
    expect(wire.fresh(server).sessions[1].topics, 3)
end)

scenario("only the consumer speaks for its screen", options "screen", function(t)
    local agent, ada, server = watching(t)
    local max = wire.participant(t, server, { role = "agent", name = "Max" })
    ada.expect("join", 0)
    ada.send("permission", ada.screen, wire.permission(max.id, 2))
    max.expect("permission", ada.screen)
    max.send("join", ada.screen)
    max.expect("participants", ada.screen)
    max.say(ada.screen, 8001)
    max.say(ada.screen, 1003, 0, 0, 1, 1, 1, wire.picture { elements = { { id = "forged" } } })
    max.send("message", 0, json.encode { type = "consumerEndedSupport" })
    max.send("permission", ada.screen, wire.permission(max.id, 1)) -- about another one
    ada.send("permission", ada.screen, wire.permission(max.id, 3))
    max.expect("permission", ada.screen, function(payload) return payload == wire.permission(max.id, 3) end)
    agent:expect_silence("300ms", any { "screen", "ended", "cobrowse_active" })
    expect({ agent.frames, agent.active, agent.cobrowsing, agent:view() }, { 0, true, true, {} })
    agent:request_cobrowse() -- who watches has nothing to ask for, and so cannot be refused
    ada.send("permission", ada.screen, wire.permission(ada.agent, 3))
    agent:expect("cobrowse_active", { active = false })
    expect({ agent.cobrowsing, agent:events "cobrowse_rejected" }, { false, {} })
    ada.send("message", 0, json.encode { type = "consumerEndedSupport" })
    agent:expect("ended", { callback = "consumerEndedSupport" })
    ada.send("leave", 0)
    agent:expect("consumer_left", { name = "Ada" })
    t:allow "disconnected"
end)

scenario("an agent without a screen asks all, and is refused by a word", options "admission", function(t)
    local server = t:server(liveassist)
    local ada = wire.participant(t, server, { role = "consumer", name = "Ada" })
    local agent = t:actor(liveassist, { role = "agent", name = "Sam" })
    agent:join(nil, "room")
    agent:expect "connected"
    local id = ada.expect("join", 0).source
    ada.send("message", 0, json.encode { type = "rejectScreenShare" }) -- nobody has asked
    agent:request_cobrowse()
    expect(json.decode(ada.expect("message", 0).payload), { type = "requestScreenShare" })
    ada.send("message", 0, json.encode { type = "rejectScreenShare" })
    agent:expect("cobrowse_rejected", { callback = "screenShareRejected" })
    expect(agent:events "cobrowse_rejected", match.count(1))
    -- Of several topics of a kind the screen is the private one below the session.
    ada.send("open", 0, json.encode { type = "shared-window" })
    ada.send("open_private", 0, string.pack("<I2", 0) .. json.encode { type = "shared-window" })
    local screen = wire.entry(ada.expect("open_private", 0).payload).id
    repeat wait "50ms" until #agent.windows == 1 -- the one before the screen has come to the agent
    wait "100ms"
    agent:request_cobrowse()
    expect(ada.expect("permission", screen).payload, wire.permission(id, 1))
    ada.send("permission", screen, wire.permission(id, 2))
    expect(ada.expect("join", screen).source, id)
    ada.send("open", screen, json.encode { type = "shared-window", sharedItemId = "local", key = 5, contentType = "image/png", closeable = true })
    local window = wire.entry(ada.expect("open", screen, function(payload) return payload:find "local" end).payload).id
    agent:expect("document_opened", { document = 5, id = -1, type = "image/png", shared = true })
    ada.send("open", screen, json.encode { type = "shared-window", sharedItemId = 0, closeable = true })
    ada.say(screen, 8002)
    agent:expect("cobrowse_active", { active = true })
    repeat wait "50ms" until #agent.windows == 3
    expect(agent.windows, match.all_of { match.count(3), match.has { document = 5, type = "image/png", closeable = true } })
    agent:close_document()
    expect(ada.heard(window, 1004), wire.words(2))
    ada.send("close", window)
    agent:expect("document_closed", { document = 5 })
    expect(agent.windows, match.count(2))
    ada.send("close", screen)
    agent:expect("cobrowse_active", { active = false })
    expect({ agent.windows, agent.cobrowsing }, { match.count(1), false })
end)

scenario("documents of an agent on the wire", options "documents", function(t)
    local agent, ada = watching(t)
    local content = ("0123456789"):rep(200)
    local first = agent:push_document(nil, base64.encode(content), "application/pdf", "a contract")
    expect(ada.heard(ada.screen, 4003), wire.words(first, "application/pdf"))
    wait "100ms"
    expect(#ada.frames "message", 1) -- the bytes wait until they are wanted
    for _ = 1, 2 do ada.say(ada.screen, 4006, first) end
    local bytes = ada.heard(ada.screen, 4004)
    expect(#bytes, 2 + 1400)
    bytes = bytes .. ada.heard(ada.screen, 4004):sub(3)
    expect(bytes, wire.words(first, content))
    expect(ada.heard(ada.screen, 4012), wire.words(first, "a contract"))
    expect(ada.heard(ada.screen, 4005), wire.words(first))
    ada.say(ada.screen, 4008, first)
    agent:expect("document_result", { id = first, outcome = "succeeded", callback = "succeeded" })
    local second = agent:push_document("https://shop.example/a", nil, nil, "map & more")
    expect(second, first + 1)
    expect(ada.heard(ada.screen, 4001), wire.words(second, "https://shop.example/a#sharedDocMetadata=map%20%26%20more"))
    ada.say(ada.screen, 4008, first) -- it is open already
    ada.say(ada.screen, 4007, second)
    agent:expect("document_result", { id = second, outcome = "rejected" })
    local third = agent:push_document "https://shop.example/b"
    expect(ada.heard(ada.screen, 4001), wire.words(third, "https://shop.example/b"))
    ada.say(ada.screen, 4009, third, 2, 404, "not there")
    agent:expect("document_result", { id = third, outcome = "failed", code = 2, error = match.any, http = 404, details = "not there" })
    agent:close_document()
    expect(ada.heard(ada.screen, 4010), wire.words(first)) -- the others are gone
    expect(pcall(agent.close_document, agent, third), false)
    expect(pcall(agent.push_document, agent), false)
    expect(pcall(agent.push_document, agent, nil, "no base64!"), false)
    ada.say(ada.screen, 4011, third, 2)
    ada.say(ada.screen, 4011, first, 1)
    agent:expect("document_result", { id = first, outcome = "closed", by = "consumer" })
    ada.say(ada.screen, 4011, first, 1)
    wait "100ms"
    expect(agent:events "document_result", match.count(4))
    expect(#ada.frames "message", 8)
end)

scenario("a form that comes once more is no news, and what is filled in names fields by number", options "forms", function(t)
    local agent, ada = watching(t)
    ada.send("open_private", 0, string.pack("<I2", 0) .. json.encode { type = "input" })
    local topic = wire.entry(ada.expect("open_private", 0, function(payload) return payload:find "input" end).payload).id
    expect(pcall(agent.fill_form, agent, { Name = "Ada" }), false)
    ada.send("permission", topic, wire.permission(ada.agent, 2))
    ada.expect("join", topic)
    local form = { screenId = 4, descriptors = {
        { type = "text", label = "Name", index = 0, value = "" }, { type = "checkbox", label = "News", index = 1, checked = false },
    } }
    local text = json.encode(form)
    for _ = 1, 2 do ada.say(topic, 6001, text) end
    agent:expect("form", { screen_id = 4, populated = false, fields = match.count(2) })
    agent:fill_form { Name = 7, News = true }
    expect(json.decode(ada.heard(topic, 6002)), { screenId = 4, descriptors = { { index = 0, value = "7" }, { index = 1, checked = true } } })
    form.descriptors[1].value = "7"
    ada.say(topic, 6002, json.encode(form))
    agent:expect("form", { screen_id = 4, populated = true, fields = match.has { label = "Name", value = "7" } })
    expect(agent:form(), { screenId = 4 })
    ada.say(topic, 6004, 1, 2, json.encode { clicked = { label = "News" } })
    agent:expect("remote_input", { type = "click", x = 1, y = 2, label = "News" })
    local done, why = pcall(agent.fill_form, agent, { Town = "Ulm" })
    expect({ done, tostring(why):find("it has Name, News", 1, true) ~= nil }, { false, true })
    ada.send("close", topic)
    agent:expect("form", { fields = {} })
    expect({ agent:form() == nil or agent:form() == json.null, #agent:events "form" }, { true, 3 })
    expect(pcall(agent.fill_form, agent, { Name = "Ada" }), false)
end)
