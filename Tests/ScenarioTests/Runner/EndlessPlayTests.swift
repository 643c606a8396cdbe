import RunRecord
import Testing

@testable import Scenario

@Suite("What would go on for ever without letting time pass")
struct EndlessPlayTests {
    @Test(
        "two sides that answer each other end the scenario with an error that names both",
        arguments: ["link:send(text)", "link:send_bytes(text)", "pcall(function() link:send(text) end)"])
    func answers(answer: String) throws {
        let run = try ScriptRun(
            """
            local S = system { name = "echo", events = { said = { text = "string" } } }
            function S.commands.connect(me) me.link = me:open {} end
            function S.commands.say(me, text) me.link:send(text) end
            function S.on.text(me, text, link) \(answer) end
            function S.server.text(desk, client, text) client:send(text) end
            function S.server.bytes(desk, client, text) client:send(text) end
            scenario("storm", function(t)
                t:server(S)
                local ada = t:actor(S, { name = "ada" })
                ada:connect()
                wait(1)
                ada:say "hello"
                ada:expect("said", { text = "hello" })
            end)
            """)
        let problem = try #require(run.end.problems.first)
        #expect(problem.typeName == "runaway" && run.end.outcome == .error && problem.line == 13)
        #expect(
            problem.message.hasPrefix(
                "ada and the server http://echo-1.test:80 answered each other 20000 times within a second"),
            "\(problem.message)")
    }

    @Test(
        "a client that opens its link again whenever it is closed ends the scenario with an error that names the link")
    func openings() throws {
        let run = try ScriptRun(
            """
            local S = system { name = "echo", events = { said = { text = "string" } } }
            function S.commands.connect(me) me.link = me:open { path = "/chat" } me:wait "open" end
            function S.on.closed(me) me.link = me:open { path = "/chat" } end
            function S.server.connected(desk, client) client:close(4000, "again") end
            scenario("storm", function(t)
                local ada = t:actor(S, { name = "ada" })
                ada:connect()
                ada:expect("said", { text = "hello" })
            end)
            """)
        let problem = try #require(run.end.problems.first)
        #expect(problem.typeName == "runaway" && run.end.outcome == .error, "\(problem.message)")
        #expect(
            problem.message.hasPrefix(
                "handlers of ada opened the link /chat to the server http://echo-1.test:80 again"),
            "\(problem.message)")
    }

    @Test("a deferred function that defers itself is told so in its line")
    func deferring() throws {
        let run = try ScriptRun(
            body: "local function f()\nt:defer(f)\nend\nt:defer(f)\nexpect(true)")
        let problem = try #require(run.end.problems.first)
        #expect(run.end.problems.count == 1 && problem.line == 3)
        #expect(problem.message.hasPrefix("t:defer: deferred functions have deferred 10000 others"))
    }

    @Test("deferred functions may defer others")
    func deferringSome() throws {
        let run = try ScriptRun(
            body: """
                local left = 100
                local function f() left = left - 1 if left > 0 then t:defer(f) end end
                t:defer(function() expect(left == 0) end)
                t:defer(f)
                expect(true)
                """)
        #expect(run.end.outcome == .passed)
    }

    @Test("a function that spawns itself is told so in its line")
    func spawning() throws {
        let run = try ScriptRun(body: "local function f()\nspawn(f)\nend\nf()\nwait(1)")
        let problem = try #require(run.end.problems.first)
        #expect(problem.typeName == "runaway" && problem.line == 3)
        #expect(problem.message.hasPrefix("more than 300,000 functions were spawned while no time passed"))
    }
}
