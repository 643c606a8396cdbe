-- How a session begins: codes, calls, refusals.
local liveassist = require "liveassist"

scenario("a code that the consumer tells leads the agent into the session", { tags = { "smoke", "code" } }, function(t)
    t:server(liveassist)
    local consumer, agent = t:actor(liveassist), t:actor(liveassist, { role = "agent", name = "Sam" })
    consumer:create_short_code()
    local code = consumer:expect("short_code").code
    consumer:redeem_short_code(code)
    local session = consumer:expect("short_code", { session_token = match.any })
    consumer:start_support { sessionToken = session.session_token, correlationId = session.correlation_id }
    consumer:expect "connected"
    agent:join(code)
    consumer:expect "agent_joined_session"

    local late = t:actor(liveassist, { role = "agent", name = "Late" })
    late:join(code)
    late:expect("error", { message = match.any })
end)

scenario("a code is good for five minutes", { tags = { "code" }, clock = "virtual", timeout = "10m" }, function(t)
    t:server(liveassist)
    local consumer = t:actor(liveassist)
    consumer:create_short_code()
    local code = consumer:expect("short_code").code
    wait "5m"
    consumer:redeem_short_code(code)
    consumer:expect("error", { message = match.contains "410" })
end)

scenario("a call to an agent on duty becomes a session and ends with the call", { tags = { "call" } }, function(t)
    t:server(liveassist, { access = "trusted" })
    local agent = t:actor(liveassist, { role = "agent", name = "Sam" })
    agent:log_in "agent1"
    agent:expect "session_created"
    local consumer = t:actor(liveassist, { destination = "agent1", uui = "order 42" })
    consumer:start_support()
    agent:expect("call", { status = "ringing", uui = "order 42" })
    agent:answer_call()
    consumer:expect("call", { status = "inCall" })
    consumer:expect "agent_joined_session"
    agent:hang_up()
    consumer:expect("support_ended", { callback = "supportCallDidEnd()" })
    agent:expect "support_ended"
    t:allow { "terminated", "agent_left_session", "ended", "consumer_left" }
end)

for _, row in ipairs { { "busy", 20102 }, { "not_found", 20101 }, { "fail", 20105 } } do
    local answer, code = row[1], row[2]
    scenario("a call that ends with " .. answer .. " has a code of its own", { tags = { "call" } }, function(t)
        t:server(liveassist, { call = answer })
        local consumer = t:actor(liveassist, { destination = "nobody" })
        consumer:start_support()
        consumer:expect("error", { code = code })
    end)
end

scenario("a call that nobody answers fails after the time that calls ring", { tags = { "call" } }, function(t)
    t:server(liveassist, { call = "timeout", ring_limit = "500ms" })
    local consumer = t:actor(liveassist, { destination = "nobody" })
    consumer:start_support()
    consumer:expect("error", { code = 20104 })
end)

scenario("a server that admits no strangers refuses the session", { tags = { "errors" } }, function(t)
    t:server(liveassist, { access = "disabled" })
    local consumer = t:actor(liveassist, { correlationId = "room" })
    consumer:start_support()
    consumer:expect("error", { code = 30101 })
end)

scenario("support that is on cannot be started again", { tags = { "errors" } }, function(t)
    t:server(liveassist)
    local consumer = t:actor(liveassist, { correlationId = "room" })
    consumer:start_support()
    consumer:expect "connected"
    consumer:start_support()
    consumer:expect("error", { code = 30103 })
end)
