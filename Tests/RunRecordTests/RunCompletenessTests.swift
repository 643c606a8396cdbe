import RunRecord
import Testing

@Suite("Whether a run is whole")
struct RunCompletenessTests {
    private func start(planned: Int) -> RunEntry {
        .runStarted(RunStart(toolVersion: "1", seed: 1, clock: .real, target: "t", plannedScenarios: planned))
    }

    private func play(
        _ index: Int, attempt: Int = 1, askedBy: ScenarioStart.Asker? = nil, isRetried: Bool = false
    ) -> [RunEntry] {
        [
            .scenarioStarted(
                ScenarioStart(
                    index: index, file: "a.lua", line: 1, titlePath: ["s"], seed: 1, attempt: attempt, askedBy: askedBy,
                    atNanoseconds: 0)),
            .scenarioEnded(ScenarioEnd(index: index, atNanoseconds: 1, outcome: .passed, isRetried: isRetried)),
        ]
    }

    private func end(
        _ counts: OutcomeCounts = OutcomeCounts(), isInterrupted: Bool = false, timeLimit: String? = nil
    ) -> RunEntry {
        .runEnded(
            RunEnd(counts: counts, durationNanoseconds: 1, isInterrupted: isInterrupted, timeLimit: timeLimit))
    }

    private func problem(_ entries: [RunEntry]...) -> String? { RunCompleteness(entries.flatMap(\.self)).problem }

    @Test("A run is whole when it has ended and all was played")
    func whole() {
        #expect(self.problem([self.start(planned: 1)], self.play(1), [self.end()]) == nil)
        #expect(self.problem([self.start(planned: 0)], [self.end()]) == nil)
        #expect(self.problem([self.start(planned: 1)], self.play(1), [self.end(isInterrupted: true)]) == nil)
    }

    @Test("What is missing is said with how much was played")
    func missing() {
        #expect(self.problem() == "the run did not end: its beginning is missing")
        #expect(self.problem([self.start(planned: 2)], self.play(1)) == "the run did not end: 1 of 2 played")
        #expect(
            self.problem([self.start(planned: 2)], self.play(1), self.play(2)) == "the run did not end: 2 of 2 played")
        #expect(
            self.problem([self.start(planned: 2)], self.play(1), [self.end(isInterrupted: true)])
                == "the run was interrupted: 1 of 2 played")
        #expect(
            self.problem([self.start(planned: 2)], self.play(1), [self.end(isInterrupted: true, timeLimit: "10m")])
                == "the run passed its time limit, 10m: 1 of 2 played")
        #expect(
            self.problem([self.start(planned: 2)], self.play(1), [self.end()])
                == "the run ended too early: 1 of 2 played")
    }

    @Test("A run whose time limit passes once all was played is not whole, unless what failed tells of it")
    func overtaken() {
        let limited = self.end(OutcomeCounts(passed: 1), isInterrupted: true, timeLimit: "1s")
        #expect(
            self.problem([self.start(planned: 1)], self.play(1), [limited])
                == "the run passed its time limit, 1s: 1 of 1 played")
        let failed = self.end(OutcomeCounts(failed: 1), isInterrupted: true, timeLimit: "1s")
        #expect(self.problem([self.start(planned: 1)], self.play(1), [failed]) == nil)
    }

    @Test("A run that failed may have been told to end then")
    func failed() {
        #expect(self.problem([self.start(planned: 2)], self.play(1), [self.end(OutcomeCounts(failed: 1))]) == nil)
        #expect(self.problem([self.start(planned: 2)], self.play(1), [self.end(OutcomeCounts(errors: 1))]) == nil)
    }

    @Test("A scenario that began and has no end is missing, whatever the end of the run says")
    func unended() {
        let begun = Array(self.play(2).prefix(1))
        for end in [
            self.end(), self.end(OutcomeCounts(failed: 1)), self.end(isInterrupted: true),
            self.end(isInterrupted: true, timeLimit: "10m"),
        ] {
            #expect(
                self.problem([self.start(planned: 2)], self.play(1), begun, [end])
                    == "the record is not whole: it has no end of 1 scenario that began, 1 of 2 played")
        }
        let both = self.play(1).prefix(1) + begun
        #expect(
            self.problem([self.start(planned: 2)], Array(both), [self.end()])
                == "the record is not whole: it has no end of 2 scenarios that began, 0 of 2 played")
    }

    @Test("An attempt that another one follows is no play, and neither is what scenarios share")
    func notCounted() {
        let shared = self.play(2, askedBy: ScenarioStart.Asker(file: "a.lua", name: "s"))
        #expect(
            self.problem([self.start(planned: 2)], self.play(1, isRetried: true), shared)
                == "the run did not end: 0 of 2 played")
        #expect(
            self.problem(
                [self.start(planned: 1)], self.play(1, isRetried: true), self.play(3, attempt: 2), shared, [self.end()])
                == nil)
    }
}
