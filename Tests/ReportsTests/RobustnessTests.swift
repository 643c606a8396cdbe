import JSON
import RunRecord
import Testing

@testable import Reports

@Suite("Rates by mutator in reports")
struct RobustnessTests {
    private static let rates = [
        MutatorRate(mutator: "base64", passed: 1, failed: 1), MutatorRate(mutator: "zero_width", passed: 1),
    ]

    private static let entries: [RunEntry] = {
        var entries: [RunEntry] = [
            .runStarted(
                RunStart(toolVersion: "1", seed: 1, clock: .virtual, target: "embedded", plannedScenarios: 3))
        ]
        for (index, play) in [("base64", Outcome.passed), ("base64", .failed), ("zero_width", .passed)].enumerated() {
            entries += [
                .scenarioStarted(
                    ScenarioStart(
                        index: index, file: "a.lua", line: 1, titlePath: ["s"], row: "\(index)", mutator: play.0,
                        seed: 1, atNanoseconds: 0)),
                .scenarioEnded(ScenarioEnd(index: index, atNanoseconds: 1, outcome: play.1)),
            ]
        }
        let end = RunEnd(counts: OutcomeCounts(passed: 2, failed: 1), durationNanoseconds: 3, robustness: Self.rates)
        return entries + [.runEnded(end)]
    }()

    @Test("the console prints them before the last lines")
    func console() {
        var text = ""
        var recorder = ConsoleRecorder { text += $0 }
        for entry in Self.entries { recorder.record(entry) }
        #expect(
            text.contains(
                """

                robustness by mutator
                  base64      1 of 2 passed (50 %)
                  zero_width  1 of 1 passed (100 %)

                3 scenarios: 2 passed, 1 failed

                """))
    }

    @Test("JUnit has them as properties of the suite, and the mutator as one of the case")
    func junit() {
        var recorder = JUnitRecorder()
        for entry in Self.entries { recorder.record(entry) }
        let text = String(decoding: recorder.document(), as: UTF8.self)
        for (name, value) in [
            ("base64.played", "2"), ("base64.passed", "1"), ("base64.rate", "0.5"), ("zero_width.played", "1"),
            ("zero_width.passed", "1"), ("zero_width.rate", "1.0"),
        ] {
            #expect(text.contains("      <property name=\"robustness.\(name)\" value=\"\(value)\"/>\n"))
        }
        #expect(text.matches(of: #/        <property name="mutator" value="base64"/>/#).count == 2)
    }

    @Test("CTRF has them beside the results")
    func ctrf() throws {
        var recorder = CTRFRecorder()
        for entry in Self.entries { recorder.record(entry) }
        let report = try JSONReader.read(String(decoding: recorder.document(), as: UTF8.self))
        #expect(report["results"]?["extra"]?["robustness"] == .array(Self.rates.map(\.json)))
    }

    @Test("the page has them, also before the run has ended")
    func html() throws {
        var recorder = HTMLRecorder()
        for entry in Self.entries.dropLast() { recorder.record(entry) }
        let index = try PageReader(recorder.document()).block("index")
        #expect(index?["robustness"] == .array(Self.rates.map(\.json)))
    }

    @Test("runs without mutators have none")
    func none() throws {
        var page = HTMLRecorder()
        for entry in SampleRun.entries { page.record(entry) }
        #expect(try PageReader(page.document()).block("index")?["robustness"] == nil)
    }
}
