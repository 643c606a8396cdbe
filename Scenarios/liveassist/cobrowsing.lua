-- A consumer shows the screen to an agent: admission, drawing, pauses, forms, the end.
local beginnings = require "beginnings"

local form = {
    elements = {
        { id = "greeting", type = "label", label = "Greeting", value = "Hello" },
        { id = "street", type = "text", label = "Street", value = "" },
        { id = "pin", type = "password", label = "PIN", value = "1234" },
    },
}

-- A consumer in a session, and an agent who has joined it.
local function session(t) return beginnings.session(t, { name = "Ada", screen = form }) end

-- The same, with the agent looking at the screen.
local function cobrowsing(t)
    local consumer, agent = beginnings.cobrowsing(t, { name = "Ada", screen = form })
    consumer:expect("cobrowse_active", { active = true })
    local shown = { full = true, elements = match.has { label = "Greeting", value = "Hello" } }
    agent:expect(seq { event("screen", shown), event("cobrowse_active", { active = true }) })
    return consumer, agent
end

scenario("an admitted agent sees the screen until the consumer ends support", { tags = { "smoke" } }, function(t)
    local consumer, agent = cobrowsing(t)
    consumer:end_support()
    consumer:expect("cobrowse_active", { active = false })
    consumer:expect("terminated", { code = 50101 })
    agent:expect(all { event "ended", event "consumer_left", event("cobrowse_active", { active = false }) })
    agent:expect "terminated"
end)

scenario("a change reaches the agent of the next session, though one of the last session was never sent", function(t)
    local consumer, agent = cobrowsing(t)
    consumer:change("greeting", "Never sent")
    consumer:end_support()
    consumer:expect(seq { event("cobrowse_active", { active = false }), event "terminated" })
    agent:expect(all { event "ended", event "consumer_left", event("cobrowse_active", { active = false }) })
    agent:expect "terminated"

    consumer:start_support()
    consumer:expect "connected"
    local bob = t:actor(require "liveassist", { role = "agent", name = "Bob" })
    bob:join(nil, nil, consumer)
    bob:expect "connected"
    consumer:expect "agent_joined_session"
    bob:request_cobrowse()
    consumer:expect "cobrowse_requested"
    consumer:allow_cobrowse()
    consumer:expect(seq { event "agent_joined_cobrowse", event("cobrowse_active", { active = true }) })
    bob:expect(seq { event("screen", { full = true }), event("cobrowse_active", { active = true }) })
    consumer:change("greeting", "Sent")
    bob:expect("screen", { full = false, elements = match.has { value = "Sent" } })
end)

scenario("a refused agent may ask again", { tags = { "admission" } }, function(t)
    local consumer, agent = session(t)
    agent:request_cobrowse()
    consumer:expect "cobrowse_requested"
    consumer:disallow_cobrowse()
    agent:expect "cobrowse_rejected"
    expect(agent:events "screen", match.count(0))
    agent:request_cobrowse()
    consumer:expect "cobrowse_requested"
    consumer:allow_cobrowse()
    consumer:expect "agent_joined_cobrowse"
    agent:expect "screen"
    t:allow "cobrowse_active"
end)

scenario("what an agent draws is announced, drawn and cleared", { tags = { "drawing" } }, function(t)
    local consumer, agent = cobrowsing(t)
    agent:draw("M 1 1 L 20 20", "#00ff00", 3)
    local drawn = { kASDKSVGPathKey = "M 1 1 L 20 20", kASDKSVGPathStrokeWidthKey = 3 }
    consumer:expect(seq { event("annotation_adding", drawn), event("annotation_added", drawn) })
    expect(consumer:annotations(), match.count(1))
    agent:clear_annotations()
    consumer:expect("annotations_cleared", { by = "agent" })
    agent:point(30, 40)
    consumer:expect("spotlight", { x = 30, y = 40 })
end)

scenario("while the consumer pauses the agent sees nothing", { tags = { "pause" } }, function(t)
    local consumer, agent = cobrowsing(t)
    consumer:pause_cobrowse()
    agent:expect("cobrowse_active", { active = false })
    consumer:change("greeting", "Secret")
    agent:expect_silence("1s", "screen")
    consumer:resume_cobrowse()
    agent:expect("screen", { elements = match.has { value = "Secret" } })
    t:allow "cobrowse_active"
end)

scenario("an agent fills in a form, but no password", { tags = { "forms" } }, function(t)
    local consumer, agent = cobrowsing(t)
    agent:expect("form", { fields = match.all_of { match.count(1), match.has { label = "Street", value = "" } } })
    agent:fill_form { Street = "Main Street 1" }
    consumer:expect("remote_input", { type = "fill", element = "street", value = "Main Street 1" })
    expect(consumer:screen().elements, match.has { id = "street", value = "Main Street 1" })
    expect(json.encode(agent:form()), match.is_not(match.contains "PIN"))
end)

scenario("a consumer sends an agent away", { tags = { "admission" } }, function(t)
    local consumer, agent = cobrowsing(t)
    consumer:disallow_cobrowse()
    consumer:expect "agent_left_cobrowse"
    agent:expect("cobrowse_active", { active = false })
    t:allow { "cobrowse_active", "cobrowse_rejected" }
end)

scenario("a link is opened by the application", { tags = { "links" } }, function(t)
    local consumer, agent = cobrowsing(t)
    agent:push_link "https://shop.example/help"
    consumer:expect("link", { url = "https://shop.example/help" })
end)
