import RunRecord
import Testing

@testable import Scenario

@Suite("Checks of events, which let a scenario go on")
struct EventCheckTests {
    /// Plays a client that is greeted and thanked for what it says.
    private static func run(_ body: String) throws -> ScriptRun {
        try ScriptRun(
            """
            local S = system {
                name = "probe", events = { message = { text = "string" }, farewell = {} }, noise = { "farewell" },
            }
            function S.commands.say(me, text)
                me:emit("message", { text = "You said " .. text })
                me:emit("message", { text = "Thank you" })
            end
            function S.server.request() return 204 end
            scenario("talks", function(t)
                t:server(S)
                local ada = t:actor(S)
                ada:say "hi"
                \(body)
                log.info "the end"
            end)
            """)
    }

    @Test("what fits is returned, and nothing fails")
    func holds() throws {
        let run = try Self.run(
            """
            expect(ada:check("message", { text = match.contains "hi" }).text, "You said hi")
            ada:check("message", { text = "Thank you" })
            """)
        #expect(run.messages == [])
        #expect(run.end.outcome == .passed)
    }

    @Test("each that is not met fails the scenario, which goes on")
    func goesOn() throws {
        let run = try Self.run(
            """
            expect(ada:check("message", { text = "You said ho" }, { within = "1s" }), nil)
            expect(ada:check("farewell", nil, { within = "1s" }), nil)
            ada:expect("message", { text = "You said hi" })
            ada:expect("message", { text = "Thank you" })
            """)
        #expect(run.end.outcome == .failed)
        #expect(run.messages.count == 2)
        #expect(run.messages.first?.contains("\"You said ho\"") == true, "\(run.messages)")
        #expect(run.messages.last?.contains("farewell") == true, "\(run.messages)")
        #expect(run.end.problems.allSatisfy { $0.category == .failure && $0.isSoft })
        #expect(run.logs == ["the end"])
    }

    @Test("a mistake ends the scenario as an error")
    func mistake() throws {
        let run = try Self.run("ada:check \"mesage\"")
        #expect(run.end.outcome == .error)
        #expect(run.messages.first?.contains("message") == true, "\(run.messages)")
        #expect(run.logs == [])
    }
}
