import RunRecord
import Testing

@testable import Scenario

@Suite("Which of several things a headline names")
struct HeadlineTests {
    private static let crashes = """
        function S.on.closed(me, closure)
            me:emit("disconnected", { code = closure.code, reason = closure.reason })
        end
        function S.server.text(_, client) client:close(1011, "crashed") end
        """

    /// Plays a scenario of a client that observes each text as a message, and each end of its connection.
    private static func problem(_ server: String, _ body: String, _ handlers: String = Self.crashes) throws -> Problem {
        let run = try ScriptRun(
            """
            local S = system { name = "probe", client = "visitor", events = {
                message = { text = "string", cards = "list?" }, disconnected = { code = "integer", reason = "string" } } }
            function S.commands.connect(me) me.link = me:open() me:wait "open" end
            function S.commands.say(me, text) me.link:send(text) end
            function S.on.text(me, text) me:emit("message", { text = text }) end
            \(handlers)
            \(server)
            scenario("s", function(t)
                t:server(S)
                local ada = t:actor(S)
                ada:connect()
                \(body)
            end)
            """)
        return try #require(run.end.problems.first, "it passed")
    }

    private static func lines(_ heading: String, of problem: Problem) -> [String] {
        problem.evidence?.sections.first { $0.heading == heading }?.lines ?? []
    }

    @Test("an event with another value leads before the close behind it, which is told below")
    func mismatch() throws {
        let problem = try Self.problem(
            "function S.server.connected(_, client) wait '1s' client:send 'agent' client:close(1000, 'bye') end",
            "ada:expect('message', { text = 'visitor' })")
        #expect(problem.message == #"visitor: #1 message has text "agent", not "visitor", and nothing else can come"#)
        #expect(
            Self.lines("later", of: problem)
                == ["the server closed the connection: 1000 bye, 1s after connect"])
        #expect(problem.typeName == "hopeless")
    }

    @Test("an event with several other values leads before a close in order behind it, and not before another close")
    func severalMismatches() throws {
        func server(_ close: String) -> String {
            "function S.server.connected(_, client) client:send 'agent' client:close(\(close)) end"
        }
        let expects = "ada:expect('message', { text = 'visitor', cards = { 'a' } })"
        let orderly = try Self.problem(server("1000"), expects)
        #expect(orderly.message == "visitor: #1 message differs in cards and text, and nothing else can come")
        #expect(Self.lines("later", of: orderly).first?.contains("1000 normal closure") == true)
        let crashed = try Self.problem(server("1011, 'crashed'"), expects)
        #expect(crashed.message.contains("1011 crashed"), "\(crashed.message)")
    }

    @Test("a part that a whole event lacks is named without a place")
    func missingPart() throws {
        let problem = try Self.problem(
            "function S.server.connected(_, client) client:send 'Menu' end",
            "ada:expect('message', match.card { title = 'Funghi' })")
        #expect(
            problem.message
                == #"visitor: #1 message comes without a card { title = "Funghi" }; it did not observe message with a "#
                + #"card { title = "Funghi" } within 10s"#)
    }

    @Test("a close with another reason than the one that was expected is named by that")
    func otherReason() throws {
        let problem = try Self.problem(
            "function S.server.connected(_, client) wait '1s' client:close(1000, 'bye') end",
            "ada:expect('disconnected', { code = 1000, reason = 'goodbye' })")
        #expect(
            problem.message
                == #"visitor: #1 disconnected has reason "bye", not "goodbye", and nothing else can come"#)
    }

    @Test("a close leads where the event with another value came before the last command, or differs in more")
    func close() throws {
        let greeted = try Self.problem(
            "function S.server.connected(_, client) client:send 'welcome' end",
            "wait '1s' ada:say 'hi' ada:expect('message', { text = 'you said hi' })")
        #expect(
            greeted.message == "visitor: the server closed the connection: 1011 crashed, at once after say",
            "\(greeted.message)")
        #expect(Self.lines("later", of: greeted) == [])
        let other = try Self.problem(
            "", "ada:say 'hi' ada:expect('disconnected', { code = 1000, reason = 'bye' })")
        #expect(other.message.hasPrefix("visitor: the server closed the connection: 1011 crashed, "))
    }

    private static let reconnects = """
        function S.on.closed(me, closure)
            me:emit("disconnected", { code = closure.code, reason = closure.reason })
            if not me.leaving then me:after("again", "200ms") end
        end
        function S.on.timer(me) me.link = me:open() end
        function S.on.ending(me) me.leaving = true me:cancel "again" end
        function S.server.text(desk, client) desk.down = true wait "100ms" client:close(1011, "no database") end
        function S.server.connected(desk, client) if desk.down then client:close(1013, "try again later") end end
        """

    @Test(
        "of many losses of a connection the first leads: since the last command, and since what was expected last",
        arguments: [
            ("", "1011 no database, 100ms after say (and 49 more); it did not observe message "),
            ("ada:expect 'disconnected'", "1013 try again later, 300ms after say (and "),
        ])
    func losses(_ expected: String, _ told: String) throws {
        let problem = try Self.problem("", "ada:say 'hi' \(expected) ada:expect 'message'", Self.reconnects)
        #expect(problem.message.hasPrefix("visitor: the server closed the connection: \(told)"), "\(problem.message)")
    }

    private static let asks = """
        function S.commands.login(me)
            local answer = me:request { path = "/login" }
            if not answer.ok then return me:fail "the login was refused" end
        end
        function S.commands.ask(me)
            local answer = me:request { path = "/ask", timeout = "1s" }
            if not answer.ok then me:emit("message", { text = "refused" }) end
        end
        function S.commands.trip(me)
            local answer = me:request { path = "/login" }
            local fine = me:request { path = "/fine" }
            if not answer.ok and fine.ok then error "it does not work" end
        end
        function S.server.text() end
        function S.server.request(desk, request)
            if request.path == "/fine" then return { json = {} } end
            if request.path == "/ask" then desk:wait("never", "1m") end
            return { status = 503, json = { error = "the database is down" } }
        end
        """

    @Test(
        "the answers that were not ok stand beside what a client in Lua made of them",
        arguments: [
            ("ada:login()", #"0s  GET /login answered 503: {"error":"the database is down"}"#),
            ("ada:trip()", #"0s  GET /login answered 503: {"error":"the database is down"}"#),
            ("ada:ask() ada:expect('message', { text = 'hello' })", "1s  GET /ask failed: "),
        ])
    func refused(_ body: String, _ line: String) throws {
        let problem = try Self.problem("", body, Self.asks)
        let lines = Self.lines("not ok", of: problem)
        #expect(lines.count == 1 && lines.first?.hasPrefix(line) == true, "\(problem)")
        #expect(Self.lines("not ok", of: try Self.problem("", "ada:expect('message')")) == [])
    }

    @Test("events in the wrong order are told as that, where one expectation names the order")
    func order() throws {
        let problem = try Self.problem(
            "function S.server.connected(_, client) client:send 'b' client:send 'a' end",
            "ada:expect(seq { event('message', { text = 'a' }), event('message', { text = 'b' }) })")
        #expect(
            problem.message.hasPrefix(
                "visitor: #1 message came before #2 message, which the order asks for first; it did not observe seq "))
    }
}
