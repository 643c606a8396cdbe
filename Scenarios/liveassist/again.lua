-- What a second session, call, log-in or attempt takes over from the first, and what a failure leaves behind: nothing.
local liveassist = require "liveassist"
local beginnings = require "beginnings"
local http = require "http"
local wire = require "wire"

local function refused(reason, method, ...)
    local done, why = pcall(method, ...)
    expect(done, false)
    expect(tostring(why), match.contains(reason))
end

scenario("the waits of an agent double from one second, and the sixth is never waited for", {
    tags = { "reconnect" }, timeout = "5m",
}, function(t)
    local server = t:server(liveassist)
    local agent = t:actor(liveassist, { role = "agent", name = "Sam" })
    expect(agent.participant == nil)
    agent:join(nil, "room")
    agent:expect "connected"
    wait "100ms"
    expect(agent.participant, 1)
    server:refuse_handshakes(6)
    server:drop "agent"
    for attempt, pause in ipairs { 1, 2, 4, 8, 16 } do
        agent:expect("reconnecting", { attempt = attempt, of = 6, ["in"] = pause }, { within = "1m" })
    end
    agent:expect("terminated", { code = 0 }, { within = "1m" })
    expect({ agent.state, agent:events "reconnected" }, { "ended", {} })
    t:allow "disconnected"
end)

scenario("a pause ends with its session", { tags = { "pause" } }, function(t)
    local consumer, agent = beginnings.cobrowsing(t)
    agent:expect("cobrowse_active", { active = true })
    consumer:pause_cobrowse()
    agent:expect("cobrowse_active", { active = false })
    consumer:end_support()
    consumer:expect "terminated"
    agent:expect "terminated"
    consumer:start_support()
    consumer:expect(seq { event("session_created", { correlation_id = "room", session_token = match.any }), event("connected", { first = true }) })
    expect({ consumer.paused, consumer.agents }, { false, {} })
    agent:join(nil, nil, consumer)
    agent:expect "connected"
    consumer:expect "agent_joined_session"
    agent:request_cobrowse()
    consumer:expect "cobrowse_requested"
    consumer:allow_cobrowse()
    agent:expect("cobrowse_active", { active = true })
    expect({ consumer.cobrowsing, agent.active }, { true, true })
    t:allow { "ended", "consumer_left", "cobrowse_active", "agent_joined_cobrowse" }
end)

scenario("support that is given up is over, and the next begins without its call", {
    tags = { "call" }, faults = { delay = "the server hears late that the call is over" },
}, function(t)
    local server = t:server(liveassist)
    local consumer = t:actor(liveassist, { destination = "sales" })
    consumer:start_support { maskColor = "blue" }
    consumer:expect "connected"
    expect(consumer.configuration.maskColor, "blue")
    local agent = t:actor(liveassist, { role = "agent", name = "Sam" })
    agent:join(nil, nil, consumer)
    agent:expect "connected"
    consumer:expect "agent_joined_session"
    agent:request_cobrowse()
    consumer:expect "cobrowse_requested"
    consumer:allow_cobrowse()
    consumer:expect("cobrowse_active", { active = true })
    consumer:terminate "enough"
    consumer:expect(seq { event("terminated", { reason = "enough" }), event("cobrowse_active", { active = false }) })
    expect({ consumer.state, consumer.cobrowsing, consumer.agents }, { "ended", false, {} })
    wait "200ms"
    expect(wire.fresh(server).calls, 0)
    consumer:start_support { destination = "", correlationId = "room" }
    consumer:expect("connected", { first = true })
    expect({ consumer.configuration.maskColor, consumer.correlation_id }, { "black", "room" })
    consumer:end_support()
    consumer:expect("terminated", { code = 50101 })
    consumer:expect_silence("300ms", "support_ended")
    t:allow { "cobrowse_active", "agent_joined_cobrowse", "consumer_left", "terminated", "ended" }
end)

scenario("a call that failed does not disturb the next", { tags = { "call" } }, function(t)
    local server = t:server(liveassist, { call = "busy" })
    local agent = t:actor(liveassist, { role = "agent", name = "Sam" })
    agent:log_in "sam"
    agent:expect "session_created"
    local consumer = t:actor(liveassist)
    for _ = 1, 3 do
        consumer:start_support { destination = "nobody" }
        consumer:expect("call", { status = "busy" })
        consumer:expect("error", { code = 20102 })
        expect(consumer.state, "idle")
        refused("needs started support", consumer.end_support, consumer)
    end
    consumer:start_support { destination = "sam" }
    agent:expect("call", { status = "ringing" })
    agent:answer_call()
    consumer:expect "connected"
    consumer:expect_silence("500ms", "error")
    expect({ consumer.state, wire.fresh(server).calls }, { "in_session", 1 })
    t:allow "agent_joined_session"
end)

scenario("a call in whose session nobody may be told of has a code of its own", { tags = { "call", "errors" } }, function(t)
    t:server(liveassist, { token_life = "30ms" })
    t:network { latency = "50ms" } -- so the token is no longer good when the call is placed
    local consumer = t:actor(liveassist, { destination = "sales" })
    consumer:start_support()
    consumer:expect("error", { code = 20103, message = match.contains "403" })
    expect(consumer.state, "idle")
end)

scenario("a call whose connection breaks before it is answered has failed", { tags = { "call", "errors" } }, function(t)
    t:server(liveassist, { call = "script" })
    local consumer = t:actor(liveassist, { destination = "sales" })
    consumer:start_support()
    consumer:expect("call", { status = "alerting" })
    consumer:expect("call", { status = "ringing" })
    t:network({ cut = true }, consumer)
    consumer:expect("error", { code = 20105, message = match.contains "closed the call" })
    expect(consumer.state, "idle")
    t:network({}, consumer)
    consumer:start_support()
    consumer:expect("call", { status = "ringing" })
end)

scenario("a request whose connection breaks has failed, and nothing comes of it later", { tags = { "errors" } }, function(t)
    t:server(liveassist)
    local consumer, agent = t:actor(liveassist, { correlationId = "room" }), t:actor(liveassist, { role = "agent", name = "Sam" })
    local function broken(actor, ask, code)
        t:network({ latency = "300ms" }, actor)
        ask(actor)
        wait "100ms"
        t:network({ cut = true }, actor)
        actor:expect("error", { code = code })
        t:network({}, actor)
        expect(actor.state, "idle")
    end
    broken(consumer, consumer.start_support, 30102)
    broken(consumer, consumer.create_short_code, 30102)
    broken(agent, function() agent:join(nil, "room") end, 2)
    broken(agent, function() agent:log_in "sam" end, 2)
    consumer:expect_silence("6s", any { "error", "short_code", "connected" })
    consumer:create_short_code()
    consumer:expect "short_code"
    consumer:start_support()
    consumer:expect("connected", { first = true })
    agent:join(nil, "room")
    agent:expect "connected"
    consumer:expect("agent_joined_session", { agent = "Sam" })
end)

scenario("a call rings for half a minute unless the server has another time", {
    tags = { "call" }, timeout = "2m", faults = {
        delay = "the time is counted from a call that begins late", clock_jump = "the time is what is asserted",
    },
}, function(t)
    t:server(liveassist)
    local agent = t:actor(liveassist, { role = "agent", name = "Sam" })
    agent:log_in "sam"
    agent:expect "session_created"
    local consumer = t:actor(liveassist, { destination = "sam" })
    local begin = now()
    consumer:start_support()
    consumer:expect("error", { code = 20104 }, { within = "1m" })
    expect(now() - begin, match.between(30, 40))
    agent:expect "support_ended"
    t:allow "call"
end)

scenario("a queued call goes to whoever comes on duty, and another log-in ends the duty before", { tags = { "call" } }, function(t)
    local server = t:server(liveassist)
    local function agent(name)
        local one = t:actor(liveassist, { role = "agent", name = name })
        one:log_in "sales"
        one:expect "session_created"
        return one
    end
    local sam = agent "Sam"
    local first, second = t:actor(liveassist, { destination = "sales" }), t:actor(liveassist, { destination = "sales" })
    first:start_support()
    sam:expect("call", { status = "ringing" })
    second:start_support()
    second:expect("call", { status = "queued" })
    local max = agent "Max"
    max:expect("call", { status = "ringing", call = 2 })
    second:expect("call", { status = "ringing" })
    -- Whoever logs in again gives up the call that rings.
    max:log_in "sales"
    max:expect "session_created"
    refused("there is no call", max.answer_call, max)
    second:expect("error", { code = 20105 })
    expect(wire.fresh(server).calls, 1)
    second:start_support()
    max:expect("call", { status = "ringing", call = 3 })
    expect(max:events "call", match.count(2)) -- it rings once, not over two connections
    max:answer_call()
    second:expect "connected"
    sam:reject_call()
    first:expect("error", { code = 20102 })
    sam:expect("support_ended", { call = 1 })
    expect(wire.fresh(server).calls, 1)
    refused("there is no call", sam.hang_up, sam)
    t:allow { "call", "agent_joined_session", "support_ended" }
end)

scenario("a server that refused once may be asked again", { tags = { "errors" } }, function(t)
    local server = t:server(liveassist, { access = "disabled" })
    local consumer = t:actor(liveassist, { correlationId = "room" })
    consumer:start_support()
    consumer:expect("error", { code = 30101 })
    consumer:create_short_code()
    consumer:expect("error", { code = 30101 })
    server:set_access "enabled"
    consumer:start_support()
    consumer:expect("connected", { first = true })
    consumer:create_short_code()
    consumer:expect "short_code"
    expect(#wire.fresh(server).sessions >= 2) -- the one that the code is for is known
    refused("token_life", t.server, t, liveassist, { token_life = 0 })
end)

scenario("the audit name goes with a code that is made, and with one that is redeemed", { tags = { "code" } }, function(t)
    local server = t:server(liveassist)
    local web = t:actor(http, { server = server })
    local ada, eve = t:actor(liveassist, { auditName = "Ada & Co" }), t:actor(liveassist)
    local function audit(code)
        web:request("GET", "/assistserver/shortcode/consumer?appkey=" .. code)
        local side = wire.participant(t, server, nil, web:expect("response").json["session-token"])
        side.send("leave", 0)
        return wire.fresh(server).last_handshake.metadata
    end
    ada:create_short_code "room"
    expect(audit(ada:expect("short_code").code), { auditName = "Ada & Co", name = "Ada & Co", role = "consumer" })
    eve:create_short_code "room"
    local code = eve:expect("short_code").code
    ada:redeem_short_code(code)
    ada:expect("short_code", { code = code, correlation_id = "room" })
    expect(audit(code), { auditName = "Ada & Co", name = "" })
    eve:create_short_code "room"
    local plain = eve:expect("short_code").code
    eve:redeem_short_code(plain)
    eve:expect "short_code"
    expect(audit(plain).auditName, nil)
    t:allow "disconnected"
end)

scenario("the server's own cookie goes with the handshake of an application that uses cookies", { tags = { "cookies" } }, function(t)
    local server = t:server(liveassist)
    local consumer = t:actor(liveassist, { correlationId = "room", useCookies = true })
    consumer:set_cookie("a", "1")
    consumer:start_support()
    consumer:expect "connected"
    expect(wire.fresh(server).last_handshake.cookie, match.pattern "^a=1; assist=%x%x%x%x%x%x%x%x$")
end)

scenario("as long as anything is heard the connection is alive", {
    tags = { "connection" }, timeout = "3m",
    faults = { delay = "the times are what is asserted", clock_jump = "the times are what is asserted" },
}, function(t)
    local server = t:server(liveassist)
    local consumer = t:actor(liveassist, { correlationId = "room", retryIntervals = {} })
    consumer:start_support()
    consumer:expect "connected"
    server:swallow_pongs()
    for round = 1, 8 do
        server:send_frame("mDoAAAEAW3siaWQiOjF9XQ==", "consumer") -- a list of nobody else
        consumer:expect_silence("5s", "disconnected")
    end
    consumer:expect("disconnected", { code = 30102, reason = match.contains "silent" }, { within = "20s" })
    expect(consumer.connection, "lost")
    t:allow "agent_left_session"
end)

scenario("an agent is let in before there is a screen, and one may be refused there", {
    tags = { "admission" }, faults = { delay = "an agent that asks late asks this consumer" },
}, function(t)
    t:server(liveassist)
    local function agent(name)
        local one = t:actor(liveassist, { role = "agent", name = name })
        one:join(nil, "room")
        one:expect "connected"
        return one
    end
    local sam, max = agent "Sam", agent "Max"
    sam:request_cobrowse()
    max:request_cobrowse()
    local consumer = t:actor(liveassist, { correlationId = "room", agentCobrowseDelegate = true })
    t:network({ latency = "200ms" }, consumer) -- so who is there is known before the topic of the screen is open
    consumer:start_support()
    consumer:expect("agent_joined_session", { agent = "Sam" })
    consumer:expect("agent_joined_session", { agent = "Max" })
    consumer:allow_cobrowse "Sam"
    consumer:allow_cobrowse "Max"
    consumer:disallow_cobrowse "Max" -- who was let in is not any more
    sam:expect("screen", { full = true })
    consumer:expect("agent_joined_cobrowse", { agent = "Sam" })
    max:expect "cobrowse_rejected"
    expect(consumer.agents, match.all_of { match.has { agent = "Sam", cobrowsing = true }, match.has { agent = "Max", cobrowsing = false } })
    expect({ sam.cobrowsing, max.cobrowsing, consumer:events "cobrowse_requested" }, { true, false, {} })
    t:allow { "agent_joined_session", "cobrowse_active", "cobrowse_rejected", "consumer_left" }
end)

scenario("what an agent may no longer see it has no more, and gets anew", { tags = { "forms" } }, function(t)
    local consumer, agent = beginnings.cobrowsing(t, {
        agentCobrowseDelegate = true, screen = { elements = { { id = "city", type = "text", label = "City", value = "Bonn" } } },
    })
    agent:expect(all { event "form", event("cobrowse_active", { active = true }) })
    consumer:disallow_cobrowse "Sam"
    agent:expect("cobrowse_active", { active = false })
    expect({ agent.elements, agent.cobrowsing, agent:form() or json.null }, { {}, false, json.null })
    agent:request_cobrowse()
    consumer:expect("cobrowse_requested", { agent = "Sam" })
    consumer:allow_cobrowse()
    agent:expect(all {
        event("form", { fields = match.has { label = "City", value = "Bonn" } }), event("cobrowse_active", { active = true }),
    })
    agent:fill_form { City = "Ulm" }
    consumer:expect("remote_input", { type = "fill", element = "city", value = "Ulm" })
    expect(agent:events "cobrowse_rejected", {}) -- that it was sent away refuses nothing that it asks later
    t:allow { "cobrowse_active", "agent_joined_cobrowse", "agent_left_cobrowse", "form" }
end)

scenario("whoever may see less makes picture and form smaller for all as soon as it is let in, until it goes", {
    tags = { "permissions", "forms" }, faults = { delay = "pictures that are late are not counted" },
}, function(t)
    local server = t:server(liveassist)
    local function field(id) return { id = id, type = "text", label = id, permission = id, value = "of " .. id } end
    local consumer = t:actor(liveassist, {
        correlationId = "room", agentCobrowseDelegate = true, screen = { elements = { field "a", field "b" } },
    })
    consumer:start_support()
    consumer:expect "connected"
    local function markers(...) return { viewable = { ... }, interactive = { ... } } end
    local agent = t:actor(liveassist, { role = "agent", name = "Sam", permissions = markers("a", "b") })
    agent:join(nil, nil, consumer)
    consumer:expect "agent_joined_session"
    consumer:allow_cobrowse "Sam"
    agent:expect("cobrowse_active", { active = true })
    agent:expect("form", { fields = match.count(2) })
    wait "200ms"
    local frames = agent.frames
    -- These two are let in and never come to look.
    local same = wire.participant(t, server, { role = "agent", name = "Same", permissions = markers("a", "b") })
    consumer:expect("agent_joined_session", { agent = "Same" })
    consumer:allow_cobrowse "Same"
    wait "200ms"
    expect(agent.frames, frames) -- nothing has changed for anybody
    local less = wire.participant(t, server, { role = "agent", name = "Less", permissions = markers "a" })
    consumer:expect("agent_joined_session", { agent = "Less" })
    consumer:allow_cobrowse "Less"
    agent:expect("screen", { full = true, elements = match.is_not(match.has { label = "b" }) })
    agent:expect("form", { fields = { { label = "a" } } })
    expect(agent.frames, frames + 1)
    consumer:disallow_cobrowse "Less"
    less.socket:close()
    consumer:expect("agent_left_session", { agent = "Less" })
    consumer:change("b", "again")
    agent:expect("screen", { elements = match.has { label = "b", value = "again" } })
    -- One who looks and goes leaves the others with more.
    local third = t:actor(liveassist, { role = "agent", name = "Third", permissions = markers "a" })
    third:join(nil, nil, consumer)
    consumer:expect("agent_joined_session", { agent = "Third" })
    consumer:allow_cobrowse "Third"
    third:expect("screen", { full = true, elements = match.is_not(match.has { label = "b" }) })
    agent:expect("form", { fields = { { label = "a" } } })
    third:leave_cobrowse()
    consumer:expect("agent_left_cobrowse", { agent = "Third" })
    agent:expect("screen", { full = true, elements = match.has { label = "b", value = "again" } })
    agent:expect("form", { fields = { { label = "a" }, { label = "b", value = "again" } } })
    expect(#agent:view(), 2)
    t:allow { "cobrowse_active", "agent_joined_cobrowse", "disconnected" }
end)

scenario("documents of the consumer come from data or from a URL, a hundred at most", { tags = { "documents" } }, function(t)
    local consumer, agent = beginnings.cobrowsing(t, { pushDelegate = true, documentViewConstraints = { right = 5, bottom = 7 } })
    agent:expect("cobrowse_active", { active = true })
    local own = consumer:share_document "/documents/200/image/png"
    consumer:expect("completed", { status = 200, url = "/documents/200/image/png" })
    consumer:expect("document_opened", { document = own, id = -1, type = "image/png", size = 11, x = 0, y = 0, width = 385, height = 837 })
    consumer:share_document "/documents/404/image/png"
    consumer:expect("document_error", { code = 2, reason = match.contains "404" })
    refused("needs url or data", consumer.share_document, consumer)
    refused("base64", consumer.share_document, consumer, nil, "no base64", "image/png")
    expect(consumer.documents, 1)
    -- What is on its way has been answered.
    local pushed = agent:push_document "/documents/200/image/gif"
    expect(pushed, 0)
    consumer:expect "document_requested"
    consumer:accept_document()
    refused("no document waits", consumer.accept_document, consumer)
    consumer:expect("document_opened", { id = 0, type = "image/gif" })
    agent:expect("document_opened", { document = own })
    agent:close_document(own)
    consumer:expect("document_closed", { document = own, by = "agent" })
    agent:close_document()
    consumer:expect("document_closed", { id = 0, by = "agent" })
    local last
    for _ = 1, 100 do last = consumer:share_document(nil, "JVBERg==", "application/pdf") end
    refused("too many documents", consumer.share_document, consumer, nil, "JVBERg==", "application/pdf")
    consumer:expect("document_opened", { document = last })
    agent:expect("document_opened", { document = last })
    expect({ consumer.documents, #consumer:events "document_opened", #agent.windows }, { 100, 102, 100 })
    t:allow { "completed", "document_result", "document_opened", "cobrowse_active" }
end)

scenario("the token that an agent is given opens the session for it", {
    tags = { "code" }, faults = { delay = "the session is there until the server hears that the agent has left" },
}, function(t)
    local server = t:server(liveassist)
    local ada = wire.participant(t, server, { role = "consumer", name = "Ada" })
    local agent = t:actor(liveassist, { role = "agent", name = "Sam" })
    agent:join(nil, "room", nil, ada.token) -- it takes the place of whoever has the same
    agent:expect("connected", { correlation_id = "room" })
    ada.socket:expect "disconnected"
    expect(wire.fresh(server).last_handshake.metadata, { role = "consumer", name = "Ada" })
    expect(wire.fresh(server).sessions, { { participants = 1 } })
    agent:leave_session()
    wait "100ms"
    expect({ agent.state, wire.fresh(server).sessions }, { "ended", {} })
    agent:join(nil, "room", nil, "nobody's")
    agent:expect("error", { code = 2, name = "SOCKET", message = match.contains "403" })
    expect(agent.state, "idle")
end)
