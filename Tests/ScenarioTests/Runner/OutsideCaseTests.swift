import RunRecord
import Testing

@testable import Scenario

@Suite("What went wrong outside of every scenario")
struct OutsideCaseTests {
    @Test("stands in the record as a case of its own that began and ended as an error")
    func entries() throws {
        let problem = Problem(category: .error, typeName: "script", message: "no", file: "b.lua", line: 4)
        let entries = OutsideCase(unloadable: "a.lua", because: problem).entries(numbered: 9, seed: 3)
        guard case .scenarioStarted(let start)? = entries.first, case .scenarioEnded(let end)? = entries.last else {
            Issue.record("\(entries)")
            return
        }
        #expect(start.index == 9 && start.file == "a.lua" && start.line == 4 && start.titlePath == ["cannot be loaded"])
        #expect(start.askedBy == ScenarioStart.Asker(file: "a.lua", name: "") && start.seed == 3)
        #expect(end.index == 9 && end.outcome == .error && end.problems == [problem])
    }

    @Test("a target at which nobody answers names it, the reason, and how to begin all the same")
    func target() {
        let outside = OutsideCase(unreachable: "lab", because: "nobody listens", replayedBy: "a.lua")
        #expect(
            outside.title == "target lab" && outside.file == "repartee.lua" && outside.problem.typeName == "connection")
        #expect(outside.problem.message == "cannot reach the target lab: nobody listens")
        #expect(outside.problem.detail.contains("--no-preflight begins them all the same"))
    }
}
