-- Whole conversations as both sides see them, held against those that are stored in `transcripts`.
local liveassist = require "liveassist"
local beginnings = require "beginnings"

local order = {
    width = 600, height = 900,
    elements = {
        { id = "title", label = "Order", x = 0, y = 0, width = 600, height = 40 },
        { id = "street", type = "text", label = "Street", value = "", x = 10, y = 50, width = 300, height = 30 },
        { id = "gift", type = "checkbox", label = "Gift", value = "false", x = 10, y = 90, width = 30, height = 30 },
        { id = "size", type = "select", label = "Size", options = { "S", "M" }, x = 10, y = 130, width = 90, height = 30 },
        { id = "card", type = "text", label = "Card", value = "4711", tag = 1, x = 10, y = 170, width = 300, height = 30 },
        { id = "note", type = "text", label = "Note", value = "n", tag = 2, x = 10, y = 210, width = 300, height = 30 },
        { id = "buy", type = "button", label = "Buy", x = 10, y = 250, width = 90, height = 40 },
    },
}

-- Two sides speak over connections of their own, and what is stored has the order of a network without delays.
local faults = {
    delay = "what is late comes after what the other side does meanwhile",
    one_byte = "a slow connection is overtaken by the other one",
}

-- What an agent holds in the end, whatever came before.
local function held(agent) return json.encode { view = agent:view(), form = agent:form() } end

scenario("an agent guides a consumer through an order, and both sides see what is stored", {
    tags = { "conversations" }, faults = faults,
}, function(t)
    local consumer, agent = beginnings.cobrowsing(t, {
        name = "Ada", auditName = "Ada", screen = order, hidingTags = { 1 }, maskingTags = { 2 }, maskColor = "green",
        agentCobrowseDelegate = true, connectionDelegate = true,
    })
    agent:expect("screen", { full = true })
    agent:expect("form", { populated = match.any })
    agent:draw("M 20 60 L 30 70", "#00ff00", 5, 0.5)
    consumer:expect "annotation_added"
    agent:draw "M 5 5 L 6 6"
    consumer:expect("annotation_added", { kASDKSVGPathKey = "M 5 5 L 6 6" })
    agent:point(nil, nil, "buy")
    consumer:expect("spotlight", { x = 55, y = 270 })
    agent:type_text("Main Street", nil, nil, "street")
    consumer:expect("remote_input", { type = "type", value = "Main Street" })
    -- What is drawn goes when what is behind it changes.
    consumer:expect("annotations_cleared", { by = "change" })
    expect(consumer:annotations(), match.count(0))
    agent:expect("screen", { full = false, elements = match.has { value = "Main Street" } })
    agent:fill_form { Size = "M", Gift = true }
    consumer:expect("remote_input", { type = "fill", element = "size", value = "M" })
    agent:expect("screen", { elements = match.has { label = "Size", value = "M" } })
    agent:start_zoom()
    consumer:expect("zoom", { active = true, agent = "Sam" })
    agent:end_zoom()
    consumer:expect("zoom", { active = false })
    agent:click(nil, nil, "buy")
    consumer:expect("remote_input", { type = "click", element = "buy" })
    agent:push_link "https://shop.example/thanks"
    consumer:expect("link", { url = "https://shop.example/thanks", agent = "Sam" })
    expect(consumer.agents, { { agent = "Sam", cobrowsing = true } })
    wait "700ms" -- in which the last change goes out
    local screen = consumer:screen().elements
    expect(screen, match.has { id = "street", value = "Main Street" })
    expect(screen, match.has { id = "gift", value = "true" })
    expect(screen, match.has { id = "size", value = "M" })
    expect(held(agent), match.is_not(match.contains "4711"))
    agent:leave_cobrowse()
    consumer:expect "agent_left_cobrowse"
    expect({ consumer.cobrowsing, agent.cobrowsing, agent.active }, { false, false, false })
    consumer:end_support()
    consumer:expect "terminated"
    agent:expect "terminated"
    consumer:expect_transcript "order of the consumer"
    agent:expect_transcript "order of the agent"
end)

scenario("documents go both ways, and both sides see what is stored", {
    tags = { "conversations" }, faults = faults,
}, function(t)
    local consumer, agent = beginnings.cobrowsing(t, { pushDelegate = true, documentViewConstraints = { left = 5, top = 7 } })
    agent:expect("cobrowse_active", { active = true })
    local page, drawing = "JVBERi0xLjQK", "iVBORw0KGgo=" -- the first bytes of a PDF file and of a PNG file
    local first = agent:push_document(nil, page, "application/pdf", "first")
    consumer:accept_document(consumer:expect("document_requested", { id = first }).document)
    agent:expect("document_result", { id = first, outcome = "succeeded" })
    local second = agent:push_document(nil, drawing, "image/png", "second")
    local picture = consumer:expect("document_requested", { id = second }).document
    consumer:accept_document(picture)
    agent:expect("document_result", { id = second, outcome = "succeeded" })
    expect(consumer.documents, 2)
    local third = agent:push_document(nil, page, "application/pdf", "third")
    consumer:reject_document(consumer:expect("document_requested", { id = third }).document)
    agent:expect("document_result", { id = third, outcome = "rejected" })
    expect(consumer.documents, 2)
    agent:close_document(first)
    consumer:expect("document_closed", { id = first, by = "agent" })
    consumer:close_document(nil, picture)
    consumer:expect("document_closed", { id = second, by = "consumer" })
    agent:expect("document_result", { id = second, outcome = "closed", by = "consumer" })
    local own = consumer:share_document(nil, drawing, "image/png")
    consumer:expect("document_opened", { document = own })
    agent:expect("document_opened", { document = own })
    consumer:close_document(nil, own)
    agent:expect("document_closed", { document = own })
    expect({ consumer.documents, agent.windows }, { 0, {} })
    consumer:expect_transcript "documents of the consumer"
    agent:expect_transcript "documents of the agent"
end)

scenario("a call rings, is answered and ended, and both sides see what is stored", {
    tags = { "conversations" }, faults = faults,
}, function(t)
    t:server(liveassist, { access = "trusted", agents = { agent1 = "secret" } })
    local agent = t:actor(liveassist, { role = "agent", name = "Sam" })
    agent:log_in("agent1", "wrong")
    agent:expect("error", { message = match.contains "401" })
    agent:log_in("agent1", "secret")
    agent:expect "session_created"
    local consumer = t:actor(liveassist, {
        name = "Ada", destination = "agent1", uui = "order 42", videoMode = "agentOnly", isAgentWindowOnTop = true,
    })
    consumer:start_support()
    agent:expect("call", { status = "ringing", uui = "order 42", video = "agentOnly" })
    agent:answer_call()
    consumer:expect("call", { status = "inCall" })
    consumer:expect "agent_joined_session"
    expect(consumer.state, "in_session")
    consumer:end_support()
    consumer:expect "support_ended"
    -- They come over two connections, in either order.
    agent:expect(all { "support_ended", event("terminated", { reason = "the server closed the session" }) })
    wait "200ms"
    consumer:expect_transcript "call of the consumer"
    agent:expect_transcript "call of the agent"
end)

scenario("two agents come and go, and the consumer sees what is stored", { tags = { "conversations" } }, function(t)
    t:server(liveassist)
    local consumer = t:actor(liveassist, { name = "Ada", correlationId = "room", screenShareRequestedDelegate = true })
    consumer:start_support()
    consumer:expect("connected", { first = true })
    local function come(name)
        local agent = t:actor(liveassist, { role = "agent", name = name })
        agent:join(nil, nil, consumer)
        agent:expect "connected"
        consumer:expect("agent_joined_session", { agent = name })
        agent:request_cobrowse()
        return agent
    end
    local sam = come "Sam"
    consumer:expect("cobrowse_requested", { agent = "Sam" })
    consumer:disallow_cobrowse "Sam"
    sam:expect "cobrowse_rejected"
    local max = come "Max"
    consumer:expect("cobrowse_requested", { agent = "Max" })
    consumer:allow_cobrowse "Max"
    consumer:expect("agent_joined_cobrowse", { agent = "Max" })
    max:expect "screen"
    expect(sam:events "screen", match.count(0))
    sam:leave_session()
    consumer:expect("agent_left_session", { agent = "Sam" })
    expect(consumer.agents, match.all_of { match.count(1), match.has { agent = "Max", cobrowsing = true } })
    max:expect("cobrowse_active", { active = true })
    consumer:disallow_cobrowse "Max"
    consumer:expect("agent_left_cobrowse", { agent = "Max" })
    max:expect("cobrowse_active", { active = false })
    max:request_cobrowse()
    consumer:expect("cobrowse_requested", { agent = "Max" })
    max:leave_session()
    consumer:expect("agent_left_session", { agent = "Max" })
    expect(consumer.agents, {})
    consumer:expect_transcript "agents who come and go"
end)
