import RunRecord
import Testing

@testable import Scenario

@Suite("What would go on for ever without letting time pass")
struct EndlessPlayTests {
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
