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

scenario("an existing call is escalated with its token and its session", { tags = { "escalation" } }, function(t)
    t:server(liveassist)
    local first = t:actor(liveassist)
    first:create_short_code()
    first:redeem_short_code(first:expect("short_code").code)
    local session = first:expect("short_code", { session_token = match.any })

    local consumer = t:actor(liveassist, { name = "Ada" })
    local done, why = pcall(consumer.start_support, consumer, {
        sessionToken = session.session_token, correlationId = session.correlation_id, destination = "agent1",
    })
    expect(done, false)
    expect(tostring(why), match.contains "destination must be empty")

    consumer:start_support { sessionToken = "wrong", correlationId = session.correlation_id }
    consumer:expect("error", { code = 30102, message = match.contains "403" })
    consumer:start_support { sessionToken = session.session_token, correlationId = "another-session" }
    consumer:expect("error", { code = 30102 })
    consumer:start_support { sessionToken = session.session_token, correlationId = session.correlation_id }
    consumer:expect("connected", { first = true })
end)

scenario("support needs to know with whom", { tags = { "errors" } }, function(t)
    t:server(liveassist)
    local consumer = t:actor(liveassist)
    local done, why = pcall(consumer.start_support, consumer)
    expect(done, false)
    expect(tostring(why), match.contains "destination")
end)

scenario("a second agent comes with a code for the same session", { tags = { "code" } }, function(t)
    t:server(liveassist)
    local consumer = t:actor(liveassist, { correlationId = "room" })
    consumer:start_support()
    consumer:expect "connected"
    consumer:create_short_code "room"
    local code = consumer:expect("short_code").code
    local agent = t:actor(liveassist, { role = "agent", name = "Sam" })
    agent:join(code)
    agent:expect("connected", { correlation_id = "room" })
    -- The token of a code was made before anybody knew who would use it.
    consumer:expect("agent_joined_session", { agent = "Agent" })
end)

scenario("a code that nobody made is unknown", { tags = { "code", "errors" } }, function(t)
    t:server(liveassist)
    local consumer = t:actor(liveassist)
    consumer:redeem_short_code "000000"
    consumer:expect("error", { message = match.contains "404" })
end)

scenario("a script ends the life of codes", { tags = { "code" } }, function(t)
    local server = t:server(liveassist)
    local consumer, agent = t:actor(liveassist), t:actor(liveassist, { role = "agent" })
    consumer:create_short_code()
    local code = consumer:expect("short_code").code
    server:expire_codes()
    agent:join(code)
    agent:expect("error", { message = match.contains "410" })
end)

scenario("a second call waits in the queue until the first one has ended", {
    tags = { "call" }, faults = { one_byte = "the two calls have connections of their own, one of which is slower then" },
}, function(t)
    t:server(liveassist)
    local agent = t:actor(liveassist, { role = "agent", name = "Sam" })
    agent:log_in "agent1"
    agent:expect "session_created"
    local first, second = t:actor(liveassist, { destination = "agent1" }), t:actor(liveassist, { destination = "agent1" })
    first:start_support()
    agent:expect("call", { status = "ringing" })
    agent:answer_call()
    first:expect("call", { status = "inCall" })
    second:start_support()
    second:expect("call", { status = "queued" })
    agent:hang_up()
    first:expect "support_ended"
    second:expect("call", { status = "ringing" })
    agent:expect("call", { status = "ringing" })
    agent:reject_call()
    second:expect("error", { code = match.between(20101, 20105) })
    t:allow { "terminated", "agent_joined_session", "agent_left_session", "ended", "consumer_left", "support_ended" }
end)

scenario("a call that the script plays goes through every state", { tags = { "call" } }, function(t)
    local server = t:server(liveassist, { call = "script" })
    local consumer = t:actor(liveassist, { destination = "sales@example.com", videoMode = "agentOnly" })
    consumer:start_support()
    repeat wait "10ms" until pcall(server.set_call_status, server, "setup") -- refused until the call is there
    consumer:expect("call", { status = "setup" })
    for _, status in ipairs { "alerting", "ringing", "mediaPending" } do
        server:set_call_status(status)
        consumer:expect("call", { status = status })
    end
    server:set_call_status "inCall"
    consumer:expect "connected"
    server:set_call_status "ended"
    consumer:expect("terminated", { code = 50101 })
    consumer:expect "support_ended"
end)

for _, row in ipairs {
    { "//h.example", "https://h.example:8443" }, { "//h.example:9", "https://h.example:9" },
    { "h.example:9", "https://h.example:9" }, { "http://h.example", "http://h.example:8080" },
    { "http://h.example:9", "http://h.example:9" }, { "[1::2]:9", "https://[1::2]:9" },
    { "//[1::2]", "https://[1::2]:8443" }, { "http://[1::2]:9", "http://[1::2]:9" },
} do
    scenario("parseURL reads " .. row[1], { tags = { "configuration" } }, function(t)
        t:server(liveassist)
        local place = t:actor(liveassist):parse_url(row[1])
        expect(("%s://%s:%d"):format(place.scheme, place.host, place.port), row[2])
    end)
end

scenario("the audit name is percent-encoded and the agent has a name", { tags = { "configuration" } }, function(t)
    local server = t:server(liveassist)
    local consumer = t:actor(liveassist, { correlationId = "room", auditName = "Ada & Söhne" })
    local agent = t:actor(liveassist, { role = "agent", name = "Sam" })
    consumer:start_support()
    consumer:expect "connected"
    server:swallow_pongs(false) -- with the answer come the properties of a server in another process
    expect(server.last_handshake.metadata, { auditName = "Ada & Söhne" })
    agent:join(nil, nil, consumer)
    consumer:expect("agent_joined_session", { agent = "Sam" })
    expect(agent.name, "Sam")
end)

scenario("co-browsing alone ends without the end of a call", { tags = { "smoke" } }, function(t)
    t:server(liveassist)
    local consumer = t:actor(liveassist, { correlationId = "room", connectionDelegate = true })
    consumer:start_support()
    consumer:expect("connected", { callback = "onConnect()" })
    consumer:end_support()
    consumer:expect("terminated", { code = 50101, callback = "onTerminated(_:)" })
    consumer:expect_silence("300ms", "support_ended")
end)

scenario("a named agent joins with the token of the short code", { tags = { "short_code" } }, function(t)
    t:server(liveassist)
    local consumer = t:actor(liveassist)
    consumer:create_short_code()
    local code = consumer:expect("short_code").code
    consumer:redeem_short_code(code)
    local redeemed = consumer:expect "short_code"
    consumer:start_support { sessionToken = redeemed.session_token, correlationId = redeemed.correlation_id }
    consumer:expect "connected"
    local agent = t:actor(liveassist, { role = "agent", name = "Sam" })
    agent:join(code)
    agent:expect("connected", { correlation_id = redeemed.correlation_id })
    -- The token of a code was made before anybody knew who would use it.
    consumer:expect("agent_joined_session", { agent = "Agent" })
end)

scenario("the limit of a reconnection is spelt as the page spells it, too", { tags = { "configuration" } }, function(t)
    t:server(liveassist)
    local consumer = t:actor(liveassist, { maxReconnectionTimeouts = { "7s" } })
    expect(consumer.configuration.maxReconnectTimeouts, { 7 })
    for _, case in ipairs {
        { { maxReconnectionTimeouts = { "7s" }, maxReconnectTimeouts = { "8s" } }, "are names of one option" },
        { { initialConnectTimeout = "7s", initialConnectionTimeout = "8s" }, "are names of one option" },
        { { role = "agent", allowed_topic = "(" }, "allowed_topic is a regular expression" },
    } do
        local done, why = pcall(t.actor, t, liveassist, case[1])
        expect({ done, tostring(why) }, { false, match.contains(case[2]) })
    end
end)

for _, row in ipairs {
    { "fcsdkSessionFailure", 10001 }, { "fcsdkSystemFailure", 10002 }, { "fcsdkLostConnection", 10003 },
    { "fcsdkDidReceiveCallFailure", 10004 }, { "fcsdkDidReceiveDialFailure", 10005 }, { "sessionFailure", 20106 },
} do
    local error, code = row[1], row[2]
    scenario(("a call that rings and then fails with %s is that error, and support can start again"):format(error), {
        tags = { "call", "errors" },
    }, function(t)
        local server = t:server(liveassist, { call = "script" })
        local consumer = t:actor(liveassist, { destination = "sales" })
        consumer:start_support()
        consumer:expect("call", { status = "ringing" })
        server:set_call_status("error", error)
        consumer:expect("error", { code = code, name = error })
        expect(consumer.state, "idle")
        consumer:start_support()
        consumer:expect("call", { status = "ringing" })
    end)
end

scenario("a call whose connection breaks is lost, and support ends with it", {
    tags = { "call", "errors" },
}, function(t)
    t:server(liveassist)
    local consumer = t:actor(liveassist, { destination = "sales" })
    consumer:start_support()
    consumer:expect "connected"
    wait "100ms"
    t:network({ cut = true }, consumer)
    consumer:expect("error", { code = 10003, name = "fcsdkLostConnection" })
    consumer:expect "support_ended"
    t:allow { "terminated", "disconnected", "reconnecting", "error" }
end)

scenario("a reason is taken of calls that failed only", { tags = { "call", "errors" } }, function(t)
    local server = t:server(liveassist, { call = "script" })
    local consumer = t:actor(liveassist, { destination = "sales" })
    consumer:start_support()
    consumer:expect("call", { status = "ringing" })
    local ok, why = pcall(server.set_call_status, server, "busy", "sessionFailure")
    expect({ ok, tostring(why) }, { false, match.contains "with the status error only, not with busy" })
end)

for _, row in ipairs { { "microphone", 20108, "none" }, { "camera", 20107, "full" } } do
    local device, code, mode = row[1], row[2], row[3]
    scenario(("who does not let an application have the %s makes no call, and browses together all the same"):format(
        device), { tags = { "call", "errors" } }, function(t)
        t:server(liveassist)
        local consumer = t:actor(liveassist, { [device] = false, videoMode = mode })
        consumer:start_support { destination = "sales" }
        consumer:expect("error", { code = code, name = device .. "NotAuthorized" })
        consumer:start_support { correlationId = "room" }
        consumer:expect "connected"
    end)
end
