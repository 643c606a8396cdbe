import JSON
import Machines
import RunRecord
import Testing

@testable import Reports

@Suite(
    "The JUnit report as other tools read it",
    .enabled(if: PythonReaders.problem == nil, "\(PythonReaders.problem ?? "")"),
    .enabled(if: SharedFile.path("schemas") != nil, "the shared schemas are not beside the project"))
struct JUnitConsumerTests {
    private func documents(_ entries: [RunEntry], _ profile: JUnitProfile) -> [[UInt8]] {
        var recorder = JUnitRecorder(options: JUnitOptions(profile: profile, startedAt: "2026-03-01T12:00:00Z"))
        return [recorder.document()]
            + entries.map { entry in
                recorder.record(entry)
                return recorder.document()
            }
    }

    /// The schemas by which a profile is valid, and whether that is so only without positions and properties of cases.
    private static let schemas: [(profile: JUnitProfile, schemas: [String], hasExtras: Bool)] = [
        (.default, ["jenkins-10"], true),
        (.jenkinsXUnit, ["jenkins-10"], false),
        (.ant, ["ant", "jenkins-10", "4"], false),
        (.surefire, ["surefire"], false),
        (.gitlab, ["jenkins-10"], true),
        (.prow, ["jenkins-10"], false),
    ]

    @Test("There is a schema for every profile")
    func profiles() {
        #expect(Self.schemas.map(\.profile) == JUnitProfile.all)
    }

    @Test(
        "After every entry the file is well-formed, valid where it should be, and its counts are true",
        arguments: JUnitProfile.all.map(\.name), ["outcomes", "retries"])
    func everyEntry(profile: String, run: String) throws {
        let expected = try #require(Self.schemas.first { $0.profile.name == profile })
        let entries = run == "retries" ? SampleRun.retries : SampleRun.entries
        for schema in expected.schemas {
            let readings = try PythonReaders.read(
                self.documents(entries, expected.profile), schema: SharedFile.path("schemas/junit-\(schema).xsd"))
            #expect(readings.count == entries.count + 1)
            for reading in readings {
                #expect(reading.malformed == nil)
                #expect(reading.invalidWithoutExtras == nil)
                if !expected.hasExtras { #expect(reading.invalid == nil) }
                for suite in reading.suites { try self.expectTrueCounts(suite) }
            }
            #expect((readings.last?.invalid != nil) == expected.hasExtras)
        }
    }

    private func expectTrueCounts(_ suite: JSONValue) throws {
        let elements = (suite["cases"]?.array ?? []).map { $0["results"]?.array?.map { $0["element"]?.string } ?? [] }
        #expect(suite["tests"]?.integer == Int64(elements.count))
        for (count, element) in [("failures", "failure"), ("errors", "error"), ("skipped", "skipped")] {
            #expect(suite[count]?.integer == Int64(elements.count { $0.contains(element) }))
        }
        #expect(elements.allSatisfy { $0.count <= 1 })
    }

    @Test("The texts that other tools read are those of the run")
    func texts() throws {
        let reading = try #require(try PythonReaders.read(self.documents(SampleRun.entries, .default)).last)
        #expect(reading.suites.map { $0["name"]?.string } == ["Scenarios/queue.lua", "Scenarios/forms/survey.v2.lua"])
        #expect(reading.suites[0]["properties"]?["seed"]?.string == "42")
        #expect(reading.suites[0]["timestamp"]?.string == "2026-03-01T12:00:00Z")
        let cases = reading.cases
        #expect(
            cases.map { $0["name"]?.string } == [
                "a visitor waits", "queue › the position falls [French]", "rates <the> \"agent\" & leaves", "breaks",
            ])
        #expect(
            cases.map { $0["classname"]?.string }.suffix(2) == [
                "Scenarios.forms.survey_v2", "Scenarios.forms.survey_v2",
            ])
        #expect(cases.map { $0["line"]?.string } == ["3", "8", "1", "20"])
        #expect(cases.map { $0["time"]?.double } == [0, 0, 0, 0])
        let failure = try #require(cases[1]["results"]?[0])
        #expect(failure["message"]?.string == "no queue event within 3s")
        #expect(failure["type"]?.string == "timeout")
        let text = try #require(failure["text"]?.string)
        #expect(text.hasPrefix(SampleRun.detail))
        #expect(text.contains("\n\na soft one\n"))
        #expect(text.hasSuffix("--filter 'queue › the position falls [French]' --seed 42"))
        #expect(cases[1]["output"]?.string?.hasPrefix("[[ATTACHMENT|Reports/screen.txt]]\n") == true)
    }

    @Test("Whatever the texts are, the file is well-formed and valid and the texts can be had back")
    func anyText() throws {
        var random = RandomSource(seed: 23)
        let runs = (0..<100).map { _ in RandomRun.entries(scenarios: 6, using: &random) }
        for (profile, schemas, _) in Self.schemas {
            let documents = runs.map { entries in
                var recorder = JUnitRecorder(options: JUnitOptions(profile: profile))
                for entry in entries { recorder.record(entry) }
                return recorder.document()
            }
            let readings = try PythonReaders.read(
                documents, schema: SharedFile.path("schemas/junit-\(schemas[0]).xsd"))
            for (entries, reading) in zip(runs, readings) {
                #expect(reading.malformed == nil)
                #expect(reading.invalidWithoutExtras == nil)
                for suite in reading.suites { try self.expectTrueCounts(suite) }
                self.expectNames(of: entries, in: reading)
                self.expectMessages(of: entries, in: reading)
            }
        }
    }

    private func expectNames(of entries: [RunEntry], in reading: PythonReaders.Reading) {
        let names =
            entries.compactMap { if case .scenarioStarted(let start) = $0 { start.name } else { nil } }
            + [RunCompleteness.caseName]
        let read = reading.cases.map { RandomText.withoutEscapesOfXML($0["name"]?.string ?? "") }
        // Cases stand by file, entries by time.
        #expect(names.sorted() == read.sorted())
    }

    private func expectMessages(of entries: [RunEntry], in reading: PythonReaders.Reading) {
        let results = reading.cases.flatMap { $0["results"]?.array ?? [] }
        let texts = results.map { RandomText.withoutEscapesOfXML($0["text"]?.string ?? "") }
        for case .scenarioEnded(let end) in entries where end.outcome == .failed || end.outcome == .error {
            guard let problem = end.problemsByWeight.first else { continue }
            #expect(texts.contains { Array($0.unicodeScalars).starts(with: Array(problem.message.unicodeScalars)) })
        }
    }
}
