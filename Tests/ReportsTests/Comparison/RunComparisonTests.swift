import JSON
import RunRecord
import Testing

@testable import Reports

@Suite("The comparison of two runs")
struct RunComparisonTests {
    /// A run of scenarios with their outcomes, durations in seconds, and messages; two outcomes are two attempts.
    private func run(_ scenarios: [(String, [Outcome], Double, String?)], seed: UInt64) -> [RunEntry] {
        var entries: [RunEntry] = [
            .runStarted(
                RunStart(
                    toolVersion: "1", seed: seed, clock: .virtual, target: "embedded",
                    plannedScenarios: scenarios.count))
        ]
        var index = 0
        for (name, outcomes, seconds, message) in scenarios {
            for (attempt, outcome) in outcomes.enumerated() {
                index += 1
                entries.append(
                    .scenarioStarted(
                        ScenarioStart(
                            index: index, file: "a.lua", line: index, titlePath: [name], seed: 1, attempt: attempt + 1,
                            atNanoseconds: 5)))
                let problems = message.map { [Problem(category: .failure, typeName: "t", message: $0)] } ?? []
                entries.append(
                    .scenarioEnded(
                        ScenarioEnd(
                            index: index, atNanoseconds: 5 + Int64(seconds * 1e9), outcome: outcome,
                            problems: outcome == .passed ? [] : problems)))
            }
        }
        return entries
    }

    private var old: [RunEntry] {
        self.run(
            [
                ("same", [.passed], 1, nil), ("breaks", [.passed], 1, nil), ("heals", [.error], 1, "boom"),
                ("shaky", [.passed], 1, nil), ("steady", [.failed, .passed], 1, "once"), ("other", [.failed], 1, "a"),
                ("bad", [.failed], 1, "the same"), ("slow", [.passed], 1, nil), ("quick", [.passed], 3, nil),
                ("tiny", [.passed], 0.001, nil), ("gone", [.passed], 1, nil), ("idle", [.passed], 1, nil),
            ], seed: 1)
    }

    private var new: [RunEntry] {
        self.run(
            [
                ("same", [.passed], 1.2, nil), ("breaks", [.failed], 1, "no answer"), ("heals", [.passed], 1, nil),
                ("shaky", [.failed, .passed], 1, "once"), ("steady", [.passed], 1, nil), ("other", [.failed], 1, "b"),
                ("bad", [.failed], 9, "the same"), ("slow", [.passed], 2, nil), ("quick", [.passed], 1, nil),
                ("tiny", [.passed], 0.09, nil), ("fresh", [.passed], 1, nil),
                ("idle", [.skipped(reason: "later")], 0, nil),
            ], seed: 2)
    }

    @Test("Each scenario is told once, by what matters most")
    func text() {
        #expect(
            RunComparison(from: self.old, to: self.new).text == """
                before: 12 scenarios, seed 1, target embedded
                after:  12 scenarios, seed 2, target embedded

                broke (1)
                  a.lua:2  breaks  passed → failed
                      no answer

                fixed (1)
                  a.lua:3  heals  error → passed

                became flaky (1)
                  a.lua:4  shaky  passed → flaky

                no longer flaky (1)
                  a.lua:6  steady  flaky → passed

                fails differently (1)
                  a.lua:7  other
                      b

                now skipped (1)
                  a.lua:13  idle  passed → skipped

                slower (1)
                  a.lua:9  slow  1s → 2s

                faster (1)
                  a.lua:10  quick  3s → 1s

                new (1)
                  a.lua:12  fresh

                removed (1)
                  a.lua:12  gone

                3 as before

                """)
    }

    @Test("A run is as itself, and nothing is all new")
    func same() {
        let same = RunComparison(from: self.old, to: self.old)
        #expect(same.items.isEmpty)
        #expect(same.unchanged == 12)
        #expect(RunComparison(from: [], to: self.new).items.map(\.change) == Array(repeating: .new, count: 12))
        #expect(RunComparison(from: self.old, to: []).items.map(\.change) == Array(repeating: .removed, count: 12))
    }

    /// A run of a scenario that ends after so many tries.
    private func tries(_ passed: Int, of count: Int, confidence: Double = 0.95, breaks: Bool = false) -> [RunEntry] {
        var entries = self.run([], seed: 3)
        for number in 1...count + (breaks ? 1 : 0) {
            entries.append(
                .scenarioStarted(
                    ScenarioStart(
                        index: number, file: "a.lua", line: 1, titlePath: ["rate"], seed: 1, attempt: number,
                        isTry: true, atNanoseconds: 0)))
            let rate = PassRate(
                TryRate(tries: min(count, number), passed: min(passed, number), low: 0, high: 1), atLeast: 0.9,
                confidence: confidence, verdict: number == count && !breaks ? .pass : nil)
            entries.append(
                .scenarioEnded(
                    ScenarioEnd(
                        index: number, atNanoseconds: 1, outcome: number > count ? .error : .passed,
                        isRetried: number < count, passes: rate)))
        }
        return entries
    }

    @Test("Rates are compared where several tries decided in both runs, also where the last one broke")
    func rates() throws {
        let fallen = RunComparison(from: self.tries(58, of: 60), to: self.tries(30, of: 60))
        #expect(fallen.rates.map(\.change) == ["fell"])
        #expect(
            fallen.text.contains(
                """

                pass rates (1)
                  a.lua:1  rate  lower: 95 % interval -
                """))
        #expect(fallen.text.contains("      before: 58 of 60 tries, 96.7 %"))
        #expect(fallen.text.contains("      after:  30 of 60 tries, 50 %"))
        let risen = RunComparison(from: self.tries(30, of: 60), to: self.tries(58, of: 60))
        #expect(risen.text.contains("a.lua:1  rate  higher: 95 % interval +"))
        let same = RunComparison(from: self.tries(58, of: 60), to: self.tries(50, of: 55))
        #expect(same.text.contains("a.lua:1  rate  no difference shown: 95 % interval -"))
        let broken = RunComparison(from: self.tries(58, of: 60), to: self.tries(30, of: 60, breaks: true))
        #expect(broken.rates.map(\.after.rate.tries) == [60] && broken.rates.map(\.change) == ["fell"])
        #expect(RunComparison(from: self.old, to: self.tries(5, of: 5)).rates.isEmpty)
    }

    @Test("The surer of two runs decides how sure a difference must be")
    func confidence() {
        let change = { (before: Double, after: Double) in
            RunComparison(
                from: self.tries(39, of: 40, confidence: before), to: self.tries(24, of: 40, confidence: after)
            ).rates.map(\.change)
        }
        #expect(change(0.9, 0.9) == ["fell"])
        #expect(change(0.9, 0.9999999) == [nil] && change(0.9999999, 0.9) == [nil])
    }

    @Test("The page of the later run has the rates")
    func pageOfRates() throws {
        var options = HTMLOptions()
        options.comparison = RunComparison(from: self.tries(58, of: 60), to: self.tries(30, of: 60))
        var recorder = HTMLRecorder(options: options)
        for entry in self.tries(30, of: 60) { recorder.record(entry) }
        let text = String(decoding: recorder.document(), as: UTF8.self)
        #expect(
            text.contains(
                #""rates":[{"id":"a.lua::rate","name":"rate","path":"a.lua","change":"fell","verdict":"lower: "#))
    }

    @Test("The page of the later run holds it as data")
    func page() throws {
        var options = HTMLOptions()
        options.comparison = RunComparison(from: self.old, to: self.new)
        var recorder = HTMLRecorder(options: options)
        for entry in self.new { recorder.record(entry) }
        let text = String(decoding: recorder.document(), as: UTF8.self)
        #expect(text.contains("\"comparison\":{\"items\":[{\"change\":\"broke\",\"id\":\"a.lua::breaks\""))
        #expect(text.contains("\"unchanged\":3"))
    }
}
