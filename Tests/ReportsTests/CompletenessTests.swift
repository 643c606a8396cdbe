import JSON
import RunRecord
import Testing

@testable import Reports

/// What each report holds, counted against the run record; the page has a test of its own that compares every entry.
@Suite("No report loses a message")
struct CompletenessTests {
    /// Short conversations of every look, retries, and one that is longer than any report shows whole.
    private static let entries: [RunEntry] = {
        let long = (1...4_000).map { number in
            RunEntry.happened(
                scenario: 900, atNanoseconds: Int64(number) * 1_000_000,
                .observed(
                    actor: "v", number: number, kind: "message", fields: ["text": .string("This is message \(number)")])
            )
        }
        func scenario(_ index: Int, _ outcome: Outcome) -> [RunEntry] {
            let start = ScenarioStart(
                index: index, file: "long.lua", line: 1, titlePath: ["long \(index)"], seed: 1, atNanoseconds: 0)
            let talk = long.map { entry in
                if case .happened(_, let time, let runEvent) = entry {
                    return RunEntry.happened(scenario: index, atNanoseconds: time, runEvent)
                }
                return entry
            }
            let problems = outcome == .failed ? [Problem(category: .failure, typeName: "t", message: "too long")] : []
            return [.scenarioStarted(start)] + talk + [
                .scenarioEnded(
                    ScenarioEnd(index: index, atNanoseconds: 5_000_000_000, outcome: outcome, problems: problems))
            ]
        }
        return ChatRun.entries(scenarios: 30).dropLast()
            + ChatRun.scenario(500, name: "late", attempt: 1, failing: true)
            + ChatRun.scenario(501, name: "late", attempt: 2, failing: false)
            + scenario(900, .failed) + scenario(901, .passed) + [
                .runEnded(RunEnd(counts: .init(), durationNanoseconds: 1))
            ]
    }()

    /// How many lines the conversations have, bytes and screens aside.
    private static let lineCount = Self.entries.count { entry in
        if case .happened(_, _, let runEvent) = entry {
            TranscriptLine.text(runEvent, sinceNanoseconds: 0) != nil
        } else {
            false
        }
    }

    /// How many lines of conversations a text has; what it says to have left out counts.
    private func lines(in text: String) -> Int {
        let shown = text.split(separator: "\n").count { $0.firstMatch(of: #/^ *\+[0-9.µa-z ]+  \S/#) != nil }
        let hidden = text.matches(of: #/… ([0-9,]+) lines? left out …/#).compactMap {
            Int($0.output.1.replacing(",", with: ""))
        }
        return shown + hidden.reduce(0, +)
    }

    @Test(
        "JUnit files have every line of every try, or say how many they leave out",
        arguments: ["default", "jenkins-xunit", "surefire", "prow"])
    func junit(name: String) throws {
        var recorder = JUnitRecorder(options: JUnitOptions(profile: try #require(JUnitProfile.named(name))))
        for entry in Self.entries { recorder.record(entry) }
        let document = String(decoding: recorder.document(), as: UTF8.self)
        let outputs = document.matches(of: #/(?s)<system-out>(.*?)<\/system-out>/#).map { "\n" + $0.output.1 }
        #expect(outputs.count == 34)
        #expect(outputs.map { self.lines(in: $0) }.reduce(0, +) == Self.lineCount)
        #expect(document.utf8.count < 400_000)
    }

    @Test("CTRF has every line of every try, or says how many it leaves out")
    func ctrf() throws {
        var recorder = CTRFRecorder(options: CTRFOptions(startedAt: "2026-03-01T12:00:00Z"))
        for entry in Self.entries { recorder.record(entry) }
        let report = try JSONReader.read(String(decoding: recorder.document(), as: UTF8.self), depth: 100)
        let tests = report["results"]?["tests"]?.array ?? []
        let attempts = tests.flatMap { [$0] + ($0["retryAttempts"]?.array ?? []) }
        let outputs = attempts.map { ($0["stdout"]?.array ?? []).compactMap(\.string).joined(separator: "\n") }
        #expect(outputs.count == 34)
        #expect(outputs.map { self.lines(in: $0) }.reduce(0, +) == Self.lineCount)
    }

    @Test("The console shows every line when it is asked to")
    func console() {
        var text = ""
        var recorder = ConsoleRecorder(options: ConsoleOptions(detail: .verbose, usesColors: false)) { text += $0 }
        for entry in Self.entries { recorder.record(entry) }
        #expect(self.lines(in: text) == Self.lineCount)
    }

    @Test("JSON lines are the record")
    func record() throws {
        let lines = Self.entries.flatMap(\.line)
        #expect(try RecordReader.read(lines) == Self.entries)
    }

    @Test("What scenarios share is none of those that began")
    func shared() {
        let end = RunEnd(counts: OutcomeCounts(), durationNanoseconds: 0, isInterrupted: true)
        var entries: [RunEntry] = [
            .runStarted(
                RunStart(toolVersion: "1", seed: 1, clock: .virtual, target: "embedded", plannedScenarios: 3))
        ]
        for (index, asker) in [nil, ScenarioStart.Asker(file: "a.lua", name: "s 0")].enumerated() {
            entries += [
                .scenarioStarted(
                    ScenarioStart(
                        index: index, file: "a.lua", line: 1, titlePath: ["s \(index)"], seed: 1, askedBy: asker,
                        atNanoseconds: 0)),
                .scenarioEnded(ScenarioEnd(index: index, atNanoseconds: 0, outcome: .failed)),
            ]
        }
        entries.append(.runEnded(end))
        var (console, github) = ("", "")
        var consoleRecorder = ConsoleRecorder { console += $0 }
        var tapRecorder = TAPRecorder()
        var gitHubRecorder = GitHubRecorder { github += $0 }
        for entry in entries {
            consoleRecorder.record(entry)
            tapRecorder.record(entry)
            gitHubRecorder.record(entry)
        }
        #expect(console.contains("interrupted; 2 scenarios never began\n"))
        #expect(String(decoding: tapRecorder.document(), as: UTF8.self).contains("# never began: 2 of 3\n"))
        #expect(github.contains("2 of 3 scenarios never began: the run was interrupted"))
    }

    @Test("TAP tells of every try that did not pass")
    func tap() {
        var recorder = TAPRecorder()
        for entry in Self.entries { recorder.record(entry) }
        let text = String(decoding: recorder.document(), as: UTF8.self)
        let failed = Self.entries.count { entry in
            if case .scenarioEnded(let end) = entry { end.outcome == .failed } else { false }
        }
        let told = text.matches(of: #/  message: |# attempt [0-9]+ of/#).count
        #expect(failed == 3)
        #expect(told == failed)
    }
}
