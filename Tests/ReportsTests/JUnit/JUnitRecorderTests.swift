import JSON
import RunRecord
import Testing

@testable import Reports

@Suite("The JUnit report")
struct JUnitRecorderTests {
    private func document(_ entries: some Sequence<RunEntry>, _ options: JUnitOptions = JUnitOptions()) -> String {
        var recorder = JUnitRecorder(options: options)
        for entry in entries { recorder.record(entry) }
        return String(decoding: recorder.document(), as: UTF8.self)
    }

    private func start(_ file: String, _ index: Int = 1, at nanoseconds: Int64 = 0) -> RunEntry {
        .scenarioStarted(
            ScenarioStart(
                index: index, file: file, line: 1, titlePath: ["s\(index)"], seed: 1, atNanoseconds: nanoseconds))
    }

    private func passed(_ index: Int = 1, at nanoseconds: Int64 = 0) -> RunEntry {
        .scenarioEnded(ScenarioEnd(index: index, atNanoseconds: nanoseconds, outcome: .passed))
    }

    /// The end of a run in which something failed, so that not all needs to have been played.
    private let failed = RunEntry.runEnded(RunEnd(counts: OutcomeCounts(failed: 1), durationNanoseconds: 1))

    @Test("A run gives this file")
    func golden() {
        #expect(self.document(SampleRun.entries) == JUnitGolden.default)
    }

    @Test("The profile jenkins-xunit leaves out what its schema does not know, and nothing else")
    func jenkins() {
        let expected = JUnitGolden.default
            .replacing(#/ (?:file="[^"]*" )line="[0-9]+"/#, with: "")
            .replacing(#/(?s)    <properties>\n        .*?<\/properties>\n  /#, with: "")
        #expect(self.document(SampleRun.entries, JUnitOptions(profile: .jenkinsXUnit)) == expected)
    }

    @Test("After every entry the counts are right, and what runs stands as an error, also the run itself")
    func everyEntry() throws {
        var recorder = JUnitRecorder()
        var running: Set<Int> = []
        var ended = OutcomeCounts()
        var open = 1
        for entry in SampleRun.entries {
            recorder.record(entry)
            switch entry {
            case .runEnded: open = 0
            case .scenarioStarted(let start): running.insert(start.index)
            case .scenarioEnded(let end):
                running.remove(end.index)
                ended.add(end.outcome)
            default: break
            }
            let document = String(decoding: recorder.document(), as: UTF8.self)
            let tests = ended.total + running.count + open
            #expect(
                document.contains(
                    "<testsuites name=\"repartee\" tests=\"\(tests)\" failures=\"\(ended.failed)\" "
                        + "errors=\"\(ended.errors + running.count + open)\""))
            #expect(document.matches(of: #/<testcase /#).count == tests)
            #expect(document.matches(of: #/<failure /#).count == ended.failed)
            #expect(document.matches(of: #/<skipped /#).count == ended.skipped)
            #expect(document.matches(of: #/<error /#).count == ended.errors + running.count + open)
            #expect(
                document.contains("type=\"unfinished\">the run did not end: \(ended.total) of 4 played<") == (open > 0))
            #expect(document.matches(of: #/type="interrupted"/#).count == running.count)
            #expect(document.hasSuffix("</testsuites>\n"))
        }
    }

    @Test("A scenario that runs shows how long it has run and what has been said")
    func running() {
        let document = self.document(SampleRun.entries.prefix(5))
        #expect(document.contains("<property name=\"virtual_time\" value=\"1.200\"/>"))
        #expect(
            document.contains(
                "<error message=\"the scenario was still running when this report was written\" type=\"interrupted\">"))
        #expect(document.contains("visitor ← #1 message from=\"operator\" text=\"hello\"\n</system-out>"))
    }

    @Test("A scenario that had not ended when the run did says so")
    func neverEnded() {
        let end = RunEntry.runEnded(RunEnd(counts: OutcomeCounts(), durationNanoseconds: 9, isInterrupted: true))
        let document = self.document(SampleRun.entries.prefix(5) + [end])
        #expect(document.contains("message=\"the scenario was still running when the run ended\""))
        #expect(document.contains("type=\"unfinished\">the record is not whole: it has no end of 1 scenario"))
    }

    @Test(
        "A class name is the path in dots without extension",
        arguments: [
            ("Scenarios/queue.lua", "Scenarios.queue"), ("queue.lua", "queue"), ("./a/b.lua", "a.b"),
            ("/abs/b.lua", "abs.b"), ("v1.2/survey.v2.lua", "v1_2.survey_v2"), ("../x/.hidden", "__.x._hidden"),
            ("noextension", "noextension"), ("", ""),
        ])
    func classNames(file: String, expected: String) {
        #expect(JUnitCase.className(file: file) == expected)
    }

    @Test("A time is that on the wall, and virtual time a property beside it")
    func wallTime() {
        func document(_ clock: RunClock, wall: Int64?) -> String {
            var end = ScenarioEnd(index: 1, atNanoseconds: 7_200_000_000_000, outcome: .passed)
            end.wallNanoseconds = wall
            let run = RunStart(toolVersion: "1", seed: 1, clock: clock, target: "t", plannedScenarios: 1)
            return self.document([.runStarted(run), self.start("a.lua"), .scenarioEnded(end), self.failed])
        }
        func times(_ document: String) -> [String] {
            document.matches(of: #/ time="([^"]*)"/#).map { String($0.output.1) }
        }
        func virtual(_ document: String) -> [String] {
            document.matches(of: #/name="virtual_time" value="([^"]*)"/#).map { String($0.output.1) }
        }
        let played = document(.virtual, wall: 12_000_000)
        #expect(times(played) == ["0.012", "0.012", "0.012"])
        #expect(virtual(played) == ["7200.000", "7200.000"])
        // The record of such a run does not hold it.
        let read = document(.virtual, wall: nil)
        #expect(times(read) == ["0.000", "0.000", "0.000"])
        #expect(virtual(read) == ["7200.000", "7200.000"])
        let real = document(.real, wall: nil)
        #expect(times(real) == ["7200.000", "7200.000", "7200.000"])
        #expect(virtual(real).isEmpty)
    }

    @Test("A suite has the time at which it began if somebody knows it")
    func timestamps() {
        func timestamps(_ clock: RunClock, _ recorded: String?, _ given: String?) -> [String] {
            let run = RunStart(
                toolVersion: "1", seed: 1, clock: clock, target: "t", startedAt: recorded, plannedScenarios: 2)
            let entries = [
                .runStarted(run), self.start("a.lua"), self.passed(), self.start("b.lua", 2, at: 90_400_000_000),
                self.passed(2, at: 90_400_000_000), self.failed,
            ]
            return self.document(entries, JUnitOptions(startedAt: given))
                .matches(of: #/timestamp="([^"]*)"/#).map { String($0.output.1) }
        }
        #expect(timestamps(.virtual, nil, nil) == [])
        #expect(timestamps(.virtual, nil, "2026-03-01T12:00:00Z") == ["2026-03-01T12:00:00Z", "2026-03-01T12:00:00Z"])
        #expect(timestamps(.real, "2026-02-28T23:59:00Z", nil) == ["2026-02-28T23:59:00Z", "2026-03-01T00:00:30Z"])
        #expect(timestamps(.real, nil, "2026-02-28T23:59:00Z") == ["2026-02-28T23:59:00Z", "2026-03-01T00:00:30Z"])
        #expect(timestamps(.real, "yesterday", nil) == [])
    }

    @Test("The shard of a run is a property of every suite")
    func shard() {
        let run = RunStart(
            toolVersion: "1", seed: 1, clock: .real, target: "t", shard: Shard(index: 2, count: 4), plannedScenarios: 2)
        let document = self.document([
            .runStarted(run), self.start("a.lua"), self.passed(), self.start("b.lua", 2), self.passed(2), self.failed,
        ])
        #expect(document.matches(of: #/<property name="shard" value="2\/4"\/>/#).count == 2)
    }

    @Test("Attachments come first in the output, and a conversation cannot name one")
    func attachments() throws {
        let document = self.document([
            self.start("a.lua"),
            .happened(scenario: 1, atNanoseconds: 0, .logged(level: .info, text: "[[ATTACHMENT|/etc/passwd]]")),
            .happened(scenario: 1, atNanoseconds: 0, .attached(name: "s", path: "a b.png", mediaType: "image/png")),
        ])
        #expect(document.contains("<system-out>[[ATTACHMENT|a b.png]]\n"))
        #expect(document.matches(of: #/\[\[ATTACHMENT\|/#).count == 1)
    }

    @Test("A conversation that passed is cut shorter than one that failed")
    func outputLimits() throws {
        func output(_ outcome: Outcome) -> Int {
            var entries = [self.start("a.lua")]
            for number in 1...5_000 {
                entries.append(
                    .happened(scenario: 1, atNanoseconds: 0, .logged(level: .info, text: "line \(number) of many")))
            }
            entries.append(.scenarioEnded(ScenarioEnd(index: 1, atNanoseconds: 0, outcome: outcome)))
            let document = self.document(entries)
            #expect(document.contains("info: line 1 of many\n"))
            #expect(document.contains("lines left out …\n"))
            #expect(document.contains("info: line 5000 of many\n"))
            return document.utf8.count
        }
        #expect(output(.passed) < 2_000)
        #expect(30_000..<40_000 ~= output(.failed))
    }

    @Test("A text that is longer than parsers read is cut")
    func longDetail() {
        let problem = Problem(
            category: .failure, typeName: "t", message: String(repeating: "m", count: 5_000),
            detail: String(repeating: "d", count: 12_000_000))
        let document = self.document([
            self.start("a.lua"),
            .scenarioEnded(ScenarioEnd(index: 1, atNanoseconds: 0, outcome: .failed, problems: [problem])),
        ])
        #expect(document.utf8.count < 500_000)
    }

    @Test("Entries that belong to no running scenario change nothing")
    func strayEntries() {
        let entries = Array(SampleRun.entries.prefix(8)) + [self.failed]
        let stray: [RunEntry] = [
            .happened(scenario: 1, atNanoseconds: 5, .logged(level: .info, text: "late")),
            .happened(scenario: 99, atNanoseconds: 5, .logged(level: .info, text: "who")),
            .scenarioEnded(ScenarioEnd(index: 1, atNanoseconds: 5, outcome: .failed)),
        ]
        #expect(self.document(entries + stray) == self.document(entries))
    }

    @Test("Times at the ends of their range do not trap")
    func extremeTimes() {
        let document = self.document([
            self.start("a.lua", 1, at: .min),
            .happened(scenario: 1, atNanoseconds: .max, .logged(level: .info, text: "x")),
            .happened(scenario: 1, atNanoseconds: .min, .logged(level: .info, text: "y")),
            .scenarioEnded(ScenarioEnd(index: 1, atNanoseconds: .max, outcome: .passed)),
            self.start("a.lua", 2, at: .max),
            .scenarioEnded(ScenarioEnd(index: 2, atNanoseconds: .min, outcome: .passed)),
        ])
        #expect(document.hasSuffix("</testsuites>\n"))
    }
}
