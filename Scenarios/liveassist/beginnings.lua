-- How most sessions of this folder begin, for its scenarios to share.
local liveassist = require "liveassist"

local beginnings = {}

-- A consumer in a session, and an agent who has joined it, each with further options.
function beginnings.session(t, options, agent_options)
    t:server(liveassist)
    options, agent_options = options or {}, agent_options or {}
    options.correlationId = "room"
    agent_options.name, agent_options.role = "Sam", "agent"
    local consumer, agent = t:actor(liveassist, options), t:actor(liveassist, agent_options)
    consumer:start_support()
    consumer:expect("connected", { first = true })
    agent:join(nil, nil, consumer)
    agent:expect "connected"
    consumer:expect "agent_joined_session"
    return consumer, agent
end

-- The same, and the consumer has admitted the agent to the screen.
function beginnings.cobrowsing(t, options, agent_options)
    local consumer, agent = beginnings.session(t, options, agent_options)
    agent:request_cobrowse()
    consumer:expect "cobrowse_requested"
    consumer:allow_cobrowse()
    consumer:expect "agent_joined_cobrowse"
    return consumer, agent
end

return beginnings
