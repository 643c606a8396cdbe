import JSON
import Machines
import Reports
import RunRecord
import Testing

@Suite("The TAP report")
struct TAPRecorderTests {
    private func text(_ entries: some Sequence<RunEntry>) -> String {
        var text = ""
        var recorder = TAPStream { text += $0 }
        for entry in entries { recorder.record(entry) }
        return text
    }

    @Test("A point that several tries decide has their rate, and those of its soft checks")
    func tries() {
        #expect(
            self.text(SampleRun.tries).contains(
                #"""
                ok 1 - a.lua: rate
                  ---
                  passes: "2 of 3 tries, 66.7 %, 90 % interval 20 to 90 %"
                  baseline: "7 of 8 tries, 87.5 %, 90 % interval 50 to 95 %; difference -62.5 to +40 points"
                  checks:
                    - "line 4: 2 of 3 tries, 66.7 %, 90 % interval 20 to 90 %: check(polite)"
                    - "lib/short.lua:2: 1 of 1 tries, 100 %, 90 % interval 10 to 100 %: check(short)"
                  ...
                """#))
    }

    @Test("A run gives this text")
    func golden() {
        #expect(
            self.text(SampleRun.entries) == #"""
                TAP version 14
                # repartee 0.1.0, target embedded, virtual time, seed 42
                ok 1 - Scenarios/queue.lua: a visitor waits
                # attached screen: Reports/screen.txt
                not ok 2 - Scenarios/queue.lua: queue › the position falls [French]
                  ---
                  message: "no queue event within 3s"
                  severity: fail
                  type: "timeout"
                  at:
                    file: "Scenarios/queue.lua"
                    line: 9
                  detail: |2-
                    no queue event within 3s
                    at Scenarios/queue.lua:9

                      > 9 | visitor:expect("queue", { position = 1 })
                          | ^^^^^^^^^^^^^^

                    expected  queue  position = 1
                    nearest   #2 queue at 1.2s
                                position  expected 1
                                          found    2
                    timeline  ✓ #1  0s     connected
                              ! #2  +1.2s  queue  position=2
                    limit     the 3s of this expectation

                    a soft one
                    at Scenarios/queue.lua:7
                    (soft: the scenario went on)
                  replay: "repartee test Scenarios/queue.lua --filter 'queue › the position falls [French]' --seed 42"
                  ...
                ok 3 - Scenarios/forms/survey.v2.lua: rates <the> "agent" & leaves # SKIP no camera on this machine
                not ok 4 - Scenarios/forms/survey.v2.lua: breaks
                  ---
                  message: "attempt to index a nil value (global 'visitr')"
                  severity: error
                  type: "script"
                  at:
                    file: "Scenarios/forms/survey.v2.lua"
                    line: 20
                  detail: |2-
                    attempt to index a nil value (global 'visitr')
                  replay: "repartee test Scenarios/forms/survey.v2.lua --filter breaks --seed 42"
                  ...
                1..4

                """#)
    }

    @Test("A run that is broken off has no plan")
    func interrupted() {
        let end = RunEntry.runEnded(RunEnd(counts: OutcomeCounts(), durationNanoseconds: 0, isInterrupted: true))
        let text = self.text(SampleRun.entries.prefix(3) + [end])
        #expect(text.hasSuffix("\nBail out! The run was interrupted.\n"))
        #expect(!text.contains("1.."))
    }

    @Test("The last attempt is the point; what failed as expected is to be done, and what never began is counted")
    func outcomes() {
        let text = self.text(SampleRun.outcomes)
        #expect(
            text.hasPrefix(
                """
                TAP version 14
                # repartee 0.1.0, target embedded, virtual time, seed 42
                # attempt 1 of a.lua: late did not pass: once (seed 42)
                ok 1 - a.lua: late
                  ---
                  flaky: true
                  failed_with_seeds: [42]
                  passed_with_seed: 43
                  ...
                # attempt 1 of a.lua: bad did not pass: first (seed 42)
                not ok 2 - a.lua: bad
                  ---
                """))
        #expect(text.contains("\nnot ok 3 - a.lua: known # TODO bug 7\n"))
        #expect(text.hasSuffix("\nok 4 - a.lua: twice (repetition 2)\n1..4\n"))
        let end = RunEnd(counts: OutcomeCounts(), durationNanoseconds: 0, isInterrupted: true, timeLimit: "10m")
        #expect(
            self.text([.runStarted(SampleRun.start), .runEnded(end)]).hasSuffix(
                "# never began: 4 of 4\nBail out! The run passed its time limit, 10m.\n"))
    }

    @Test("A name cannot be taken for a directive")
    func escapes() {
        let start = ScenarioStart(
            index: 1, file: "a.lua", line: 1, titlePath: ["x # SKIP \\ \n1..1"], seed: 1, atNanoseconds: 0)
        let text = self.text([
            .scenarioStarted(start), .scenarioEnded(ScenarioEnd(index: 1, atNanoseconds: 0, outcome: .passed)),
        ])
        #expect(text == "ok 1 - a.lua: x \\# SKIP \\\\ \\u{A}1..1\n")
    }

    @Test(
        "Whatever the texts are, another reader finds every point and its diagnosis",
        .enabled(if: PythonReaders.problem == nil, "\(PythonReaders.problem ?? "")"))
    func anyText() throws {
        var random = RandomSource(seed: 31)
        for _ in 0..<3 {
            let entries = RandomRun.entries(scenarios: 60, using: &random)
            let ended = entries.compactMap { if case .scenarioEnded(let end) = $0 { end } else { nil } }
            let starts = entries.compactMap { if case .scenarioStarted(let start) = $0 { start } else { nil } }
            let reading = try PythonReaders.readTAP(self.text(entries))
            #expect(reading.count == ended.count)
            for (end, point) in zip(ended, reading) {
                let isBad = end.outcome == .failed || end.outcome == .error
                #expect(point["ok"]?.bool == !isBad)
                // That reader knows version 13, in which nothing escapes a `#` of a name.
                if case .skipped = end.outcome, !starts[end.index].id.contains("#") {
                    #expect(point["skip"]?.bool == true)
                }
                guard isBad else { continue }
                let message = point["yaml"]?["message"]?.string
                #expect((message == nil) == end.problems.isEmpty)
                if let message, let problem = end.problemsByWeight.first {
                    let scalars = RandomText.withoutEscapes(message).unicodeScalars
                    #expect(scalars.elementsEqual(RandomText.withoutEscapes(problem.message).unicodeScalars))
                }
            }
        }
    }
}
