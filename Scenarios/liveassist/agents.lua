-- Several agents, what each may see, and what they can do besides looking.
local liveassist = require "liveassist"

local screen = {
    elements = {
        { id = "a", label = "for A", permission = "A" },
        { id = "b", label = "for B", permission = "B" },
        { id = "open", type = "button", label = "for all" },
    },
}

-- A consumer in a session.
local function supported(t)
    t:server(liveassist)
    local consumer = t:actor(liveassist, { name = "Ada", correlationId = "room", screen = screen })
    consumer:start_support()
    consumer:expect "connected"
    return consumer
end

-- An agent of the consumer's session, who may see these markers besides the default one.
local function joined(t, name, consumer, ...)
    local agent = t:actor(liveassist, {
        name = name, role = "agent", permissions = { viewable = { "default", ... }, interactive = { "default" } },
    })
    agent:join(nil, nil, consumer)
    agent:expect "connected"
    consumer:expect "agent_joined_session"
    agent:request_cobrowse()
    return agent
end

-- The same, who looks at the consumer's screen.
local function looking(t, ...)
    local agent, consumer = joined(t, ...), select(2, ...)
    consumer:expect "cobrowse_requested"
    consumer:allow_cobrowse()
    consumer:expect "agent_joined_cobrowse"
    agent:expect(seq { event("screen", { full = true }), event("cobrowse_active", { active = true }) })
    return agent
end

scenario("two agents see what both may see", { tags = { "permissions" }, allow = { "cobrowse_active" } }, function(t)
    local consumer = supported(t)
    local first = looking(t, "First", consumer, "A")
    expect(first:view(), match.all_of { match.has { label = "for A" }, match.is_not(match.has { label = "for B" }) })
    local second = joined(t, "Second", consumer, "B")
    consumer:expect "agent_joined_cobrowse" -- whoever has agreed once is not asked again
    second:expect("screen", { full = true })
    local shared = match.all_of { match.has { label = "for all" }, match.is_not(match.has { label = "for A" }) }
    expect(second:view(), shared)
    first:expect("screen", { elements = shared })
    second:leave_cobrowse()
    consumer:expect "agent_left_cobrowse"
    first:expect("screen", { elements = match.has { label = "for A" } })
end)

scenario("an agent presses a button on the consumer's screen", {
    tags = { "input" }, allow = { "cobrowse_active" },
}, function(t)
    local consumer = supported(t)
    local agent = looking(t, "Sam", consumer)
    agent:click(nil, nil, "open")
    consumer:expect("remote_input", { type = "click", element = "open" })
    agent:expect("remote_input", { type = "click", label = "for all" })
end)

scenario("what an agent may not see never leaves the consumer", {
    tags = { "permissions" }, allow = { "cobrowse_active" },
}, function(t)
    local consumer = supported(t)
    local agent = looking(t, "Sam", consumer)
    expect(json.encode(agent:view()), match.is_not(match.contains "for A"))
    consumer:change("b", "secret")
    wait "1s"
    expect(json.encode(agent:events "screen"), match.is_not(match.contains "secret"))
end)

scenario("a consumer sends a snapshot", { tags = { "screen" }, allow = { "cobrowse_active" } }, function(t)
    local consumer = supported(t)
    local agent = looking(t, "Sam", consumer)
    wait "300ms" -- so that the agent listens to snapshots
    consumer:take_snapshot()
    agent:expect("snapshot", { elements = match.has { label = "for all" } })
end)

scenario("the magnifier opens and closes", { tags = { "screen" }, allow = { "cobrowse_active" } }, function(t)
    local consumer = supported(t)
    local agent = looking(t, "Sam", consumer)
    agent:start_zoom()
    consumer:expect("zoom", { active = true })
    agent:end_zoom()
    consumer:expect("zoom", { active = false })
    t:allow "zoom"
end)
