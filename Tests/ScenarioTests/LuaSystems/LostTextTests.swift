import RunRecord
import Testing

@testable import Scenario

@Suite("Texts in chat systems written in Lua that nobody gets")
struct LostTextTests {
    /// A system whose client can end its link in each way, whose server keeps its last client, and whose agent speaks
    /// to all clients that it is told to.
    private static let system = """
        local S = system { name = "probe", events = { message = { text = "string" } }, parties = { agent = {} } }
        function S.commands.connect(me) me.link = me:open() me:wait "open" end
        S.commands.say = { sends = "text", function(me, text) me.link:send(text) end }
        function S.commands.send(me, text) return me.link:send(text) end
        function S.commands.drop(me) me.link:drop() end
        function S.commands.abandon(me) me.link:abandon() end
        function S.on.text(me, text) me:emit("message", { text = text }) end
        function S.on.failed() end
        function S.server.upgrade(desk) return not desk.refuses end
        function S.server.connected(desk, client) desk.all = desk.all or {} table.insert(desk.all, client) end
        function S.server.text() end
        S.parties.agent.say = { sends = "text", function(agent, text, first, last)
            for number = first or 1, last or 1 do agent.desk.all[number]:send(text) end
        end }
        function S.parties.agent.send(agent, text) return agent.desk.all[1]:send(text) end
        function S.server.commands.refuse(desk) desk.refuses = true end
        function S.server.commands.drop_all(desk)
            for _, client in ipairs(desk.clients) do client:drop() end
            return #desk.clients
        end
        function S.server.commands.drop(desk, number) return desk.all[number]:drop() end
        function S.server.commands.count(desk) return #desk.clients end
        """

    private static func problems(_ body: String, _ more: String = "") throws -> [Problem] {
        try ScriptRun("\(self.system)\n\(more)\nscenario(\"loses\", function(t) \(body) end)").end.problems
    }

    @Test(
        "a command whose text goes to a link that the client itself has ended, or that never opened, fails",
        arguments: [
            ("ada:connect() ada:drop()", "the client dropped it"),
            ("ada:connect() ada:abandon() wait \"1s\"", "the client abandoned it"),
            ("desk:refuse() ada:connect()", "it did not open, the server answered"),
        ])
    func ownEnd(before: String, ending: String) throws {
        let start = "local desk, ada = t:server(S), t:actor(S)"
        let problems = try Self.problems(
            "\(start) \(before) ada:say \"hello\" expect(1, 1)", "function S.on.closed() end")
        #expect(problems.map(\.category) == [.failure] && problems.map(\.typeName) == ["disconnected"])
        let message = try #require(problems.first?.message)
        #expect(message.contains("what it sent is lost, for the connection had ended"), "\(message)")
        #expect(message.contains(": \(ending)"), "\(message)")
    }

    @Test(
        "what the server said before it hung up leads, and what tells of the end alone does not",
        arguments: [
            ("client:send \"flood\"", "ada: flood"), ("", "ada: what it sent is lost, "),
            ("client:send \"closed\"", "ada: what it sent is lost, "),
        ])
    func reason(said: String, beginning: String) throws {
        let run = try ScriptRun(
            """
            local S = system { name = "probe", events = {} }
            function S.commands.connect(me) me.link = me:open() me:wait "open" end
            S.commands.say = { sends = "text", function(me, text) me.link:send(text) end }
            function S.on.text(me, text) me:emit("error", { code = text, message = text }) end
            function S.on.closed() end
            function S.server.connected(_, client) \(said) client:close(1000) end
            function S.server.text() end
            scenario("loses", function(t)
                local ada = t:actor(S, { name = "ada" })
                ada:connect()
                wait "1s"
                ada:say "hello"
            end)
            """)
        let problem = try #require(run.end.problems.first)
        #expect(problem.message.hasPrefix(beginning), "\(problem.message)")
        #expect(problem.message.contains("what it sent is lost, for the connection had ended 1s before: 1000"))
        #expect(problem.typeName == "disconnected" && problem.category == .failure)
    }

    @Test("what is no text of a command is an event where the system hears of no ends, and not on an abandoned link")
    func others() throws {
        func messages(_ ends: String) throws -> [String] {
            try Self.problems("local ada = t:actor(S) ada:connect() ada:\(ends)() expect(ada:send \"hello\", false)")
                .map(\.message)
        }
        let dropped = try messages("drop")
        #expect(dropped.count == 1)
        #expect(
            dropped.first?.contains("what was sent is lost, for the connection had ended: the client dropped it")
                == true)
        #expect(try messages("abandon") == [])
    }

    @Test("a party whose text goes to connections that have ended and to no other has said nothing")
    func party() throws {
        func problems(_ call: String) throws -> [Problem] {
            try Self.problems(
                """
                local desk, ada, ben = t:server(S), t:actor(S), t:actor(S)
                local sam = desk:agent "Sam"
                ada:connect() ada:drop() wait "1s" ben:connect()
                \(call)
                """, "function S.on.closed() end")
        }
        let lost = try problems("sam:say \"hello\"")
        #expect(lost.map(\.message) == ["Sam: what it sent is lost, for the connection had ended"])
        #expect(lost.map(\.category) == [.failure])
        // One of two has heard it, in either order.
        #expect(try problems("sam:say(\"hello\", 1, 2) ben:expect \"message\"").map(\.message) == [])
        #expect(try problems("sam:say(\"hello\", 2, 1) expect(1, 1)").map(\.message) == [])
        // What a command sends that sends no text is its own affair.
        #expect(try problems("expect(sam:send \"hello\", false)").map(\.message) == [])
        // An earlier text that was heard is another one.
        #expect(try problems("sam:say(\"hello\", 2, 2) ben:expect \"message\" sam:say \"again\"").count == 1)
    }

    @Test("a connection that the server has dropped is none that is open, and all can be dropped in one loop")
    func dropped() throws {
        let problems = try Self.problems(
            """
            local desk, ada, ben, cleo = t:server(S), t:actor(S), t:actor(S), t:actor(S)
            ada:connect() ben:connect() cleo:connect()
            expect(desk:count(), 3)
            expect(desk:drop(2), true)
            expect(desk:count(), 2)
            expect(desk:drop(2), false)
            expect(desk:drop_all(), 0)
            """, "function S.on.closed() end")
        #expect(problems.map(\.message) == [])
    }
}
