import Reports
import RunRecord
import Testing

@Suite("Attempts in the JUnit report")
struct JUnitAttemptTests {
    private func document(_ profile: JUnitProfile, _ entries: some Sequence<RunEntry> = SampleRun.retries) -> String {
        var recorder = JUnitRecorder(options: JUnitOptions(profile: profile))
        for entry in entries { recorder.record(entry) }
        return String(decoding: recorder.document(), as: UTF8.self)
    }

    /// The elements of each case that say how it went, as `element:message`.
    private func results(_ document: String) -> [[String]] {
        document.split(separator: "<testcase ").dropFirst().map { testcase in
            testcase.matches(of: #/<([a-zA-Z]+) message="([^"]*)"/#).map { "\($0.output.1):\($0.output.2)" }
        }
    }

    private let stillRunning = "error:the scenario was still running when this report was written"
    private let unfinished = "error:the run did not end: 3 of 4 played"

    @Test("Attempts are elements of one case", arguments: [JUnitProfile.default, .jenkinsXUnit, .surefire])
    func elements(profile: JUnitProfile) {
        #expect(
            self.results(self.document(profile)) == [
                ["flakyFailure:once"],
                ["failure:first", "rerunFailure:second", "rerunFailure:third"],
                ["rerunFailure:after", "error:before"],
                ["rerunFailure:hung", self.stillRunning], [self.unfinished],
            ])
    }

    @Test("Retries that all come at the end find their cases at once, however many there are")
    func manyRetries() {
        // A walk over the cases for each of them would take some 10^9 steps.
        let count = 40_000
        let entries = (0..<2 * count).flatMap { number -> [RunEntry] in
            let (index, isRetry) = (number % count, number >= count)
            return [
                .scenarioStarted(
                    ScenarioStart(
                        index: number, file: "a.lua", line: 1, titlePath: ["s\(index)"], seed: 1,
                        attempt: isRetry ? 2 : 1, atNanoseconds: 0)),
                .scenarioEnded(
                    ScenarioEnd(
                        index: number, atNanoseconds: 0, outcome: isRetry ? .passed : .failed, isRetried: !isRetry)),
            ]
        }
        let document = self.document(.default, entries)
        #expect(document.split(separator: "<testcase ").count == count + 2)
        #expect(document.split(separator: "<flakyFailure ").count == count + 1)
    }

    @Test("Attempts are cases of the same name")
    func cases() {
        #expect(
            self.results(self.document(.prow)) == [
                ["failure:once"], [], ["failure:first"], ["error:second"], ["failure:third"], ["failure:before"],
                ["error:after"], ["failure:hung"], [self.stillRunning], [self.unfinished],
            ])
    }

    @Test("Only the last attempt is told", arguments: [JUnitProfile.ant, .gitlab])
    func untold(profile: JUnitProfile) {
        #expect(
            self.results(self.document(profile)) == [
                [], ["failure:third"], ["error:after"], [self.stillRunning], [self.unfinished],
            ])
    }

    @Test(
        "Tries are one case, whose time is that of all, and none of them is flaky",
        arguments: JUnitProfile.all.map(\.name))
    func tries(name: String) throws {
        let profile = try #require(JUnitProfile.named(name))
        let document = self.document(profile, SampleRun.tries)
        #expect(self.results(document) == [[]])
        #expect(document.contains("time=\"3.000\">"))
        // The other profiles have no properties at a case.
        #expect(document.contains("passes.tries") == (profile == .default))
        guard profile == .default else { return }
        for property in [
            "tries\" value=\"3", "passed\" value=\"2", "rate\" value=\"0.6667", "low\" value=\"0.2",
            "baseline.tries\" value=\"8", "baseline.rate\" value=\"0.875", "baseline.high\" value=\"0.95",
            "difference.low\" value=\"-0.625", "difference.high\" value=\"0.4",
        ] {
            #expect(document.contains("<property name=\"passes.\(property)\"/>"), "\(property)")
        }
        for property in [
            "4.text\" value=\"check(polite)", "4.tries\" value=\"3", "4.passed\" value=\"2", "4.rate\" value=\"0.6667",
            "4.low\" value=\"0.2", "4.high\" value=\"0.9", "lib/short.lua:2.rate\" value=\"1.0",
        ] {
            #expect(document.contains("<property name=\"check.\(property)\"/>"), "\(property)")
        }
    }

    @Test("An attempt has its text and its conversation")
    func conversation() {
        let document = self.document(.default, SampleRun.retries.prefix(7))
        #expect(
            document.contains(
                """
                      <flakyFailure message="once" type="t">
                        <stackTrace>once

                replay    repartee test a.lua --filter flaky --seed 42</stackTrace>
                        <system-out>      +0s  info: flaky 1
                </system-out>
                      </flakyFailure>
                      <system-out>      +0s  info: flaky 2
                </system-out>
                    </testcase>
                """))
        #expect(
            document.contains("name=\"a.lua\" tests=\"1\" failures=\"0\" errors=\"0\" skipped=\"0\" time=\"0.000\""))
    }
}
