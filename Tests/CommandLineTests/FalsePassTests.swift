import CommandLine
import RunRecord
import Testing

@Suite("What must not pass does not pass")
struct FalsePassTests {
    @Test(
        "a function where a value is compared is a mistake that asks for the parentheses",
        arguments: [
            Trap("expect(print, 1)", .error, "did you mean print()?"),
            Trap("expect(now, match.between(0, 5))", .error, "did you mean now()?"),
            Trap("check(now, 1)", .error, "did you mean now()?"), Trap("expect(now)", .error, "did you mean now()?"),
            Trap("expect({ a = print }, { a = 1 })", .error, "did you mean print()? (at a)"),
            Trap("expect({ a = { 1, 2, print } }, { a = match.any })", .error, "print()? (at a.3)"),
            Trap("expect(string.upper, 1)", .error, "did you mean string.upper()?"),
            Trap("expect(1, match.one_of { 1, now })", .error, "did you mean now()? (at value.2)"),
            Trap("expect(function() end, match.any)", .error, "it got the function of line 12"),
            Trap("function mine() end\nexpect(mine, match.integer)", .error, "did you mean mine()?"),
            Trap("expect(connected(t).connect, match.integer)", .error, "as in object:connect()?"),
            Trap("connected(t):expect(\"frame\", { text = now })", .error, "did you mean now()? (at text)"),
            Trap("connected(t):expect(event(\"frame\", { text = now }))", .error, "did you mean now()?"),
            Trap("connected(t):expect_silence(\"1s\", \"frame\", { size = now })", .error, "did you mean now()?"),
            Trap("connected(t):never(\"frame\", { size = now })", .error, "did you mean now()?"),
            Trap("t:allow(\"frame\", { size = now })", .error, "did you mean now()?"),
            Trap("connected(t):send_json { at = now }", .error, "value takes no function"),
            Trap("connected(t):send(now)", .error, "text takes no function"),
            Trap("connected(t):close(now)", .error, "code takes no function"),
            Trap("local c = connected(t)\nexpect(1, c)", .error, "compares values, not objects of the engine"),
        ])
    func functions(trap: Trap) async throws { try await trap.expect() }

    @Test(
        "a text is compared with a condition, and not taken for its message",
        arguments: [
            Trap(
                "expect(true, \"open\")", .failure,
                "expected \"open\", got true; a condition with a message is expect(value, true, message)"),
            Trap("check(1 < 2, \"is small\")", .failure, "a condition with a message is check(value, true, message)"),
            Trap("check(nil, \"open\")", .failure, "expected \"open\", got nothing"),
            Trap("expect(2 < 1, true, \"is small\")", .failure, "is small"),
            Trap("expect(2 < 1)", .failure, "expect got false"),
        ])
    func conditions(trap: Trap) async throws { try await trap.expect() }

    @Test("a method that takes a function gets it, and nothing else")
    func declaredFunctions() async throws {
        let answering = """
            t:server(http, { handler = function(request) return { json = { path = request.path } } end })
            local visitor = t:actor(http)
            visitor:get "/x"
            visitor:expect("response", { json = { path = "/x" } })
            """
        #expect(try await Trap.end(of: answering).outcome == .passed)
        try await Trap("t:server(http, { handler = 1 })", .error, "handler is a function, not 1").expect()
    }

    @Test(
        "reading an undefined global is a mistake that says what was meant",
        arguments: [
            Trap(
                "connected(t):expect(\"frame\", { text = EXPECTED_TXET })", .error, "did you mean \"EXPECTED_TEXT\"?"),
            Trap("expct(1, 1)", .error, "the global \"expct\" is not defined; did you mean \"expect\"?"),
            Trap("local orders = 1\nexpect(ordres, nil)", .error, "did you mean \"orders\"?"),
            Trap("if debugging then expect(1, 1) end", .error, "ask rawget(_G, \"debugging\") whether it is there"),
            Trap("expect(_G.nowhere, nil)", .error, "the global \"nowhere\" is not defined"),
            Trap("for _ in pairs(_G) do end\nexpect(nowhere, nil)", .error, "the global \"nowhere\""),
            Trap("total = 1\nexpect(totel, nil)", .error, "did you mean \"total\"?"),
            Trap("io.open \"x\"", .error, "io is not available to scripts"),
            Trap("expect(load \"return nowhere\"(), nil)", .error, "the global \"nowhere\""),
            Trap(
                "expect({ a = 1 }, { a = match.intger })", .error, "match.intger is not defined; did you mean match.i"),
            Trap("expect(1, match.any())", .error, "match.any is a matcher itself: write it without parentheses"),
            Trap("expect(1, match.integer(1))", .error, "match.integer is a matcher itself: write it without"),
            Trap("connected(t):expect(\"frame\", { text = json.nul })", .error, "did you mean json.null?"),
            Trap(
                "local client, peer = connected(t)\npeer:send \"x\"\nexpect(client:expect(\"frame\").txet, nil)",
                .error,
                "the event frame has no field \"txet\"; did you mean \"text\"?"),
            Trap("expect(math.pi2, nil)", .error, "math.pi2 is not defined"),
            Trap("expect(os.getenv, nil)", .error, "ask rawget(os, \"getenv\") whether it is there"),
        ])
    func globals(trap: Trap) async throws { try await trap.expect() }

    @Test(
        "a matcher or a rule that no event of the kind can fit is refused, where it could only pass",
        arguments: [
            Trap(
                "local support = require \"support\"\nt:server(support)\nlocal visitor = t:actor(support)\nt:never(\"ended\", { by = \"agnet\" })",
                .error,
                "by is never \"agnet\"; did you mean \"agent\"?"),
            Trap(
                "local support = require \"support\"\nt:server(support)\nlocal visitor = t:actor(support)\nvisitor:expect(\"queue\", { position = match.is_not \"1\" })",
                .error, "queue of visitor: position is a number, which is never \"1\""),
            Trap("expect(1, 1, \"message\", 4)", .error, "expect takes no more than value, matcher, message"),
            Trap("metric.rate(\"good\", \"no\")", .error, "metric.rate: argument 2 (is_hit) must be true or false"),
            Trap(
                "t:server(http, { answers = { { to = \"PSOT /chat\", json = {} } } })", .error,
                "there is no method \"PSOT\"; did you mean \"POST\"?"),
            Trap("step \"a\"", .error, "step: the last argument (body) must be a function, not nothing"),
            Trap("step(\"a\", {})", .error, "step: the last argument (body) must be a function, not a table"),
            Trap("step(function() end)", .error, "step: argument 1 (name) must be a string, not a function"),
            Trap("join(5)", .error, "join: argument 1 (thread) must be what spawn returned, not an integer"),
            Trap("join(spawn(function() end), nil)", .error, "join: argument 2 (thread) must be what spawn returned"),
            Trap("match.where()", .error, "match.where: argument 1 (test) must be a function"),
        ])
    func contradictions(trap: Trap) async throws { try await trap.expect() }

    @Test("a global that was assigned is defined, also as nil, and rawget looks for one")
    func definedGlobals() async throws {
        let body = """
            expect(rawget(_G, "flag"), nil)
            flag = nil
            expect(flag, nil)
            flag = 1
            expect(flag, 1)
            flag = nil
            expect(flag, nil)
            for _ in pairs(_G) do end
            expect(flag, nil)
            other = 1
            other = nil
            expect(other, nil)
            expect(rawget(_G, "expect") == expect)
            expect(rawget(_G, "nowhere"), nil)
            setmetatable(_G, { __index = function() return "there" end })
            expect(nowhere, "there")
            """
        let end = try await Trap.end(of: body)
        #expect(end.outcome == .passed, "\(end.problems)")
    }

    @Test("a module that reads an undefined global is named with its line")
    func globalOfModule() async throws {
        let folder = try TemporaryFolder()
        try folder.write("local M = {}\nfunction M.text() return EXPECTED end\nreturn M\n", to: "texts.lua")
        try folder.write("scenario(\"it\", function() require \"texts\".text() end)\n", to: "a.lua")
        let run = try await ToolRun(["test", "a.lua"], in: folder.path)
        #expect(run.status == .script)
        #expect(run.output.contains("the global \"EXPECTED\" is not defined"))
        #expect(run.output.contains("texts.lua:2"))
    }

    @Test(
        "what a scenario spawns belongs to it",
        arguments: [
            Trap("for i = 1, 5 do spawn(function() wait \"1s\" expect(i, -1) end) end", .failure, "expected -1"),
            Trap("spawn(function() error \"boom\" end)", .error, "boom"),
            Trap("spawn(function() expect(1, 2) end)", .failure, "expected 2, got 1"),
            Trap(
                "spawn(function() wait \"1h\" end)", .failure,
                "1 spawned function (line 12) had not ended when the time limit of the scenario, 5m, passed"),
            Trap(
                "for _ = 1, 3 do spawn(function() barrier(\"x\", 9) end) end\nspawn(wait, \"1h\")", .failure,
                "4 spawned functions (lines 12, 13) had not ended"),
            Trap(
                "spawn(function() step(\"s\", { timeout = \"1s\" }, function() wait \"1m\" end) end)", .failure,
                "the time limit of the step \"s\", 1s, passed"),
            Trap("spawn(function() spawn(function() wait \"1s\" expect(1, 2) end) end)", .failure, "expected 2"),
            Trap("t:defer(function() spawn(function() expect(1, 2) end) end)", .failure, "expected 2"),
            Trap(
                "t:server(http, { handler = function() spawn(function() wait \"1s\" expect(1, 2) end) return {} end })\n"
                    + "t:actor(http):get \"/x\"", .failure, "expected 2"),
            Trap("local h\nh = spawn(function() h:cancel() end)", .error, "a function cannot cancel itself"),
        ])
    func spawned(trap: Trap) async throws { try await trap.expect() }

    @Test("spawned functions are joined at the end, unless they are cancelled or end with their block")
    func joined() async throws {
        let body = """
            local ended = {}
            spawn(function() spawn(function() wait "2s" ended.inner = now() end) end)
            local long = spawn(wait, "1h")
            do
                local short <close> = spawn(wait, "1h")
                wait "1s"
            end
            long:cancel()
            expect(long:join(), nil)
            expect(now(), 1)
            t:defer(function() expect(ended.inner, 2) end)
            """
        let end = try await Trap.end(of: body)
        #expect(end.outcome == .passed, "\(end.problems)")
    }

    @Test("a spawned function of a virtual user is not forgotten")
    func spawnedUnderLoad() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            workload { executor = "per_vu_iterations", users = 2, iterations = 1, thresholds = { "rate(failures) == 0" } }
            scenario("it", function() spawn(function() wait "1s" expect(1, 2) end) end)
            """, to: "a.lua")
        let run = try await ToolRun(
            ["load", "a.lua", "--clock", "virtual", "--seed", "1", "--reports", folder.path + "/r"], in: folder.path)
        #expect(run.status == .failed, "\(run.output) \(run.error)")
        #expect(run.output.contains("expected 2, got 1"))
    }

    @Test(
        "a failure cannot be swallowed",
        arguments: [
            Trap("pcall(function() t:fail \"no\" end)", .failure, "no"),
            Trap("pcall(expect, 1, 2)", .failure, "expected 2, got 1"),
            Trap("xpcall(expect, function() return \"x\" end, 1, 2)", .failure, "expected 2, got 1"),
            Trap("pcall(step, \"s\", function() expect(1, 2) end)", .failure, "expected 2, got 1"),
            Trap("pcall(join, spawn(function() expect(1, 2) end))", .failure, "expected 2, got 1"),
            Trap("pcall(assert, false, \"no\")", .failure, "no"),
            Trap("coroutine.resume(coroutine.create(function() expect(1, 2) end))", .failure, "expected 2"),
            Trap("pcall(coroutine.wrap(function() expect(1, 2) end))", .failure, "expected 2"),
            Trap("load(function() t:fail \"no\" end)", .failure, "no"),
            Trap("tostring(setmetatable({}, { __tostring = function() t:fail \"no\" end }))", .failure, "no"),
            Trap(
                "pcall(function()\nlocal x <close> = setmetatable({}, { __close = function() error \"other\" end })\n"
                    + "t:fail \"no\"\nend)", .failure, "no"),
            Trap(
                "local client = connected(t)\npcall(client.expect, client, \"frame\", nil, { within = \"1s\" })",
                .failure, "did not observe frame within 1s"),
            Trap("expect(1, match.where(function() t:fail \"no\" end))", .failure, "no"),
        ])
    func caught(trap: Trap) async throws { try await trap.expect() }

    @Test("the script catches its own errors and the mistakes that the engine finds")
    func catchable() async throws {
        let body = """
            expect({ pcall(error, "mine") }, { false, "mine" })
            expect(select(2, xpcall(error, function(message) return message .. "!" end, "mine")), "mine!")
            local client = connected(t)
            local done, why = pcall(client.connect, client)
            expect(done, false)
            expect(why.kind, "usage")
            """
        let end = try await Trap.end(of: body)
        #expect(end.outcome == .passed, "\(end.problems)")
    }

    @Test(
        "what is not there is not something else",
        arguments: [
            Trap("expect({}, { b = match.is_not \"x\" })", .failure, "expected { b = not \"x\" }"),
            Trap("expect(nil, match.any)", .failure, "expected anything, got nothing"),
            Trap("expect(nil, match.is_not \"x\")", .failure, "got nothing"),
            Trap("expect(nil, json.null)", .failure, "expected null, got nothing"),
            Trap("expect(1, match.all_of(json.decode \"[]\"))", .error, "match.all_of takes a list that is not empty"),
        ])
    func missing(trap: Trap) async throws { try await trap.expect() }

    @Test(
        "a silence that nothing could break is refused",
        arguments: [
            Trap(
                "local client, peer = connected(t)\npeer:expect_silence \"1s\"", .error,
                "peer:expect_silence cannot fail without an event: whatever peer observes (connected, disconnected, frame)"
            ),
            Trap("t:server(http):peer(\"peer\"):expect_silence \"1s\"", .error, "name the event"),
            Trap(
                "local client = connected(t)\nt:allow { \"error\", \"frame\", \"disconnected\" }\n"
                    + "client:expect_silence \"1s\"", .error, "client:expect_silence cannot fail without an event"),
            Trap("connected(t):expect_silence(\"1s\", \"request\")", .error, "client never observes \"request\""),
            Trap("connected(t):never \"request\"", .error, "client never observes \"request\""),
            Trap("connected(t):expect_silence \"0s\"", .error, "client:expect_silence cannot fail in no time"),
            Trap("connected(t):expect_silence(0, \"frame\")", .error, "client:expect_silence cannot fail in no time"),
        ])
    func vacuousSilence(trap: Trap) async throws { try await trap.expect() }

    private static let counting = """
        local server = t:server(websocket)
        local client, peer = t:actor(websocket, { counts = true }), server:peer "peer"

        """

    private static let assisting = """
        local liveassist = require "liveassist"
        local agent, consumer = t:actor(liveassist, { role = "agent" }), t:actor(liveassist)

        """

    private static let visiting = """
        local boldchat = require "boldchat"
        local phone, browser = t:actor(boldchat), t:actor(boldchat, { profile = "html" })

        """

    @Test(
        "what an actor cannot observe as it was made is refused wherever something is to come or not to come",
        arguments: [
            Trap(
                Self.counting + "client:expect_silence(\"1s\", \"frame\")", .error,
                "with counts = true messages are only counted, in the properties frames and bytes, so client never observes \"frame\""
            ),
            Trap(Self.counting + "client:never \"frame\"", .error, "so client never observes \"frame\""),
            Trap(Self.counting + "t:never(client, \"frame\")", .error, "so client never observes \"frame\""),
            Trap(Self.counting + "client:expect \"frame\"", .error, "so client never observes \"frame\""),
            Trap(
                "local client = connected(t)\nclient:close()\nclient:expect \"disconnected\"\n"
                    + "client:connect { counts = true }\nclient:expect \"connected\"\n"
                    + "client:expect(seq { \"frame\", \"disconnected\" })", .error, "so client never observes \"frame\""
            ),
            Trap(
                "t:server(websocket)\nlocal client = t:actor(websocket)\nclient:never \"frame\"\n"
                    + "client:connect { counts = true }\nclient:expect \"connected\"", .error,
                "client:never has watched nothing: with counts = true messages are only counted"),
            Trap(
                Self.assisting + "agent:expect_silence(\"1s\", \"short_code\")", .error,
                "short_code is an event of consumers only, so client never observes \"short_code\""),
            Trap(
                Self.assisting + "consumer:never(any { \"screen\", \"document_result\" })", .error,
                "screen is an event of agents only, so client"),
            Trap(
                Self.visiting + "phone:never \"disconnected\"", .error,
                "disconnected is an event of the browser window only, a visitor with profile = \"html\", so visitor never observes"
            ),
        ])
    func absentEvents(trap: Trap) async throws { try await trap.expect() }

    @Test(
        "a silence of who has done nothing yet is refused, unless somebody else may let it begin",
        arguments: [
            Trap(
                "t:server(websocket)\nt:actor(websocket):expect_silence(\"1s\", \"frame\")", .error,
                "client:expect_silence cannot fail: client has done nothing yet, so nothing can come to it"),
            Trap("t:actor(http):expect_silence \"1s\"", .error, "let it connect or ask for something first"),
            Trap(
                "t:server(websocket, { refuse = 503 })\nlocal client = t:actor(websocket)\n"
                    + "spawn(function() wait \"10ms\" client:connect() end)\nclient:expect_silence(\"1s\", \"error\")",
                .failure, "client observed error where silence of error for 1s was expected"),
        ])
    func silenceBefore(trap: Trap) async throws { try await trap.expect() }

    @Test(
        "a silence that nothing could have broken is an error: nobody had come to the server, nothing had been begun",
        arguments: [
            Trap(
                "t:server(websocket):peer(\"Sam\"):expect_silence(\"1m\", \"frame\")", .error,
                "Sam:expect_silence could not fail: no client has turned to its server, so nothing could come to Sam"),
            Trap(
                "t:server(require \"boldchat\"):agent(\"Sam\"):expect_silence(\"1m\", \"message\")", .error,
                "Sam:expect_silence could not fail: no client has turned to its server"),
            Trap(
                "local sam = t:server(require \"boldchat\"):agent \"Sam\"\nt:actor(require \"boldchat\")\n"
                    + "sam:never \"message\"\nwait \"1m\"", .error,
                "Sam:never has watched nothing: no client has turned to its server, so nothing could come to Sam"),
            Trap(
                "t:server(websocket)\nt:actor(websocket)\nt:never \"frame\"", .error,
                "t:never has watched nobody: client has done nothing, so nothing could come to it"),
            Trap(
                "t:server(websocket)\nt:actor(websocket):never \"frame\"", .error,
                "client:never has watched nothing: client has done nothing"),
            Trap(
                "t:server(websocket)\nlocal client = t:actor(websocket)\n"
                    + "client:never(\"frame\", nil, function() wait \"1s\" end)\nclient:connect()", .error,
                "client:never has watched nothing: client has done nothing"),
            Trap(
                "t:server(websocket)\nlocal client = t:actor(websocket)\n"
                    + "spawn(function() wait \"2s\" client:connect() end)\nclient:expect_silence(\"1s\", \"frame\")",
                .error, "client:expect_silence could not fail: client has done nothing"),
            Trap(
                Self.moderating + "host:expect_silence(\"10s\", \"message_reported\")", .error,
                "Host:expect_silence could not fail: Host observes that only after Host:watch(), which it was not told"),
            Trap(
                Self.moderating + "t:never(host, \"message_reported\")", .error,
                "t:never has watched nobody: Host observes that only after Host:watch()"),
        ])
    func idleSilence(trap: Trap) async throws { try await trap.expect() }

    private static let moderating = """
        local livelike = require "livelike"
        local host, ada = t:server(livelike):moderator "Host", t:actor(livelike)
        ada:connect "lobby"
        ada:expect "connected"

        """

    @Test(
        "a silence that somebody could have broken holds, whenever a client came and wherever it went",
        arguments: [
            "local peer, client = t:server(websocket):peer \"p\", t:actor(websocket)\n"
                + "spawn(function() wait \"500ms\" client:connect() end)\npeer:expect_silence(\"1s\", \"frame\")",
            "local peer, client = t:server(websocket):peer \"p\", t:actor(websocket)\n"
                + "t:never \"frame\"\npeer:never \"frame\"\nclient:connect()",
            """
            local home, other = t:server(http, { answers = { { json = { ok = true } } } }), t:server(http)
            local client = t:actor(http, { server = home })
            other:peer("other"):never "request"
            client:get "/"
            client:expect "response"
            other:peer("other"):expect_silence("1s", "request")
            """,
            Self.moderating + "host:never \"message_reported\"\nhost:watch()\n"
                + "host:expect_silence(\"10s\", \"message_reported\")",
        ])
    func breakableSilence(body: String) async throws {
        let end = try await Trap.end(of: body)
        #expect(end.outcome == .passed, "\(end.problems)")
    }

    @Test("a silence after the end of a connection holds")
    func silenceAfter() async throws {
        let body = "local client = connected(t)\nclient:drop()\nclient:expect_silence(\"1s\", \"frame\")"
        let end = try await Trap.end(of: body)
        #expect(end.outcome == .passed, "\(end.problems)")
    }

    @Test("what may come is not refused beside what cannot, nor a look at what has come")
    func presentEvents() async throws {
        let bodies = [
            Self.counting + "t:never(peer, \"frame\")\nexpect(client:events \"frame\", {})\nclient:connect()",
            """
            local liveassist = require "liveassist"
            t:server(liveassist)
            local consumer = t:actor(liveassist, { correlationId = "room" })
            local agent = t:actor(liveassist, { role = "agent" })
            agent:never(any { "short_code", "error" })
            consumer:never "short_code"
            consumer:start_support()
            consumer:expect "connected"
            agent:join(nil, nil, consumer)
            agent:expect "connected"
            consumer:expect "agent_joined_session"
            """,
            Self.visiting + "browser:never \"disconnected\"\n"
                + "browser:create_chat { skip_pre_chat = true }\nphone:create_chat { skip_pre_chat = true }\n"
                + "phone:expect_silence(\"1s\", any { \"queue\", \"link_opened\" })",
            Self.counting + "expect(client:maybe(\"frame\", nil, { within = \"1s\" }), nil)",
            "local client, peer = connected(t)\npeer:send \"x\"\nclient:expect \"frame\"",
        ]
        for body in bodies {
            let end = try await Trap.end(of: body)
            #expect(end.outcome == .passed, "\(body): \(end.problems)")
        }
    }

    @Test(
        "an option of the other role is refused",
        arguments: [
            Trap(
                "t:actor(require \"liveassist\", { permissions = { viewable = { \"a\" } } })", .error,
                "permissions is not an option of a consumer; give the actor role = \"agent\" for it"),
            Trap(
                "t:actor(require \"liveassist\", { role = \"agent\", screen = {} })", .error,
                "screen is not an option of an agent; give the actor role = \"consumer\" for it, or leave it out"),
            Trap(
                "t:actor(require \"liveassist\", { role = \"agent\", correlationId = \"room\" })", .error,
                "correlationId is not an option of an agent"),
        ])
    func optionsOfOthers(trap: Trap) async throws { try await trap.expect() }

    @Test(
        "a condition that every text meets is refused",
        arguments: [
            Trap("expect(\"x\", match.contains \"\")", .error, "match.contains takes a text that is not empty"),
            Trap("expect(\"x\", match.fuzzy(\"y\", 0))", .error, "match.fuzzy takes a ratio above 0 up to 1, not 0"),
            Trap("expect(\"x\", match.token_set(\"y\", 0))", .error, "match.token_set takes a ratio above 0"),
        ])
    func vacuousMatcher(trap: Trap) async throws { try await trap.expect() }

    @Test(
        "a silence that was broken fails, and so does what must never happen",
        arguments: [
            Trap(
                "local client, peer = connected(t)\nclient:send \"x\"\npeer:expect_silence(\"1s\", \"frame\")",
                .failure,
                "peer observed frame where silence of frame for 1s was expected"),
            Trap(
                "local client, peer = connected(t)\npeer:never()\nclient:send \"x\"\nwait \"1s\"", .failure,
                "peer observed any event, which must never happen"),
            Trap(
                "t:server(websocket)\nlocal client = t:actor(websocket)\nclient:never()\nclient:connect()\nwait \"1s\"",
                .failure, "client observed any event, which must never happen"),
            Trap(
                "local client, peer = connected(t)\nt:allow \"frame\"\nclient:never()\npeer:send \"x\"\nwait \"1s\"",
                .failure, "client observed any event, which must never happen"),
        ])
    func brokenSilence(trap: Trap) async throws { try await trap.expect() }

    @Test("a peer of any name hears what happens, and several hear the same")
    func namedPeers() async throws {
        let webSocket = """
            local server = t:server(websocket)
            local bot, spy = server:peer "bot", server:peer "spy"
            local client = t:actor(websocket)
            client:connect()
            client:expect "connected"
            bot:expect "connected"
            client:send "hello"
            bot:expect("frame", { text = "hello" })
            bot:send "hi"
            client:expect("frame", { text = "hi" })
            spy:expect(seq { "connected", event("frame", { text = "hello" }) })
            """
        let hypertext = """
            local server = t:server(http)
            local bot, spy = server:peer "bot", server:peer "spy"
            local visitor = t:actor(http)
            visitor:get "/x"
            bot:expect("request", { path = "/x" })
            bot:respond { json = { a = 1 } }
            visitor:expect("response", { json = { a = 1 } })
            spy:expect("request", { path = "/x" })
            """
        for body in [webSocket, hypertext] {
            let end = try await Trap.end(of: body)
            #expect(end.outcome == .passed, "\(end.problems)")
        }
        try await Trap(
            "local bot = t:server(http):peer \"bot\"\nbot:never \"request\"\nt:actor(http):get \"/x\"\nwait \"1s\"",
            .failure, "bot observed request, which must never happen"
        ).expect()
    }

    @Test("a peer of any name hears what happens on a server that the users of a load test share", arguments: [1, 3])
    func namedPeersUnderLoad(users: Int) async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            local websocket = require "websocket"
            workload {
                executor = "per_vu_iterations", users = \(users), iterations = 2,
                thresholds = { "rate(failures) == 0" },
            }
            scenario("it", function(t)
                local bot = t:server(websocket, { shared = true }):peer "bot"
                local client = t:actor(websocket)
                client:connect()
                client:expect "connected"
                client:send("from " .. t.user.number)
                bot:expect("frame", { text = "from " .. t.user.number })
            end)
            """, to: "a.lua")
        let run = try await ToolRun(
            ["load", "a.lua", "--clock", "virtual", "--seed", "1", "--reports", folder.path + "/r"], in: folder.path)
        #expect(run.status == .success, "\(run.output) \(run.error)")
    }

    @Test(
        "a scenario that asserted nothing is marked, and fails where that is forbidden",
        arguments: [
            ("", true), ("wait \"1s\"", true), ("connected(t)", false), ("t:actor(websocket):maybe(\"frame\")", true),
            ("expect(1, 1)", false), ("check(true)", false), ("assert(true)", false),
            ("local client = t:actor(websocket)\nclient:connect()\nclient:expect_silence(\"1s\", \"error\")", false),
            ("local client = t:actor(websocket)\nclient:never \"error\"\nclient:connect()", false),
            ("spawn(function() expect(1, 1) end)", false),
        ])
    func asserted(body: String, isEmpty: Bool) async throws {
        let end = try await Trap.end(of: body)
        #expect(end.outcome == .passed, "\(end.problems)")
        #expect(end.isEmpty == isEmpty)
        let strict = try await Trap.end(of: body, ["--forbid-empty"])
        #expect(strict.outcome == (isEmpty ? .failed : .passed))
        if isEmpty {
            let problem = try #require(strict.problems.first)
            #expect(problem.message == "the scenario asserted nothing, so it passes whatever the system does")
        }
    }

    @Test("every report says that a scenario asserted nothing")
    func emptyInReports() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "scenario(\"looks\", function() end)\nscenario(\"asks\", function() expect(1, 1) end)\n", to: "a.lua")
        let run = try await ToolRun(["test", "a.lua", "--seed", "1"], in: folder.path)
        #expect(run.status == .success)
        #expect(run.output.contains("✓ looks (0s, asserted nothing)"))
        #expect(run.output.contains("✓ asks (0s)"))
        #expect(run.output.contains("1 scenario passed and asserted nothing; --forbid-empty fails such"))
        #expect(try run.reports.text("junit.xml").contains("<property name=\"asserted\" value=\"nothing\"/>"))
        #expect(try run.reports.text("run.jsonl").contains("\"empty\":true"))
        #expect(try run.reports.text("report.html").contains("\"empty\":true"))
        let strict = try await ToolRun(["test", "a.lua", "--seed", "1", "--forbid-empty"], in: folder.path)
        #expect(strict.status == .failed)
        #expect(strict.output.contains("a.lua:1"))
    }

    @Test(
        "what there is not is refused",
        arguments: [
            Trap("date.epoch \"2026-02-31\"", .error, "there is no day \"2026-02-31\""),
            Trap("date.add(\"2025-02-29\", { days = 1 })", .error, "there is no day \"2025-02-29\""),
            Trap("expect(\"a\", match.regex \"[[:alhpa:]]\")", .error, "there is no class [:alhpa:]; there are alnum"),
            Trap("expect(\"a\", match.regex \"[:alpha:]\")", .error, "a class stands within a set: [[:alpha:]]"),
            Trap("expect(\"1\", match.regex \"[[:alpha:]]\")", .failure, "got \"1\""),
            Trap("expect(json.decode(\"1e999\") == \"1e999\")", .failure, "expect got false"),
        ])
    func small(trap: Trap) async throws { try await trap.expect() }

    @Test("numbers beyond those of Lua, classes of characters, days that there are")
    func smallPasses() async throws {
        let body = """
            expect(json.decode("1e999") == math.huge)
            expect(json.decode("[-1e999]")[1] == -math.huge)
            expect("grün_7", match.regex "[[:alpha:]_]+[[:digit:]]")
            expect("GRÜN", match.regex "[^[:lower:]]+")
            expect("a$", match.regex "[[:alnum:]][[:punct:]]")
            expect(date.epoch "2024-02-29", 1709164800)
            """
        let end = try await Trap.end(of: body)
        #expect(end.outcome == .passed, "\(end.problems)")
    }
}
