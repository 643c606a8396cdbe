import RunRecord
import Testing

@Suite("The names of scenarios")
struct ScenarioStartTests {
    @Test("A name joins groups, title and row")
    func name() {
        let start = ScenarioStart(
            index: 1, file: "q/a.lua", line: 2, titlePath: ["queue", "waits"], row: "French", seed: 1, atNanoseconds: 0)
        #expect(start.name == "queue › waits [French]")
        #expect(start.id == "q/a.lua::queue › waits [French]")
    }

    @Test("An id does not depend on the line, the position in the run, the seed or the attempt")
    func stability() {
        let one = ScenarioStart(index: 1, file: "a.lua", line: 2, titlePath: ["x"], seed: 1, atNanoseconds: 0)
        let other = ScenarioStart(
            index: 9, file: "a.lua", line: 80, titlePath: ["x"], seed: 4, attempt: 2, atNanoseconds: 7)
        #expect(one.id == other.id)
    }

    @Test("Counts add up")
    func counts() {
        var counts = OutcomeCounts()
        for outcome in [Outcome.passed, .passed, .failed, .error, .skipped(reason: "r")] { counts.add(outcome) }
        #expect(counts == OutcomeCounts(passed: 2, failed: 1, errors: 1, skipped: 1))
        #expect(counts.total == 5)
    }
}
