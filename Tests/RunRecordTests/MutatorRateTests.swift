import Testing

@testable import RunRecord

@Suite("Rates by mutator")
struct MutatorRateTests {
    private static func entries(_ mutator: String?, _ outcomes: [Outcome], from index: Int) -> [RunEntry] {
        outcomes.enumerated().flatMap { place, outcome -> [RunEntry] in
            let isRetried = place < outcomes.count - 1
            return [
                .scenarioStarted(
                    ScenarioStart(
                        index: index + place, file: "a.lua", line: 1, titlePath: ["s"], mutator: mutator, seed: 1,
                        attempt: place + 1, atNanoseconds: 0)),
                .scenarioEnded(
                    ScenarioEnd(index: index + place, atNanoseconds: 1, outcome: outcome, isRetried: isRetried)),
            ]
        }
    }

    @Test("the last attempt counts, and what broke or was skipped is beside the rate")
    func tally() {
        var tally = RobustnessTally()
        let plays: [(String?, [Outcome])] = [
            ("typos", [.passed]), ("typos", [.failed, .passed]), ("typos", [.failed, .failed]), ("typos", [.error]),
            ("casing", [.skipped(reason: "x")]), ("casing", [.expectedFailure(reason: "y")]), (nil, [.failed]),
        ]
        for (place, play) in plays.enumerated() {
            for entry in Self.entries(play.0, play.1, from: place * 10) { tally.record(entry) }
        }
        #expect(
            tally.rates == [
                MutatorRate(mutator: "casing", failed: 1, skipped: 1),
                MutatorRate(mutator: "typos", passed: 2, failed: 1, errors: 1),
            ])
        #expect(tally.rates.map(\.text) == ["0 of 1 passed (0 %), 1 skipped", "2 of 3 passed (66.7 %), 1 error"])
    }

    @Test("a rate without plays has none, and only a whole one says 100 %")
    func texts() {
        #expect(MutatorRate(mutator: "a", errors: 2).text == "0 of 0 passed, 2 errors")
        #expect(MutatorRate(mutator: "a", errors: 2).rate == nil)
        #expect(MutatorRate(mutator: "a", passed: 9999, failed: 1).text == "9999 of 10000 passed (99.9 %)")
        #expect(MutatorRate(mutator: "a", passed: 8).text == "8 of 8 passed (100 %)")
    }

    @Test("the rates of shards add up")
    func sums() {
        let sums = MutatorRate.sums(of: [
            MutatorRate(mutator: "b", passed: 1, errors: 1), MutatorRate(mutator: "a", failed: 1),
            MutatorRate(mutator: "b", passed: 2, failed: 3, skipped: 4),
        ])
        #expect(
            sums == [
                MutatorRate(mutator: "a", failed: 1),
                MutatorRate(mutator: "b", passed: 3, failed: 3, errors: 1, skipped: 4),
            ])
    }
}
