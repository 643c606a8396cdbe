import JSON
import RunRecord
import Testing

@testable import Reports

/// What a scenario of ``OutcomeRun`` is in a JUnit file: its elements, each as `element type message`.
private struct ExpectedCase {
    let name: String
    var results: [String] = []
    var attempts: [String] = []
}

/// A run that holds every outcome there is, with several tries, and texts that XML has no way to write.
private enum OutcomeRun {
    static let hostile = "<]]>&\u{1B}\"é\u{FFFE}"

    static func text(_ message: String) -> String { "\(message)\n  \(Self.hostile) of \(message)" }

    static let entries: [RunEntry] = {
        var entries: [RunEntry] = [
            .runStarted(
                RunStart(toolVersion: "0.1.0", seed: 42, clock: .virtual, target: "embedded", plannedScenarios: 8))
        ]
        var index = 0
        func play(_ name: String, attempt: Int = 1, _ outcome: Outcome, _ message: String? = nil) {
            index += 1
            let category: Problem.Category = outcome == .error ? .error : .failure
            let problems = message.map {
                [Problem(category: category, typeName: "type-\($0)", message: $0, detail: Self.text($0))]
            }
            entries += [
                .scenarioStarted(
                    ScenarioStart(
                        index: index, file: "a.lua", line: index, titlePath: [name], tags: ["t"], seed: 1,
                        attempt: attempt, atNanoseconds: 0)),
                .happened(scenario: index, atNanoseconds: 0, .logged(level: .info, text: "said in \(name) \(attempt)")),
                .scenarioEnded(
                    ScenarioEnd(
                        index: index, atNanoseconds: 1_000_000, outcome: outcome, problems: problems ?? [],
                        isRetried: (name == "late" || name == "never") && attempt < 3)),
            ]
        }
        play("passes", .passed)
        play("fails", .failed, "no answer")
        play("breaks", .error, "nil value")
        play("is not played", .skipped(reason: "no camera \(Self.hostile)"))
        play("late", .failed, "first")
        play("late", attempt: 2, .error, "second")
        play("late", attempt: 3, .passed)
        play("never", .failed, "one")
        play("never", attempt: 2, .error, "two")
        play("never", attempt: 3, .failed, "three")
        play("known", .expectedFailure(reason: "bug 7"), "as known")
        play("healed", .failed, "the scenario passed, although it declares that it fails")
        let counts = OutcomeCounts(passed: 1, failed: 3, errors: 1, skipped: 1, flaky: 1, expectedFailures: 1)
        entries.append(.runEnded(RunEnd(counts: counts, durationNanoseconds: 12_000_000)))
        return entries
    }()
}

@Suite(
    "Every outcome in every JUnit profile, as other tools read it",
    .enabled(if: PythonReaders.problem == nil, "\(PythonReaders.problem ?? "")"),
    .enabled(if: SharedFile.path("schemas") != nil, "the shared schemas are not beside the project"))
struct JUnitOutcomeTests {
    private static let healed = "the scenario passed, although it declares that it fails"

    private static let first: [ExpectedCase] = [
        ExpectedCase(name: "passes"), ExpectedCase(name: "fails", results: ["failure no answer"]),
        ExpectedCase(name: "breaks", results: ["error nil value"]),
        ExpectedCase(name: "is not played", results: ["skipped no camera \(OutcomeRun.hostile)"]),
    ]
    private static let last: [ExpectedCase] = [
        ExpectedCase(name: "known", results: ["skipped failed as expected: bug 7"]),
        ExpectedCase(name: "healed", results: ["failure \(Self.healed)"]),
    ]

    private static func expected(_ profile: JUnitProfile) -> [ExpectedCase] {
        switch profile.name {
        case "ant", "gitlab":
            Self.first + [ExpectedCase(name: "late"), ExpectedCase(name: "never", results: ["failure three"])]
                + Self.last
        case "prow":
            Self.first
                + [["failure first"], ["error second"], []].map { ExpectedCase(name: "late", results: $0) }
                + [["failure one"], ["error two"], ["failure three"]].map { ExpectedCase(name: "never", results: $0) }
                + Self.last
        default:
            Self.first + [
                ExpectedCase(name: "late", attempts: ["flakyFailure first", "flakyFailure second"]),
                ExpectedCase(
                    name: "never", results: ["failure one"], attempts: ["rerunFailure two", "rerunFailure three"]),
            ] + Self.last
        }
    }

    private static let schemas: [String: [String]] = [
        "default": ["jenkins-10"], "jenkins-xunit": ["jenkins-10"], "ant": ["ant", "jenkins-10", "4"],
        "surefire": ["surefire"], "gitlab": ["jenkins-10"], "prow": ["jenkins-10"],
    ]

    /// The text that belongs to an element of the table.
    private static func text(_ element: String, of name: String) -> String {
        let words = element.split(separator: " ", maxSplits: 1).map(String.init)
        switch name {
        case "is not played": return words[1]
        case "known": return "failed as expected: bug 7\n\n" + OutcomeRun.text("as known")
        default:
            let seeds = ["second": 43, "two": 43, "three": 44]
            let filter = name == "late" || name == "never" || !name.contains(" ") ? name : "'\(name)'"
            return OutcomeRun.text(words[1]) + "\n\nreplay    repartee test a.lua --filter \(filter) --seed "
                + "\(seeds[words[1]] ?? 42)"
        }
    }

    @Test(
        "The file is valid, and counts, elements and texts are read back as they were",
        arguments: JUnitProfile.all.map(\.name))
    func readBack(name: String) throws {
        let profile = try #require(JUnitProfile.named(name))
        var recorder = JUnitRecorder(options: JUnitOptions(profile: profile, startedAt: "2026-03-01T12:00:00Z"))
        for entry in OutcomeRun.entries { recorder.record(entry) }
        let expected = Self.expected(profile)
        for schema in try #require(Self.schemas[profile.name]) {
            let path = SharedFile.path("schemas/junit-\(schema).xsd")
            let reading = try #require(try PythonReaders.read([recorder.document()], schema: path).first)
            #expect(reading.malformed == nil)
            #expect(reading.invalidWithoutExtras == nil)
            let suite = try #require(reading.suites.first)
            #expect(reading.suites.count == 1)
            #expect(suite["tests"]?.integer == Int64(expected.count))
            for (count, element) in [("failures", "failure"), ("errors", "error"), ("skipped", "skipped")] {
                let number = expected.count { $0.results.contains { $0.hasPrefix(element) } }
                #expect(suite[count]?.integer == Int64(number), "\(count)")
            }
            #expect(reading.cases.map { $0["name"]?.string } == expected.map(\.name))
            for (read, wanted) in zip(reading.cases, expected) {
                try self.expect(read["results"], wanted.results, of: wanted.name)
                try self.expect(read["attempts"], wanted.attempts, of: wanted.name)
                let hasOutput = profile.name != "ant" && !(profile.name == "gitlab" && wanted.results.isEmpty)
                #expect((read["output"]?.string?.contains("said in \(wanted.name)") == true) == hasOutput)
            }
        }
    }

    private func expect(_ read: JSONValue?, _ wanted: [String], of name: String) throws {
        let read = read?.array ?? []
        let found = read.map { one in
            "\(one["element"]?.string ?? "") \(RandomText.withoutEscapesOfXML(one["message"]?.string ?? ""))"
        }
        #expect(found == wanted)
        for (one, element) in zip(read, wanted) {
            #expect(RandomText.withoutEscapesOfXML(one["text"]?.string ?? "") == Self.text(element, of: name))
            if let output = one["output"]?.string { #expect(output.contains("said in \(name)")) }
        }
    }
}
