import Reports
import RunRecord
import Testing

@Suite("The report for GitHub Actions")
struct GitHubRecorderTests {
    private func run(_ entries: some Sequence<RunEntry>, folder: String = "") -> (commands: [String], summary: String) {
        var text = ""
        var recorder = GitHubRecorder(folder: folder) { text += $0 }
        for entry in entries { recorder.record(entry) }
        return (text.split(separator: "\n").map(String.init), recorder.summary)
    }

    private func failures(_ messages: [String]) -> [RunEntry] {
        var entries: [RunEntry] = []
        for (index, message) in messages.enumerated() {
            entries.append(
                .scenarioStarted(
                    ScenarioStart(
                        index: index, file: "a.lua", line: index, titlePath: ["s\(index)"], seed: 1, atNanoseconds: 0)))
            entries.append(
                .scenarioEnded(
                    ScenarioEnd(
                        index: index, atNanoseconds: 0, outcome: .failed,
                        problems: [Problem(category: .failure, typeName: "t", message: message)])))
        }
        return entries + [.runEnded(RunEnd(counts: OutcomeCounts(), durationNanoseconds: 0))]
    }

    @Test("What went wrong is annotated at its line")
    func annotations() {
        let commands = self.run(SampleRun.entries, folder: "e2e").commands
        #expect(commands.count == 2)
        #expect(
            commands[0].hasPrefix(
                "::error file=e2e/Scenarios/queue.lua,line=9,title=queue › the position falls [French]"
                    + "::no queue event within 3s%0Aat Scenarios/queue.lua:9%0A%0A  > 9 |"))
        #expect(commands[1].hasPrefix("::error file=e2e/Scenarios/forms/survey.v2.lua,line=20,title=breaks::attempt"))
    }

    @Test("A text cannot end a command, begin another or add a property")
    func escapes() {
        let commands = self.run(self.failures(["100%\r\n::error::x\u{1B}"])).commands
        #expect(commands == ["::error file=a.lua,line=0,title=s0::100%25\\u{D}%0A::error::x\\u{1B}"])
        let start = ScenarioStart(
            index: 1, file: "a,b:c%.lua", line: 1, titlePath: ["t\n::"], seed: 1, atNanoseconds: 0)
        #expect(
            self.run([
                .scenarioStarted(start), .scenarioEnded(ScenarioEnd(index: 1, atNanoseconds: 0, outcome: .error)),
            ]).commands == ["::error file=a%2Cb%3Ac%25.lua,line=1,title=t\\u{A}%3A%3A::"])
    }

    @Test("Of many failures ten are told, those with messages of their own first, and the others are counted")
    func limit() {
        let messages = Array(repeating: "the same", count: 20) + (1...5).map { "other \($0)" }
        let commands = self.run(self.failures(messages)).commands
        #expect(commands.count == 11)
        #expect(commands.count { $0.hasSuffix("::the same") } == 5)
        #expect(commands.count { $0.contains("::other ") } == 5)
        #expect(
            commands.last
                == "::notice::15 more scenarios did not pass; the reports and the summary of the job show them")
    }

    @Test("The summary counts and shows failures as text that cannot become markup")
    func summary() {
        let summary = self.run(self.failures(["```\n</details><script>"])).summary
        #expect(
            summary == """
                ### repartee

                | passed | failed | errors | flaky | expected failures | skipped |
                | ---: | ---: | ---: | ---: | ---: | ---: |
                | 0 | 1 | 0 | 0 | 0 | 0 |

                <details><summary>a.lua: s0</summary>

                ````text
                ```
                </details><script>
                ````

                </details>

                """)
    }

    @Test("What passed late is a warning with its seeds, and what never began is counted")
    func outcomes() {
        let run = self.run(SampleRun.outcomes + [])
        let errors = run.commands.filter { $0.hasPrefix("::error") }
        #expect(errors.count == 1)
        #expect(
            run.commands.last
                == "::warning file=a.lua,line=1,title=flaky%3A late::failed with seed 42, passed at attempt 2 with seed 43"
        )
        #expect(run.summary.contains("| 1 | 1 | 0 | 1 | 1 | 0 |"))
        let early = self.run([
            .runStarted(SampleRun.start),
            .runEnded(RunEnd(counts: OutcomeCounts(), durationNanoseconds: 0, isInterrupted: true, timeLimit: "10m")),
        ])
        let sentence = "4 of 4 scenarios never began: the run passed its time limit, 10m"
        #expect(early.commands == ["::warning::\(sentence)"])
        #expect(early.summary.contains("**\(sentence)**"))
    }

    @Test("The summary stays below what GitHub takes")
    func summaryLimit() {
        let long = String(repeating: "x", count: 100_000)
        let summary = self.run(self.failures((0..<500).map { "\($0)\(long)" })).summary
        #expect(summary.utf8.count < 1 << 20)
        #expect(summary.contains("\n450 more scenarios did not pass"))
    }

    @Test(
        "Characters of many bytes, and marks that need longer ones around them, count as what they take",
        arguments: ["x" + String(repeating: "\u{301}", count: 4_000), String(repeating: "`", count: 9_000), "👩‍👩‍👧‍👦"])
    func bytes(text: String) {
        let long = String(repeating: text, count: 60_000 / text.utf8.count)
        let run = self.run(self.failures((0..<60).map { "\($0) \(long)" }))
        #expect((100_000...1_000_100).contains(run.summary.utf8.count), "\(run.summary.utf8.count)")
        let shown = run.summary.matches(of: #/<details>/#).count
        #expect(run.summary.contains("\n\(60 - shown) more scenarios did not pass"))
        #expect(run.commands.allSatisfy { $0.utf8.count < 10_000 })
    }

    @Test("Names are cut, too, so that none takes the place of all others")
    func longNames() {
        let name = String(repeating: "<é>", count: 100_000)
        let start = ScenarioStart(index: 1, file: "a.lua", line: 1, titlePath: [name], seed: 1, atNanoseconds: 0)
        let run = self.run([
            .scenarioStarted(start), .scenarioEnded(ScenarioEnd(index: 1, atNanoseconds: 0, outcome: .error)),
        ])
        #expect(run.summary.contains("&lt;é&gt;…</summary>"))
        #expect(run.summary.utf8.count < 5_000)
        #expect(run.commands.count == 1 && run.commands[0].utf8.count < 2_000)
    }
}
