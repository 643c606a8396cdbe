import RunRecord
import Testing

@testable import Scenario

@Suite("Messages that say nothing")
struct EmptyMessageTests {
    @Test(
        "a failure or an error with an empty message says so, and what it is",
        arguments: [
            ("error \"\"", "script"), ("assert(false, \"\")", "assertion"), ("t:fail \"\"", "fail"),
            ("expect(1, 2, \"\")", "expect"), ("check(false, true, \"\")", "check"),
        ])
    func empty(statement: String, kind: String) async throws {
        let run = await MiniRun.run(MiniRun.suite("scenario(\"it\", function(t) \(statement) end)"))
        let problems = run.entries.flatMap { entry -> [Problem] in
            if case .scenarioEnded(let end) = entry { end.problems } else { [] }
        }
        let problem = try #require(problems.first)
        #expect(problem.message == "the message that the script gives is empty")
        #expect(problem.typeName == kind)
    }
}
