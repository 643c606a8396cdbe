-- What an application of the vendor's SDK is told: limits of time, wrong calls, cookies, what a session begins with.
local liveassist = require "liveassist"
local beginnings = require "beginnings"

-- Calls a method that is refused, and checks the reason.
local function refused(reason, method, ...)
    local done, why = pcall(method, ...)
    expect(done, false)
    expect(tostring(why), match.contains(reason))
end

scenario("cookies go with the handshake, the last value of each name", { tags = { "cookies" } }, function(t)
    local server = t:server(liveassist)
    local consumer = t:actor(liveassist, { correlationId = "room", useCookies = true })
    for _, cookie in ipairs { { "a", "1" }, { "b", "2" }, { "a", "3" } } do consumer:set_cookie(table.unpack(cookie)) end
    consumer:start_support()
    consumer:expect "connected"
    expect(server.last_handshake.cookie:find("b=2; a=3", 1, true), 1)
end)

scenario("no cookie goes with the handshake unless the application uses cookies", { tags = { "cookies" } }, function(t)
    local server = t:server(liveassist)
    local consumer = t:actor(liveassist, { correlationId = "room" })
    consumer:set_cookie("a", "1")
    consumer:start_support()
    consumer:expect "connected"
    expect(server.last_handshake.path, "/assistserver/topic")
    expect(server.last_handshake.cookie, nil)
end)

scenario("a cookie that no header can carry is refused", { tags = { "cookies", "errors" } }, function(t)
    t:server(liveassist)
    local consumer = t:actor(liveassist)
    for _, cookie in ipairs { { "", "1" }, { "a;b", "1" }, { "a", "1;2" }, { "a b", "1" }, { "a", "\r\n" }, { "a", "é" } } do
        refused("cookie", consumer.set_cookie, consumer, cookie[1], cookie[2])
    end
    consumer:set_cookie("a", ("x"):rep(4095))
    refused("cookie", consumer.set_cookie, consumer, "a", ("x"):rep(4096))
    for number = 2, 50 do consumer:set_cookie("c" .. number, "1") end
    refused("cookie", consumer.set_cookie, consumer, "c51", "1")
end)

scenario("a session that the server does not make in time is given up", { tags = { "errors" } }, function(t)
    t:server(liveassist)
    t:network { latency = "2s" }
    local consumer = t:actor(liveassist, { correlationId = "room", timeout = 1 })
    local begin = now()
    consumer:start_support()
    consumer:expect("error", {}, { within = "3s" })
    expect(now() - begin, match.near(1, 0.3))
    expect(consumer.state, "idle")
    t:network {}
    consumer:expect_silence("6s", any { "connected", "error" })
    consumer:start_support()
    consumer:expect("connected", { first = true })
end)

scenario("the server has four seconds for a short code, and an answer ends the wait", {
    tags = { "code" }, timeout = "2m",
}, function(t)
    t:server(liveassist)
    local consumer = t:actor(liveassist)
    consumer:create_short_code()
    consumer:expect "short_code"
    consumer:expect_silence("5s", "error")
    t:network { latency = "5s" }
    local begin = now()
    consumer:create_short_code()
    consumer:expect("error", { code = 30102, message = match.contains "within 4 s" }, { within = "10s" })
    expect(now() - begin, match.near(4, 0.3))
    t:network {}
    consumer:expect_silence("20s", any { "short_code", "error" })
end)

scenario("what a script asks too early or of nobody is refused with the reason", { tags = { "errors" } }, function(t)
    t:server(liveassist)
    local consumer = t:actor(liveassist, { correlationId = "room" })
    refused("server", consumer.start_support, consumer, { server = "https://shop.example/with/a/path" })
    refused('no element "nothing"', consumer.change, consumer, "nothing", "value")
    consumer:start_support()
    consumer:expect "connected"
    refused("no document waits", consumer.accept_document, consumer)
    refused("no such agent", consumer.allow_cobrowse, consumer)
    refused("no such agent", consumer.disallow_cobrowse, consumer, "Nobody")
    local agent = t:actor(liveassist, { role = "agent", name = "Sam" })
    refused("needs a joined session", agent.request_cobrowse, agent)
    refused("there is no call", agent.answer_call, agent)
    agent:join(nil, nil, consumer)
    agent:expect "connected"
    consumer:expect "agent_joined_session"
    refused("in a session already", agent.join, agent, nil, nil, consumer)
    refused("needs co-browsing", agent.click, agent, 1, 1)
    refused("needs co-browsing", agent.start_zoom, agent)
end)

scenario("the only agent need not be named, and two of one name are told apart by their numbers", {
    tags = { "admission" }, allow = { "cobrowse_active" },
}, function(t)
    t:server(liveassist)
    local consumer = t:actor(liveassist, { correlationId = "room", agentCobrowseDelegate = true })
    consumer:start_support()
    consumer:expect "connected"
    local function come()
        local agent = t:actor(liveassist, { role = "agent", name = "Sam" })
        agent:join(nil, nil, consumer)
        agent:expect "connected"
        return agent, consumer:expect("agent_joined_session", { agent = "Sam" }).participant
    end
    local first, one = come()
    consumer:allow_cobrowse()
    consumer:expect("agent_joined_cobrowse", { participant = one })
    first:expect("screen", { full = true })
    local second, two = come()
    consumer:allow_cobrowse { participant = two }
    consumer:expect("agent_joined_cobrowse", { participant = two })
    second:expect("screen", { full = true })
    consumer:disallow_cobrowse { participant = one }
    consumer:expect("agent_left_cobrowse", { participant = one })
    first:expect("cobrowse_active", { active = false })
    expect(consumer.agents, match.all_of {
        match.has { participant = one, cobrowsing = false }, match.has { participant = two, cobrowsing = true },
    })
    expect({ first.cobrowsing, second.cobrowsing }, { false, true })
    refused("no such agent", consumer.disallow_cobrowse, consumer, { participant = 9999 })
end)

scenario("an agent hears the consumer come, and a call names its session", { tags = { "call" } }, function(t)
    local server = t:server(liveassist, { access = "trusted" })
    local agent = t:actor(liveassist, { role = "agent", name = "Sam" })
    agent:log_in "agent1"
    agent:expect "session_created"
    local consumer = t:actor(liveassist, { auditName = "Ada", destination = "agent1" })
    consumer:start_support()
    local call = agent:expect("call", { status = "ringing", correlation_id = match.pattern "^assist%-%x+$" })
    expect(server.calls, 1)
    agent:answer_call()
    agent:expect("connected", { correlation_id = call.correlation_id })
    agent:expect("consumer_joined", { name = match.any })
    consumer:expect "agent_joined_session"
    expect(consumer.correlation_id, call.correlation_id)
    agent:hang_up()
    consumer:expect "support_ended"
    agent:expect("support_ended", { call = call.call })
    expect(server.calls, 0)
    refused("there is no call", agent.hang_up, agent)
    t:allow { "terminated", "agent_left_session", "ended", "consumer_left", "support_ended" }
end)

scenario("a caller who gives up frees the agent for the next", { tags = { "call" } }, function(t)
    local server = t:server(liveassist)
    local agent = t:actor(liveassist, { role = "agent", name = "Sam" })
    agent:log_in "agent1"
    agent:expect "session_created"
    local first, second = t:actor(liveassist, { destination = "agent1" }), t:actor(liveassist, { destination = "agent1" })
    first:start_support()
    local call = agent:expect("call", { status = "ringing" }).call
    second:start_support()
    second:expect("call", { status = "queued" })
    first:terminate()
    first:expect "terminated"
    agent:expect("support_ended", { call = call })
    expect(agent:expect("call", { status = "ringing" }).call, match.between(call + 1, 1000))
    expect(server.calls, 1)
    agent:answer_call()
    second:expect "connected"
    t:allow { "agent_joined_session", "terminated", "support_ended" }
end)

scenario("the web SDK's codes tell a wrong password from a wrong code", { tags = { "errors" } }, function(t)
    t:server(liveassist, { agents = { sam = "secret" } })
    local agent = t:actor(liveassist, { role = "agent", name = "Sam" })
    agent:log_in("sam", "guess")
    agent:expect("error", { code = 1, name = "PERMISSION", message = match.contains "401" })
    agent:join "nothing"
    agent:expect("error", { code = 6, name = "SESSION_CREATION_FAILURE", message = match.contains "404" })
    expect(agent.state, "idle")
end)

scenario("a session begins without the drawings and documents of the one before", {
    tags = { "cobrowsing" }, allow = { "cobrowse_active", "ended", "consumer_left" },
}, function(t)
    local consumer, agent = beginnings.cobrowsing(t)
    agent:expect("cobrowse_active", { active = true })
    wait "1500ms" -- so that the agent has opened its topics
    agent:draw "M 1 1 L 20 20"
    consumer:expect "annotation_added"
    consumer:share_document(nil, "JVBERi0xLjQK", "application/pdf")
    consumer:expect "document_opened"
    consumer:end_support()
    consumer:expect "document_closed"
    consumer:expect "terminated"
    agent:expect "terminated"
    expect({ consumer.agents, consumer.documents, consumer.cobrowsing }, { {}, 0, false })
    consumer:start_support()
    consumer:expect("connected", { first = true })
    expect({ consumer.agents, consumer.documents, consumer:annotations() }, { {}, 0, {} })
    agent:join(nil, nil, consumer)
    agent:expect "connected"
    consumer:expect "agent_joined_session"
    agent:request_cobrowse()
    consumer:expect("cobrowse_requested", { agent = "Sam" }) -- what was agreed to before counts no more
    consumer:allow_cobrowse()
    agent:expect("screen", { full = true })
    expect(agent.windows, {})
    t:allow "agent_joined_cobrowse"
end)

scenario("a shared document of no known kind fails at the consumer alone", { tags = { "documents", "errors" } }, function(t)
    local consumer, agent = beginnings.cobrowsing(t)
    agent:expect("cobrowse_active", { active = true })
    consumer:share_document(nil, "JVBERi0xLjQK", "application/x-unknown")
    consumer:expect("document_error", { code = 3, id = -1, callback = "onConsumerDocError(_:reason:)" })
    consumer:expect("error", { code = 10006 })
    expect(consumer.documents, 0)
    for _, kind in ipairs { "document_opened", "document_result" } do expect(agent:events(kind), {}) end
    t:allow "cobrowse_active"
end)

scenario("one who comes later gets the form as it is, and a snapshot only when one is taken", {
    tags = { "forms" }, allow = { "cobrowse_active" },
}, function(t)
    local consumer, first = beginnings.cobrowsing(t, {
        screen = { elements = { { id = "city", type = "text", label = "City", value = "" } } },
    })
    local form = first:expect("form", { fields = { { label = "City", value = "" } } })
    first:fill_form { City = "Bonn" }
    consumer:expect("remote_input", { type = "fill", value = "Bonn" })
    consumer:take_snapshot()
    first:expect("snapshot", { elements = match.has { value = "Bonn" } })
    local second = t:actor(liveassist, { role = "agent", name = "Max" })
    second:join(nil, nil, consumer)
    second:expect "connected"
    consumer:expect("agent_joined_session", { agent = "Max" })
    second:request_cobrowse()
    consumer:expect("agent_joined_cobrowse", { agent = "Max" })
    second:expect("form", { fields = { { label = "City", value = "Bonn" } }, screen_id = form.screen_id })
    second:expect_silence("500ms", "snapshot")
    consumer:take_snapshot()
    second:expect "snapshot"
    first:expect "snapshot"
    second:fill_form { City = "Ulm" }
    consumer:expect("remote_input", { type = "fill", value = "Ulm", agent = "Max" })
end)

scenario("a screen is read as it was described, groups and all", { tags = { "screen" } }, function(t)
    t:server(liveassist)
    local consumer = t:actor(liveassist, {
        screen = {
            width = 100, height = 50,
            elements = { { id = "box", type = "container", elements = { { id = "in", type = "text", label = "In", value = "x" } } } },
        },
    })
    expect(consumer:screen(), { width = 100, height = 50, elements = { {
        id = "box", elements = { { id = "in", type = "text", label = "In", value = "x" } },
    } } })
    consumer:change("in", "y")
    expect(consumer:screen().elements[1].elements, { { id = "in", value = "y" } })
    consumer:show_screen { width = 60, height = 40, elements = {} }
    expect(consumer:screen(), { width = 60, height = 40, elements = {} })
end)
