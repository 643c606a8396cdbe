import RunRecord
import Testing

@testable import Scenario

@Suite("A failure on its way into the record")
struct ScenarioFailureTests {
    private static func failure() -> ScenarioFailure {
        ScenarioFailure(
            category: .failure, kind: .timeout, message: "nothing came",
            position: ScriptPosition(file: "a.lua", line: 2),
            sections: [.init(heading: "expected", lines: ["message"])], limit: "expectation", actor: "Ada")
    }

    @Test("it has its place, or that of the scenario where it has none")
    func place() {
        let problem = Self.failure().problem(in: "a.lua", line: 9, nil)
        #expect(problem.file == "a.lua" && problem.line == 2 && problem.limit == "expectation")
        let placeless = ScenarioFailure(category: .error, kind: .script, message: "it broke")
            .problem(in: "a.lua", line: 9, nil)
        #expect(placeless.file == "a.lua" && placeless.line == 9 && placeless.evidence?.frames == [])
    }

    @Test("who cannot reach a server has failed nobody: the failure becomes an error that keeps what it knew")
    func unreachable() {
        let error = Self.failure().becauseUnreachable("nobody listens", actor: "Ada")
        #expect(error.category == .error && error.kind == .connection)
        #expect(error.message == "Ada cannot reach its server: nobody listens")
        #expect(error.position == Self.failure().position && error.sections == Self.failure().sections)
        #expect(error.limit == "expectation" && error.actor == "Ada")
    }

    @Test("callers are shown up to twelve, before everything else")
    func callers() throws {
        var failure = Self.failure()
        failure.calls = (1...40).map {
            ScriptCallStack.Call(position: ScriptPosition(file: "a.lua", line: $0), function: nil)
        }
        let sections = failure.evidence(in: "a.lua", nil).sections
        #expect(sections.map(\.heading) == ["called from", "expected"])
        #expect(sections.first?.lines.count == 12 && sections.first?.lines.first == "a.lua:3")
    }
}
