import RunRecord

/// Runs of one scenario that is repeated.
enum RepeatedRun {
    /// How many entries a repetition has.
    static let entriesEach = 40

    /// A run in which three repetitions play at a time, and the last of them that began ends first.
    ///
    /// - Parameter attempt: Which attempt at its repetition each execution is.
    static func entries(_ count: Int, outcome: Outcome, attempt: Int = 1) -> [RunEntry] {
        let start = RunStart(
            toolVersion: "0.1.0", seed: 1, clock: .virtual, target: "embedded", plannedScenarios: count)
        var entries: [RunEntry] = [.runStarted(start)]
        var counts = OutcomeCounts()
        for first in stride(from: 0, to: count, by: 3) {
            let indices = first..<min(count, first + 3)
            for index in indices {
                entries.append(
                    .scenarioStarted(
                        ScenarioStart(
                            index: index, file: "s.lua", line: 1, titlePath: ["says much"], repetition: index + 1,
                            seed: 1, attempt: attempt, atNanoseconds: 0)))
            }
            for index in indices.reversed() {
                let line = RunEntry.happened(
                    scenario: index, atNanoseconds: 1, .logged(level: .info, text: "repetition \(index + 1)"))
                entries.append(contentsOf: repeatElement(line, count: Self.entriesEach))
                entries.append(.scenarioEnded(ScenarioEnd(index: index, atNanoseconds: 5, outcome: outcome)))
                counts.add(outcome)
            }
        }
        return entries + [.runEnded(RunEnd(counts: counts, durationNanoseconds: 5))]
    }
}
