import JSON
import Reports
import RunRecord
import Testing

@Suite("The console report")
struct ConsoleRecorderTests {
    private func text(_ entries: [RunEntry], _ options: ConsoleOptions = ConsoleOptions()) -> String {
        var text = ""
        var recorder = ConsoleRecorder(options: options, elapsed: { .milliseconds(12) }, write: { text += $0 })
        for entry in entries { recorder.record(entry) }
        return text
    }

    private static let problems = """
        Scenarios/queue.lua
          ✗ queue › the position falls [French] (failed after 3s)
            │ no queue event within 3s
            │ at Scenarios/queue.lua:9
            │
            │   > 9 | visitor:expect("queue", { position = 1 })
            │       | ^^^^^^^^^^^^^^
            │
            │ expected  queue  position = 1
            │ nearest   #2 queue at 1.2s
            │             position  expected 1
            │                       found    2
            │ timeline  ✓ #1  0s     connected
            │           ! #2  +1.2s  queue  position=2
            │ limit     the 3s of this expectation
            │
            │ a soft one
            │ at Scenarios/queue.lua:7
            │ (soft: the scenario went on)
            replay    repartee test Scenarios/queue.lua --filter 'queue › the position falls [French]' --seed 42

        Scenarios/forms/survey.v2.lua

        """

    private static let summary = """
          ! breaks (error after 500us)
            │ attempt to index a nil value (global 'visitr')
            replay    repartee test Scenarios/forms/survey.v2.lua --filter breaks --seed 42

        ✗ Scenarios/queue.lua:8  queue › the position falls [French]
            no queue event within 3s
        ! Scenarios/forms/survey.v2.lua:20  breaks
            attempt to index a nil value (global 'visitr')

        4 scenarios: 1 passed, 1 failed, 1 error, 1 skipped
        12ms (5.35s of virtual time), seed 42

        """

    @Test("A normal run lists its scenarios, prints problems in full and sums up")
    func normal() {
        let expected =
            "repartee 0.1.0: 4 scenarios, target embedded, virtual time, seed 42\n\n"
            + Self.problems.replacing("queue.lua\n  ✗", with: "queue.lua\n  ✓ a visitor waits (2.35s)\n  ✗")
            + "  - rates <the> \"agent\" & leaves (skipped: no camera on this machine)\n" + Self.summary
        #expect(self.text(SampleRun.entries) == expected)
    }

    @Test("A quiet run prints problems and the summary only")
    func quiet() {
        #expect(self.text(SampleRun.entries, ConsoleOptions(detail: .quiet)) == Self.problems + Self.summary)
    }

    @Test("A verbose run shows the conversation as it goes")
    func verbose() {
        let text = self.text(Array(SampleRun.entries.prefix(8)), ConsoleOptions(detail: .verbose))
        #expect(
            text == """
                repartee 0.1.0: 4 scenarios, target embedded, virtual time, seed 42

                Scenarios/queue.lua
                  ▶ a visitor waits
                        +0s  visitor joins as visitor (boldchat)
                        +0s  visitor → say text="hi"
                      +1.2s  visitor ← #1 message from="operator" text="hello"
                        +0s  visitor ✓ message (line 5): #1
                  ✓ a visitor waits (2.35s)

                """)
    }

    @Test("A scenario that fails alone is not repeated in the summary, so its reason is the last screen")
    func oneFailure() {
        let end = RunEnd(counts: OutcomeCounts(passed: 1, failed: 1), durationNanoseconds: 5_350_000_000)
        let text = self.text(Array(SampleRun.entries.prefix(12)) + [.runEnded(end)])
        #expect(text.split(separator: "no queue event within 3s").count == 2)
        #expect(
            text.hasSuffix(
                "--seed 42\n\n2 scenarios never began\n2 scenarios: 1 passed, 1 failed\n12ms (5.35s of virtual time), seed 42\n"
            ))
    }

    @Test("What a slow tear-down waited for stands below its scenario")
    func slowTearDown() {
        let entries = SampleRun.entries.prefix(8).map { (entry: RunEntry) -> RunEntry in
            guard case .scenarioEnded(var end) = entry else { return entry }
            end.slowTearDown = "waited 5s for visitor: WebSocket to chat.example:443 is open"
            return .scenarioEnded(end)
        }
        let line = "    teardown  waited 5s for visitor: WebSocket to chat.example:443 is open\n"
        #expect(self.text(entries).contains("✓ a visitor waits (2.35s)\n\(line)"))
        #expect(!self.text(entries, ConsoleOptions(detail: .quiet)).contains("teardown"))
    }

    @Test("A run that passed its time limit says so, and how many scenarios never began")
    func timeLimit() {
        let end = RunEnd(
            counts: OutcomeCounts(passed: 1), durationNanoseconds: 0, isInterrupted: true, timeLimit: "10m")
        let text = self.text(Array(SampleRun.entries.prefix(8)) + [.runEnded(end)])
        #expect(text.contains("\nthe time limit of the run, 10m, passed; 3 scenarios never began\n"))
    }

    @Test("Attempts are one scenario: those before the last are told in a line with their seeds, and flaky ones again")
    func attempts() {
        let text = self.text(SampleRun.outcomes)
        #expect(
            text == """
                repartee 0.1.0: 4 scenarios, target embedded, virtual time, seed 42

                a.lua
                  ↻ late (attempt 1 did not pass, seed 42; trying again)
                    │ once
                  ↻ late (flaky: passed at attempt 2 after 1s, seed 43)
                  ↻ bad (attempt 1 did not pass, seed 42; trying again)
                    │ first
                  ✗ bad (failed after 1s, attempt 2)
                    │ second
                    replay    repartee test a.lua --filter bad --seed 43
                  ≈ known (failed as expected: bug 7)
                  ✓ twice (repetition 2) (1s)

                ↻ a.lua:1  late
                    flaky: failed with seed 42, passed with seed 43

                4 scenarios: 1 passed, 1 failed, 1 flaky, 1 failed as expected
                12ms (6s of virtual time), seed 42

                """)
    }

    @Test("Colors are used only if told")
    func colors() {
        for detail in [ConsoleOptions.Detail.quiet, .normal, .verbose] {
            let plain = self.text(SampleRun.entries, ConsoleOptions(detail: detail))
            let colored = self.text(SampleRun.entries, ConsoleOptions(detail: detail, usesColors: true))
            #expect(!plain.contains("\u{1B}"))
            #expect(colored.contains("\u{1B}[31m✗"))
            #expect(colored.replacing(#/\u{1B}\[[0-9]+m/#, with: "") == plain)
        }
    }

    @Test("A run of many scenarios prints a line for each tenth instead of one for each scenario")
    func manyScenarios() {
        var entries: [RunEntry] = [
            .runStarted(
                RunStart(toolVersion: "1", seed: 1, clock: .real, target: "staging", plannedScenarios: 1_000))
        ]
        for index in 1...1_000 {
            entries.append(
                .scenarioStarted(
                    ScenarioStart(
                        index: index, file: "a.lua", line: 1, titlePath: ["s\(index)"], seed: 1, atNanoseconds: 0)))
            let outcome: Outcome = index == 333 ? .failed : .passed
            entries.append(.scenarioEnded(ScenarioEnd(index: index, atNanoseconds: 0, outcome: outcome)))
        }
        let text = self.text(entries)
        #expect(text.split(separator: "\n").count == 1 + 10 + 4)
        #expect(text.contains("… 300 of 1000: 300 passed\n"))
        #expect(text.contains("  ✗ s333 (failed after 0s)\n    │ no reason was recorded\n"))
        #expect(text.contains("--filter s333 --seed 1 --target staging --clock real\n"))
        #expect(text.hasSuffix("… 1000 of 1000: 999 passed, 1 failed\n"))
    }

    @Test("A run that is broken off says what was running")
    func interrupted() {
        let end = RunEnd(counts: OutcomeCounts(), durationNanoseconds: 0, isInterrupted: true)
        let text = self.text(Array(SampleRun.entries.prefix(2)) + [.runEnded(end)])
        #expect(
            text.hasSuffix(
                """

                interrupted; 1 scenario did not end; 3 scenarios never began
                    Scenarios/queue.lua:3  a visitor waits
                0 scenarios: nothing was played
                12ms (0s of virtual time), seed 42

                """))
    }

    @Test("Conversations of scenarios that run side by side are told apart")
    func sideBySide() {
        func start(_ index: Int) -> RunEntry {
            .scenarioStarted(
                ScenarioStart(index: index, file: "a.lua", line: 1, titlePath: ["s"], seed: 1, atNanoseconds: 0))
        }
        let text = self.text(
            [
                start(7), start(8),
                .happened(scenario: 7, atNanoseconds: 5_000_000, .logged(level: .info, text: "one")),
                .happened(scenario: 8, atNanoseconds: 6_000_000, .logged(level: .info, text: "two")),
            ], ConsoleOptions(detail: .verbose))
        #expect(text.contains("+5ms  info: one  [7]\n"))
        #expect(text.contains("+6ms  info: two  [8]\n"))
    }

    @Test("What a server or a script says cannot move the cursor, whatever it is")
    func hostileText() {
        let hostile = "\u{1B}[2J\u{9B}2J\r\u{8}\u{202E}\u{7}::error::x"
        let run = RunStart(toolVersion: hostile, seed: 1, clock: .real, target: hostile, plannedScenarios: 1)
        let entries: [RunEntry] = [
            .runStarted(run),
            .scenarioStarted(
                ScenarioStart(
                    index: 1, file: hostile, line: 1, titlePath: [hostile], row: hostile, seed: 1, atNanoseconds: 0)),
            .happened(scenario: 1, atNanoseconds: 0, .actorJoined(name: hostile, system: hostile, role: hostile)),
            .happened(
                scenario: 1, atNanoseconds: 0,
                .observed(actor: hostile, number: 1, kind: hostile, fields: [hostile: .string(hostile)])),
            .happened(scenario: 1, atNanoseconds: 0, .logged(level: .info, text: hostile)),
            .happened(scenario: 1, atNanoseconds: 0, .attached(name: hostile, path: hostile, mediaType: hostile)),
            .happened(scenario: 1, atNanoseconds: 0, .stepBegan(name: hostile)),
            .scenarioEnded(
                ScenarioEnd(
                    index: 1, atNanoseconds: 0, outcome: .failed,
                    problems: [
                        Problem(
                            category: .failure, typeName: hostile, message: hostile, detail: hostile + "\n" + hostile,
                            file: hostile, line: 1, limit: hostile)
                    ])),
            .runEnded(RunEnd(counts: OutcomeCounts(failed: 1), durationNanoseconds: 0, isInterrupted: true)),
        ]
        for detail in [ConsoleOptions.Detail.quiet, .verbose] {
            let text = self.text(entries, ConsoleOptions(detail: detail))
            let controls = text.unicodeScalars.filter { $0.value < 0x20 && $0 != "\n" || 0x7F...0x9F ~= $0.value }
            #expect(controls.isEmpty)
            #expect(!text.unicodeScalars.contains("\u{202E}"))
            // A build server takes a line that begins so for a command.
            #expect(!text.split(separator: "\n").contains { $0.drop(while: { $0 == " " }).hasPrefix("::") })
        }
    }
}
