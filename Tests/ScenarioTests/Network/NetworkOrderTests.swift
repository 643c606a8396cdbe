import PlainWebSocket
import RunRecord
import Testing

@testable import Scenario

@Suite("What a script orders of the network that strikes nothing")
struct NetworkOrderTests {
    private static let connect = "ada:connect() ada:expect \"connected\" "

    /// Plays a scenario with a client `ada` at a server that it can connect to.
    private static func run(_ body: String) throws -> ScriptRun {
        try ScriptRun(
            body: """
                local websocket = require "websocket"
                t:server(websocket, { echo = true })
                local ada = t:actor(websocket, { name = "ada" })
                t:allow "disconnected"
                t:allow "error"
                \(body)
                """, settings: ScriptRun.settings(systems: [PlainWebSocketSystem.system]))
    }

    @Test(
        "to end connections where there is none is a mistake at once",
        arguments: [
            ("t:network({ cut = true }, ada)", "no connection to cut, for ada has none open"),
            ("t:network { cut = true, latency = \"1ms\" }", "no connection to cut, for no client has one open"),
            ("t:network { half_close = \"server\" }", "no connection to half close, for no client has one open"),
            (
                connect + "t:network { cut = true } ada:expect \"disconnected\" t:network { cut = true }",
                "no connection to cut"
            ),
        ])
    func connections(body: String, mistake: String) throws {
        let run = try Self.run(body + " log.info \"goes on\"")
        #expect(run.end.outcome == .error)
        #expect(run.end.problems.first?.message.contains(mistake) == true, "\(run.messages)")
        #expect(!run.happenings.contains { if case .logged(_, "goes on") = $0 { true } else { false } })
    }

    @Test("hooks and deferred functions may end connections that may be gone, and what has failed stays a failure")
    func cleaningUp() throws {
        let body = "t:defer(function() t:network { cut = true } end) expect(true) "
        #expect(try Self.run(body).messages == [])
        let failed = try Self.run(body + "expect(1, 2)")
        #expect(failed.end.outcome == .failed && failed.end.problems.count == 1, "\(failed.messages)")
        let hook = try ScriptRun(
            """
            after_each(function(t) t:network { cut = true } end)
            scenario("fails", function() expect(1, 2) end)
            """)
        #expect(hook.end.outcome == .failed && hook.end.problems.count == 1, "\(hook.messages)")
    }

    @Test(
        "whoever keeps clients from connecting has one that tries",
        arguments: [
            ("t:network({ refuse = true }, ada) ada:send \"hi\" ada:expect \"frame\"", "ada did not try to connect"),
            ("t:network { dns = \"fail\" }", "no client tried to connect"),
            ("t:network { refuse = true } wait \"1s\" t:network {} ada:close()", "no client tried to connect"),
        ])
    func idle(body: String, mistake: String) throws {
        let run = try Self.run(Self.connect + body)
        let problem = try #require(run.end.problems.first)
        #expect(run.end.outcome == .error && run.end.problems.count == 1, "\(run.messages)")
        #expect(problem.message.hasPrefix("t:network ") && problem.message.contains("has struck nothing: " + mistake))
        #expect(problem.line == 7)
    }

    @Test(
        "what is to stand still or end after so many bytes comes to that",
        arguments: [
            ("t:network { stall = true }", "no connection had anything to carry while it held"),
            (
                "t:network { stall = true } t:network {} ada:send \"hi\" ada:expect \"frame\"",
                "no connection had anything to carry"
            ),
            (
                "t:network({ stall = \"1MB\" }, ada) ada:send \"hi\" ada:expect \"frame\"",
                "no connection of ada had more to carry in one direction than is to pass before the stall"
            ),
            (
                "t:network { cut = \"1MB\", latency = \"1ms\" } ada:send \"hi\" ada:expect \"frame\"",
                "no connection carried as much in one direction as is to pass before the cut"
            ),
            (
                "t:network { stall = \"1MB\", refuse = true } ada:send \"hi\" ada:expect \"frame\"",
                "no client tried to connect and no connection had more to carry"
            ),
        ])
    func idleLimits(body: String, mistake: String) throws {
        let run = try Self.run(Self.connect + body)
        let problem = try #require(run.end.problems.first)
        #expect(run.end.outcome == .error && run.end.problems.count == 1, "\(run.messages)")
        #expect(problem.message.contains("has struck nothing: " + mistake), "\(problem.message)")
        #expect(problem.line == 7)
    }

    @Test("one mistake is told once, however often it is made")
    func repeated() throws {
        let body = "for i = 1, 200 do t:network { stall = true } wait \"1ms\" t:network {} end"
        let run = try Self.run(Self.connect + body)
        #expect(run.end.outcome == .error && run.end.problems.count == 1, "\(run.messages.prefix(3))")
    }

    @Test("what is ordered for all has struck nobody where only a client's own network strikes")
    func ownNetwork() throws {
        let own = "t:network({ stall = true }, ada) ada:send \"hi\" wait \"1s\""
        let run = try Self.run(Self.connect + "t:network { stall = \"1MB\" } \(own)")
        let problem = try #require(run.end.problems.first)
        #expect(run.end.outcome == .error && run.end.problems.count == 1, "\(run.messages)")
        #expect(problem.message.hasPrefix("t:network stall=1MB has struck nothing"), "\(problem.message)")
        // What was ordered for all has struck before the client got a network of its own.
        let first = "t:network { stall = \"3B\" } ada:send \"hello\" "
        let both = try Self.run(Self.connect + first + own)
        #expect(both.messages.filter { $0.contains("t:network") } == [], "\(both.messages)")
    }

    @Test(
        "what strikes is none, nor is what only may strike",
        arguments: [
            connect + "t:network({ cut = true }, ada) ada:expect \"disconnected\"",
            connect + "t:network { half_close = \"server\" } ada:expect \"disconnected\"",
            "t:network { refuse = true } ada:connect() wait \"1s\"",
            "t:network { dns = \"fail\" } ada:connect() wait \"1s\" t:network {}",
            // An outage: whoever has a connection loses it, and nobody gets another one.
            connect + "t:network { cut = true, refuse = true } ada:expect \"disconnected\"",
            "t:network { cut = true, refuse = true } ada:connect() wait \"1s\"",
            connect + "t:network { refuse = 0.5, loss = 0.1, corrupt = 0.1 }",
            connect + "t:network { stall = true } ada:send \"hi\" wait \"1s\" t:network {} ada:expect \"frame\"",
            connect + "t:network { stall = \"3B\" } ada:send \"hello\" wait \"1s\"",
            connect + "t:network { cut = \"3B\" } ada:send \"hello\" ada:expect \"disconnected\"",
            connect + "t:network { cut = true, stall = true } ada:expect \"disconnected\"",
            "t:network { refuse = true, stall = true, cut = \"1KB\" } ada:connect() wait \"1s\"",
            "t:network { latency = \"5s\" } spawn(function() ada:connect() end) wait \"1s\" t:network { cut = true }",
        ])
    func struck(body: String) throws {
        let run = try Self.run(body + " log.info \"done\"")
        #expect(run.messages.filter { $0.contains("t:network") } == [], "\(run.messages)")
        #expect(run.happenings.contains { if case .logged(_, "done") = $0 { true } else { false } }, "\(run.messages)")
    }
}
