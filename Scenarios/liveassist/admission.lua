-- Who is asked when an agent wants to see the screen.
local liveassist = require "liveassist"

-- A consumer with these delegates in a session, and an agent of that name who has asked for the screen.
local function asked(t, options)
    t:server(liveassist)
    options.correlationId = "room"
    local consumer = t:actor(liveassist, options)
    consumer:start_support()
    consumer:expect "connected"
    local function ask(name)
        local agent = t:actor(liveassist, { role = "agent", name = name })
        agent:join(nil, nil, consumer)
        agent:expect "connected"
        consumer:expect("agent_joined_session", { agent = name })
        agent:request_cobrowse()
        return agent
    end
    t:allow "cobrowse_active"
    return consumer, ask
end

scenario("the agent delegate is asked before the screen-share delegate", { tags = { "delegates" } }, function(t)
    local consumer, ask = asked(t, { agentCobrowseDelegate = true, screenShareRequestedDelegate = true })
    ask "Sam"
    consumer:expect("cobrowse_requested", { agent = "Sam", callback = "agentRequestedCobrowse(_:)" })
    consumer:allow_cobrowse "Sam"
    consumer:expect("agent_joined_cobrowse", { callback = "agentJoinedCobrowse(_:)" })
    -- With this delegate nobody is admitted by default.
    ask "Max"
    consumer:expect("cobrowse_requested", { agent = "Max" })
end)

scenario("without an agent delegate the screen-share delegate is asked", { tags = { "delegates" } }, function(t)
    local consumer, ask = asked(t, { screenShareRequestedDelegate = true })
    ask "Sam"
    consumer:expect("cobrowse_requested", { callback = "assistSDKScreenShareRequested(_:deny:)" })
    consumer:allow_cobrowse()
    consumer:expect("agent_joined_cobrowse", { callback = "" })
end)

scenario("without delegates the user is prompted, once for all agents", { tags = { "delegates" } }, function(t)
    local consumer, ask = asked(t, {})
    ask "Sam"
    consumer:expect("cobrowse_requested", { callback = "" })
    consumer:allow_cobrowse()
    consumer:expect "agent_joined_cobrowse"
    ask "Max"
    consumer:expect("agent_joined_cobrowse", { agent = "Max" })
end)

scenario("a prompt that was refused comes again", { tags = { "delegates" } }, function(t)
    local consumer, ask = asked(t, {})
    local agent = ask "Sam"
    consumer:expect "cobrowse_requested"
    consumer:disallow_cobrowse()
    agent:expect "cobrowse_rejected"
    agent:request_cobrowse()
    consumer:expect "cobrowse_requested"
end)

scenario("an agent may be admitted before it asks", { tags = { "admission" } }, function(t)
    t:server(liveassist)
    local consumer = t:actor(liveassist, { correlationId = "room", agentCobrowseDelegate = true })
    consumer:start_support()
    consumer:expect "connected"
    local agent = t:actor(liveassist, { role = "agent", name = "Sam" })
    agent:join(nil, nil, consumer)
    consumer:expect("agent_joined_session", { agent = "Sam" })
    consumer:allow_cobrowse "Sam"
    consumer:expect(seq { event "agent_joined_cobrowse", event("cobrowse_active", { active = true }) })
    agent:expect "screen"
    expect(consumer:events "cobrowse_requested", match.count(0))
    t:allow "cobrowse_active"
end)

scenario("an agent who asks for what it sees goes on seeing it", { tags = { "admission" } }, function(t)
    local consumer, ask = asked(t, { agentCobrowseDelegate = true })
    local agent = ask "Sam"
    consumer:expect "cobrowse_requested"
    consumer:allow_cobrowse()
    consumer:expect "agent_joined_cobrowse"
    consumer:expect("cobrowse_active", { active = true })
    agent:expect("cobrowse_active", { active = true })
    agent:request_cobrowse()
    consumer:expect_silence("300ms", any { "agent_left_cobrowse", "cobrowse_active", "cobrowse_requested" })
    expect(agent:events "cobrowse_rejected", {})
    expect(agent.cobrowsing, true)
end)

scenario("an agent who leaves must ask again", { tags = { "admission" } }, function(t)
    local consumer, ask = asked(t, { agentCobrowseDelegate = true })
    local agent = ask "Sam"
    consumer:expect "cobrowse_requested"
    consumer:allow_cobrowse()
    consumer:expect "agent_joined_cobrowse"
    agent:expect "screen"
    agent:leave_cobrowse()
    consumer:expect "agent_left_cobrowse"
    agent:expect_silence("300ms", "screen")
    agent:request_cobrowse()
    consumer:expect("cobrowse_requested", { agent = "Sam" })
    agent:leave_session()
    consumer:expect("agent_left_session", { agent = "Sam" })
    expect(agent.state, "ended")
end)
