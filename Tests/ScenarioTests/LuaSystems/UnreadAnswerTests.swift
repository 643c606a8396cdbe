import RunRecord
import Testing

@testable import Scenario

@Suite("Answers that are not ok, and whether a client in Lua asks if they are")
struct UnreadAnswerTests {
    /// Plays a scenario in which a client does something with a server that refuses all but `/fine`.
    private static func play(_ body: String) throws -> ScenarioEnd {
        try ScriptRun(
            """
            local S = system {
                name = "probe", events = { got = { status = "integer?", body = "string?" }, placed = { id = "string" } },
            }
            function S.commands.go(me) \(body) end
            function S.server.request(desk, request)
                if request.path == "/never" then desk:wait "never" end
                if request.path == "/fine" then return { json = { fine = true } } end
                if request.path == "/silent" or request.path == "/broken" then
                    request:begin { status = 503 }
                    request:write "busy"
                    if request.path == "/broken" then wait "1s" request:drop() end
                    desk:wait "never"
                end
                if request.path == "/old" then return { status = 301, headers = { location = "/new" } } end
                return { status = 503, json = { why = "busy" }, headers = { ["retry-after"] = "5" } }
            end
            scenario("asks", { allow = { "got" } }, function(t)
                t:server(S)
                t:actor(S):go()
                expect(1, 1)
            end)
            """
        ).end
    }

    @Test(
        "a scenario fails whose client never asks whether one is ok, whatever else of it is read",
        arguments: [
            ("me:request { path = '/' }", #"GET / answered 503: {"why":"busy"}"#),
            ("local answer = me:request { path = '/' } me.last = answer", "GET / answered 503"),
            ("me:request { path = '/?page=2', method = 'POST' } me:request { path = '/fine' }", "POST / answered 503"),
            ("me:request { path = '/', stream = true }", "GET / answered 503"),
            (
                "local a = me:request { path = '/' } if a.failure then me:fail(a.failure.message) end me:emit('got', {})",
                "GET / answered 503"
            ),
            ("assert(not me:request({ path = '/', stream = true }).failure)", "GET / answered 503"),
            ("expect(me:request({ path = '/' }).json, { why = 'busy' })", "GET / answered 503"),
            ("me:emit('got', { body = me:request({ path = '/' }).body })", "GET / answered 503"),
            ("expect(me:request({ path = '/' }).bytes, '{\"why\":\"busy\"}')", "GET / answered 503"),
            ("expect(me:request({ path = '/' }).headers['retry-after'], '5')", "GET / answered 503"),
            ("expect(me:request({ path = '/', stream = true }).headers['retry-after'], '5')", "GET / answered 503"),
            ("expect(me:request({ path = '/', stream = true }):read(), '{\"why\":\"busy\"}')", "GET / answered 503"),
            (
                "for piece in me:request({ path = '/', stream = true }):pieces() do assert(piece) end",
                "GET / answered 503"
            ),
            (
                "local a = me:request({ path = '/silent', stream = true }) assert(a:read()) "
                    + "local _, why = a:read('piece', '1s') expect(why.code, 'timeout')",
                "GET /silent answered 503"
            ),
            (
                "local a = me:request({ path = '/broken', stream = true }) assert(a:read()) "
                    + "local _, why = a:read() expect(why.code, match.is_not 'timeout')",
                "GET /broken answered 503"
            ),
            ("local _ = me:request({ path = '/never', timeout = '1s' }).body", "GET /never failed: "),
            ("expect(me:request({ path = '/old', redirects = 0 }).body, '')", "GET /old answered 301"),
            ("me:request { path = '/never', timeout = '1s' }", "GET /never failed: "),
            (
                "me:request { path = '/' } me:request { path = '/never', timeout = '1s' }",
                "and nothing asked whether that is ok, nor whether 1 other is"
            ),
            (
                "for _ = 1, 16 do me:request { path = '/' } end",
                "and nothing asked whether that is ok, nor whether 15 others are"
            ),
            (
                "for _ = 1, 40 do me:request { path = '/' } end",
                "and nothing asked whether that is ok, nor whether 15 or more others are"
            ),
        ] as [(String, String)])
    func unread(body: String, message: String) throws {
        let end = try Self.play(body)
        #expect(end.outcome == .failed)
        #expect(end.problems.map(\.typeName) == ["unread"])
        #expect(end.problems.first?.message.contains(message) == true, "\(end.problems)")
        #expect(end.problems.first?.line == 4, "the line of the request")
        let remedy = end.problems.first?.evidence?.sections.first { $0.heading == "remedy" }?.lines.first
        #expect(remedy?.hasPrefix("read ok or status of what me:request returns: ") == true)
    }

    @Test(
        "one of which something asks that passes, and says what it says without being watched",
        arguments: [
            "me:request { path = '/fine' }",
            "assert(not me:request({ path = '/' }).ok)",
            "expect(me:request({ path = '/' }).status, 503)",
            "local a = me:request { path = '/' } expect(a.failure, nil) expect(a.status, 503)",
            "expect(json.decode(json.encode(me:request { path = '/' })).status, 503)",
            "local seen = 0 for name, value in pairs(me:request { path = '/' }) do seen = seen + 1 end assert(seen > 3)",
            "assert(next(me:request { path = '/' }))",
            "expect(rawget(me:request { path = '/' }, 'status'), 503)",
            "expect(me:request { path = '/' }, match.where(function(a) return a.status == 503 end, 'refused'))",
            "local a = me:request { path = '/' } me:emit('got', { status = a.status, body = a.body })",
            "local a = me:request { path = '/' } expect(a.json, { why = 'busy' }) expect(a.ok, false) assert(a.body)",
            "local a = me:request { path = '/' } expect(a.ok, false) expect(a.bytes, '{\"why\":\"busy\"}')",
            "local a = me:request { path = '/', stream = true } expect(a.status, 503) expect(a:read(), match.any)",
            "local a = me:request { path = '/silent', stream = true } assert(not a.ok) a:read() a:read('piece', '1s')",
            "expect(me:request({ path = '/old', redirects = 0 }).headers.location, '/new')",
            // Where no answer came, what is read says so.
            "local a = me:request { path = '/never', stream = true, timeout = '1s' } local _, why = a:read() "
                + "expect(why.code, 'timed_out')",
            "local a = me:request { path = '/never', timeout = '1s' } expect(a.failure.code, 'timed_out')",
            // What the client puts into it stays.
            "local a = me:request { path = '/' } a.status = 1 expect(a.status, 1) expect(a.ok, false)",
        ])
    func read(body: String) throws {
        let end = try Self.play(body)
        #expect(end.outcome == .passed, "\(end.problems)")
    }

    @Test(
        "where none came, a line that trips over its status or body is a failure of who did not answer",
        arguments: [
            "if not answer.ok then me:fail('the login was refused: ' .. answer.status) end",
            "if answer.status >= 400 then me:fail('refused') end", "return answer.status + 1",
            "if not answer.ok then me:fail(('refused with %d'):format(answer.status)) end",
            "return not answer.ok and answer.body:match('x')", "return not answer.ok and answer.headers.date",
        ])
    func missing(line: String) throws {
        for stream in ["", ", stream = true"] where stream.isEmpty || !line.contains("body") {
            let end = try Self.play(
                "local answer = me:request { path = '/never', timeout = '1s'\(stream) } \(line)")
            #expect(end.outcome == .failed)
            #expect(end.problems.map(\.typeName) == ["answer"])
            let message = end.problems.first?.message
            #expect(message?.hasPrefix("client: GET /never has no answer: ") == true, "\(end.problems)")
            #expect(end.problems.first?.line == 4)
            let remedy = end.problems.first?.evidence?.sections.first { $0.heading == "remedy" }?.lines.first
            #expect(remedy?.hasPrefix("without a look at ok or status, answer.json fails") == true)
        }
    }

    @Test(
        "a nil that has nothing to do with an answer stays a mistake of the script",
        arguments: [
            "local a = me:request { path = '/never', timeout = '1s' } local _ = a.status\nreturn me.nothing.at_all",
            "local a = me:request { path = '/' } return a.status .. me.nothing",
            "local a = me:request { path = '/never', timeout = '1s' } error('no status: ' .. tostring(a.status))",
            "me:request { path = '/fine' } me:emit('placed', { id = me.nothing })",
            "local a = me:request { path = '/' } expect(a.ok, false) me:emit('placed', { id = a.json.id })",
            "me:request { path = '/' } me:emit('plaecd', { id = 'x' })",
            "me:request { path = '/' } me:emitt('placed', { id = 'x' })",
            "me:request { path = '/' } error('what the script says itself')",
        ])
    func otherNil(body: String) throws {
        let end = try Self.play(body)
        #expect(end.outcome == .error, "\(end.problems)")
    }

    @Test(
        "a line that trips over what a refusal lacks is a failure of who refused",
        arguments: [
            "me:emit('placed', { id = me:request({ path = '/' }).json.id })",
            "local answer = me:request { path = '/' } me.id = answer.json.id me:emit('placed', { id = me.id })",
            "return 'number ' .. me:request({ path = '/' }).json.id",
            "local answer = me:request { path = '/' } return answer.json.session.id",
        ])
    func lacking(line: String) throws {
        let end = try Self.play(line)
        #expect(end.outcome == .failed)
        #expect(end.problems.map(\.typeName) == ["unread"])
        let text = #"client: GET / answered 503: {"why":"busy"}, and nothing asked whether that is ok; then: "#
        #expect(end.problems.first?.message.hasPrefix(text) == true, "\(end.problems)")
        #expect(end.problems.first?.line == 4)
    }

    @Test("a misspelt member of one is refused as of any other")
    func misspelt() throws {
        let end = try Self.play("return me:request({ path = '/' }).stauts")
        #expect(end.problems.first?.detail.contains("answer.stauts is not there; did you mean \"status\"?") == true)
    }

    @Test(
        "a goodbye that is refused or dropped, and that nothing looks at, fails the scenario",
        arguments: [
            ("me:request { path = '/bye' }", "return 500", "client: GET /bye answered 500", false),
            ("me:request { path = '/bye' }", "request:drop()", "client: GET /bye failed: ", false),
            ("me:request { path = '/bye' }", "return 202", nil, false),
            ("local _ = me:request({ path = '/bye' }).ok", "return 500", nil, false),
            ("me:request { path = '/bye' }", "return 500", nil, true),
        ] as [(String, String, String?, Bool)])
    func refusedGoodbye(request: String, answer: String, message: String?, isDisturbed: Bool) throws {
        let source = """
            local S = system { name = "probe", events = {} }
            function S.commands.connect(me) me:open {} me:wait "open" end
            function S.on.ending(me) \(request) end
            function S.on.text() end
            function S.on.closed() end
            function S.server.text() end
            function S.server.request(desk, request) \(answer) end
            scenario("ends", function(t)
                t:actor(S):connect()
                \(isDisturbed ? "t:network { latency = '10ms' }" : "")
                expect(1, 1)
            end)
            """
        let end = try ScriptRun(source).end
        #expect(end.outcome == (message == nil ? .passed : .failed))
        let messages = end.problems.map(\.message)
        #expect(messages.count == (message == nil ? 0 : 1), "\(messages)")
        if let message {
            #expect(messages.first?.hasPrefix(message) == true, "\(messages)")
            #expect(messages.first?.contains("and nothing asked whether that is ok") == true, "\(messages)")
        }
    }
}
