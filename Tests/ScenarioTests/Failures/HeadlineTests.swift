import RunRecord
import Testing

@testable import Scenario

@Suite("Which of several things a headline names")
struct HeadlineTests {
    /// Plays a scenario of a client that observes each text as a message, and each end of its connection.
    private static func problem(_ server: String, _ body: String) throws -> Problem {
        let run = try ScriptRun(
            """
            local S = system { name = "probe", client = "visitor", events = {
                message = { text = "string" }, disconnected = { code = "integer", reason = "string" } } }
            function S.commands.connect(me) me.link = me:open() me:wait "open" end
            function S.commands.say(me, text) me.link:send(text) end
            function S.on.text(me, text) me:emit("message", { text = text }) end
            function S.on.closed(me, closure)
                me:emit("disconnected", { code = closure.code, reason = closure.reason })
            end
            function S.server.text(_, client) client:close(1011, "crashed") end
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
