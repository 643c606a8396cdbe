import Machines
import RunRecord
import Testing

@testable import Scenario

@Suite("An attempt in the record")
struct ScenarioAttemptTests {
    private static func end(_ outcome: Outcome, isRetriable: Bool = true, isEmpty: Bool = false) -> ScenarioEnd {
        let attempt = ScenarioAttempt(index: 7, number: 2, repetition: nil, isRetriable: isRetriable)
        return attempt.end(outcome, because: [], isRetriable: true, isEmpty: isEmpty, at: .start + .seconds(3))
    }

    @Test("begins with what its scenario declares, and its own numbers")
    func start() {
        var options = ScenarioOptions()
        options.tags = ["smoke"]
        let definition = ScenarioDefinition(file: "a.lua", line: 3, titlePath: ["g", "a"], options: options, index: 0)
        let attempt = ScenarioAttempt(index: 7, number: 2, repetition: 4, isRetriable: false)
        let start = attempt.start(of: definition, seed: 9)
        #expect(start.index == 7 && start.attempt == 2 && start.repetition == 4 && start.seed == 9)
        #expect(start.file == "a.lua" && start.line == 3 && start.titlePath == ["g", "a"] && start.tags == ["smoke"])
        #expect(!start.isTry && !start.hasOwnRetries && start.atNanoseconds == 0)
    }

    @Test("is followed by another one only where it did not pass, and is empty only where it did")
    func ends() {
        #expect(Self.end(.failed).isRetried && Self.end(.error).isRetried)
        #expect(!Self.end(.passed).isRetried && !Self.end(.skipped(reason: "today")).isRetried)
        #expect(!Self.end(.failed, isRetriable: false).isRetried)
        #expect(Self.end(.passed, isEmpty: true).isEmpty && !Self.end(.failed, isEmpty: true).isEmpty)
        #expect(Self.end(.passed).index == 7 && Self.end(.passed).atNanoseconds == 3_000_000_000)
    }
}
