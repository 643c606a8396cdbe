-- Where one rule ends and the next begins: limits, repetitions, and what is over.
local liveassist = require "liveassist"
local beginnings = require "beginnings"

-- A consumer whose screen an agent watches, each with further options.
local function cobrowsing(t, options, agent_options)
    local consumer, agent = beginnings.cobrowsing(t, options, agent_options)
    agent:expect("cobrowse_active", { active = true })
    t:allow "cobrowse_active"
    return consumer, agent
end

scenario("an agent who was let in and is sent away was not refused", { tags = { "admission" } }, function(t)
    local consumer, agent = cobrowsing(t)
    consumer:disallow_cobrowse()
    consumer:expect "agent_left_cobrowse"
    agent:expect("cobrowse_active", { active = false })
    agent:expect_silence("1s", "cobrowse_rejected")
    expect({ agent.cobrowsing, agent:view() }, { false, {} })
end)

scenario("an agent waits half a minute for its first connection", {
    tags = { "connection" }, faults = {
        delay = "the limit counts from a handshake that begins late", clock_jump = "the limit is that of the agent's clock",
    },
}, function(t)
    local server = t:server(liveassist)
    local consumer = t:actor(liveassist, { correlationId = "room" })
    consumer:start_support()
    consumer:expect "connected"
    server:refuse_handshakes(1, 0) -- it is never answered
    local agent = t:actor(liveassist, { role = "agent", name = "Sam" })
    local begin = now()
    agent:join(nil, nil, consumer)
    agent:expect("error", { code = 2, name = "SOCKET" }, { within = "2m" })
    expect(now() - begin, match.between(30, 40))
    expect(agent.state, "idle")
end)

scenario("without a limit of time the session may take as long as it likes", {
    tags = { "connection" }, timeout = "10m",
}, function(t)
    t:server(liveassist)
    t:network { latency = "8s" } -- a handshake takes more than the 30 s that it may unless the application says so
    local consumer = t:actor(liveassist, { correlationId = "room", timeout = 0, initialConnectTimeout = 0 })
    consumer:start_support()
    consumer:expect("connected", { first = true }, { within = "9m" })
    expect(consumer:events "error", {})
    t:network {}
end)

scenario("the mouse has a first button, and down and up name it", { tags = { "input" } }, function(t)
    local consumer, agent = cobrowsing(t, { screen = { elements = { { id = "send", type = "button", label = "Send" } } } })
    agent:click(nil, nil, "send")
    consumer:expect(seq {
        event("remote_input", { type = "mouse_down", button = 0, element = "send" }),
        event("remote_input", { type = "mouse_up", button = 0, element = "send" }),
        event("remote_input", { type = "click", element = "send" }),
    })
    agent:mouse_down(nil, nil, "send")
    consumer:expect("remote_input", { type = "mouse_down", button = 0 })
    agent:mouse_up(nil, nil, "send")
    consumer:expect("remote_input", { type = "mouse_up", button = 0 })
    t:allow "remote_input"
end)

scenario("of the radio buttons of a group one is on, whoever turns it on", { tags = { "input", "forms" } }, function(t)
    local function radio(id, group, value) return { id = id, type = "radio", label = id, group = group, value = value or "false" } end
    local consumer, agent = cobrowsing(t, {
        screen = {
            elements = {
                radio("red", "color", "true"), { id = "more", elements = { radio("blue", "color") } }, radio("small", "size", "true"),
                radio("alone", nil, "true"),
            },
        },
    })
    local function on()
        local found = {}
        for _, element in ipairs(consumer:screen().elements) do
            for _, radio in ipairs(element.elements or { element }) do
                if radio.value == "true" then found[#found + 1] = radio.id end
            end
        end
        return found
    end
    local form = agent:expect "form"
    expect(form.fields, match.all_of { match.has { label = "red", radioGroup = "color" }, match.has { label = "alone", radioGroup = match.absent } })
    agent:fill_form { blue = true }
    consumer:expect("remote_input", { type = "fill", element = "blue", value = "true" })
    expect(on(), { "blue", "small", "alone" })
    agent:expect("form", { populated = true, fields = match.has { label = "red", checked = false } })
    agent:click(nil, nil, "red")
    consumer:expect("remote_input", { type = "toggle", element = "red", value = "true" })
    expect(on(), { "red", "small", "alone" })
    consumer:change("blue", "true")
    expect(on(), { "blue", "small", "alone" })
    local done, why = pcall(consumer.show_screen, consumer, { elements = { { id = "x", type = "text", group = "color" } } })
    expect({ done, tostring(why) }, { false, match.contains "is for radios" })
    t:allow "remote_input"
end)

scenario("a field takes what it offers and nothing else", { tags = { "forms" } }, function(t)
    local consumer, agent = cobrowsing(t, {
        screen = {
            elements = {
                { id = "size", type = "select", label = "Size", value = "S", options = { "S", "M" } },
                { id = "terms", type = "checkbox", label = "Terms", value = "false" },
                { id = "city", type = "text", label = "City" },
            },
        },
    })
    local form = agent:expect "form"
    for _, case in ipairs { { { Size = "XL" }, "it offers S, M" }, { { Terms = "yes" }, "is on or off" } } do
        local done, why = pcall(agent.fill_form, agent, case[1])
        expect({ done, tostring(why) }, { false, match.contains(case[2]) })
    end
    agent:fill_form { City = "Bonn" }
    consumer:expect("remote_input", { element = "city", value = "Bonn" })
    expect(consumer:events "remote_input", match.count(1))
end)

scenario("a radio button stays on however often it is clicked, a tick goes", { tags = { "input" } }, function(t)
    local consumer, agent = cobrowsing(t, {
        screen = {
            elements = {
                { id = "plan", type = "radio", label = "Plan", value = "false" },
                { id = "terms", type = "checkbox", label = "Terms", value = "false" },
                { id = "mails", type = "switch", label = "Mails", value = "true" },
            },
        },
    })
    for _, value in ipairs { "true", "true" } do
        agent:click(nil, nil, "plan")
        consumer:expect("remote_input", { type = "toggle", element = "plan", value = value })
    end
    for _, value in ipairs { "true", "false" } do
        agent:click(nil, nil, "terms")
        consumer:expect("remote_input", { type = "toggle", element = "terms", value = value })
    end
    agent:click(nil, nil, "mails")
    consumer:expect("remote_input", { type = "toggle", element = "mails", value = "false" })
    for element, value in pairs { plan = "true", terms = "false", mails = "false" } do
        expect(consumer:screen().elements, match.has { id = element, value = value })
    end
    t:allow "remote_input"
end)

scenario("an agent is told the size of a new screen, and no number of pixels is larger than the protocol's", function(t)
    local consumer, agent = beginnings.cobrowsing(t, { screen = { width = 300, height = 400, elements = {} } })
    t:allow "cobrowse_active"
    agent:expect("screen", { full = true, width = 300, height = 400 })
    consumer:show_screen { width = 200, height = 100, elements = { { id = "a", label = "Small" } } }
    agent:expect("screen", { full = true, width = 200, height = 100, elements = match.has { label = "Small" } })
    consumer:show_screen { width = 100000, height = 50, elements = { { id = "b", label = "Wide" } } }
    agent:expect("screen", { full = true, width = 32767, height = 50, elements = match.has { label = "Wide" } })
end)

scenario("a zoom has a window as long as it lasts", {
    tags = { "windows" }, faults = { delay = "a topic that is opened late is counted only afterwards" },
}, function(t)
    local server = t:server(liveassist)
    local consumer = t:actor(liveassist, { correlationId = "room", agentCobrowseDelegate = true })
    local agent = t:actor(liveassist, { role = "agent", name = "Sam" })
    consumer:start_support()
    consumer:expect "connected"
    agent:join(nil, nil, consumer)
    agent:expect "connected"
    agent:request_cobrowse()
    consumer:expect(seq { event "agent_joined_session", event "cobrowse_requested" })
    consumer:allow_cobrowse()
    consumer:expect "agent_joined_cobrowse"
    agent:expect("cobrowse_active", { active = true })
    wait "300ms" -- so that the agent has opened its own topics
    local topics = server.sessions[1].topics
    agent:start_zoom()
    consumer:expect("zoom", { active = true })
    wait "300ms"
    expect(server.sessions[1].topics, topics + 1)
    agent:end_zoom()
    consumer:expect("zoom", { active = false })
    wait "300ms"
    expect(server.sessions[1].topics, topics)
    t:allow { "zoom", "cobrowse_active" }
end)

scenario("a document whose margins leave no room has no size", { tags = { "documents" } }, function(t)
    local consumer, agent = cobrowsing(t, {
        screen = { width = 300, height = 200, elements = {} },
        documentViewConstraints = { left = 200, right = 200, top = 150, bottom = 150 },
    })
    local id = agent:push_document(nil, base64.encode "%PDF-1.4", "application/pdf")
    consumer:expect("document_opened", { width = 0, height = 0 })
    agent:expect("document_result", { id = id, outcome = "succeeded" })
    t:allow "document_requested"
end)

scenario("frames that the rules of topics forbid are counted", {
    tags = { "errors" }, faults = { delay = "what comes late is not there when it is counted" },
}, function(t)
    local server = t:server(liveassist)
    local consumer = t:actor(liveassist, { correlationId = "room" })
    consumer:start_support()
    consumer:expect "connected"
    local agent = t:actor(liveassist, { role = "agent", name = "Sam" })
    agent:join(nil, nil, consumer)
    agent:expect "connected"
    consumer:expect "agent_joined_session"
    local before = server.ignored
    agent:send_frame "dCcJAAAA" -- joins topic 9, which nobody has opened
    agent:send_frame "2CcJAAAA" -- leaves it
    agent:send_frame "oCgJAAAA" -- closes it
    wait "300ms"
    expect({ server.ignored - before, agent.state }, { 3, "joined" })
end)

scenario("tokens have forty digits", { tags = { "requests" } }, function(t)
    t:server(liveassist)
    local consumer = t:actor(liveassist, { correlationId = "room" })
    consumer:start_support()
    consumer:expect "connected"
    expect(consumer.session_token, match.pattern("^" .. ("%x"):rep(40) .. "$"))
end)

scenario("an agent on duty is told when its connection goes, and may log in again", { tags = { "call" } }, function(t)
    t:server(liveassist)
    local agent = t:actor(liveassist, { role = "agent", name = "Sam" })
    agent:log_in "agent1"
    agent:expect "session_created"
    wait "200ms"
    t:network({ cut = true }, agent)
    agent:expect("error", { code = 2, message = match.contains "over which calls come" })
    t:network({}, agent)
    agent:log_in "agent1"
    agent:expect "session_created"
    wait "200ms"
    local consumer = t:actor(liveassist, { destination = "agent1", auditName = "Ada" })
    consumer:start_support()
    local call = agent:expect("call", { status = "ringing" }).call
    agent:reject_call()
    consumer:expect("error", { code = 20102 })
    agent:expect("support_ended", { call = call })
    t:allow "call"
end)
