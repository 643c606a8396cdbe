import Testing

@testable import Statistics

@Suite("Statistics of tries that pass or fail")
struct StatisticsTests {
    private let test = SequentialTest(goodRate: 0.9, badRate: 0.8, errorRate: 0.05)

    @Test("a run of passes decides at the first try at which the ratio of likelihoods is 20, and not before")
    func passes() {
        // (0.9 / 0.8) ^ 26 is 21.4, and to the 25th 19.0.
        #expect(self.test.leastTriesToPass == 26)
        #expect(self.test.decision(passed: 25, of: 25) == nil)
        #expect(self.test.decision(passed: 26, of: 26) == .pass)
    }

    @Test("a run of failures decides as soon: each halves the ratio")
    func fails() {
        #expect(self.test.decision(passed: 0, of: 4) == nil)
        #expect(self.test.decision(passed: 0, of: 5) == .fail)
        #expect(self.test.decision(passed: 0, of: 0) == nil)
    }

    @Test("a failure takes as much as six passes give, so the order of tries does not matter, only their counts")
    func counts() {
        #expect(self.test.decision(passed: 31, of: 32) == nil)
        #expect(self.test.decision(passed: 32, of: 33) == .pass)
        #expect(self.test.decision(passed: 54, of: 60) == nil)
    }

    @Test(
        "quantiles of the normal distribution are those of the tables",
        arguments: [(0.5, 0.0), (0.8413447461, 1), (0.95, 1.6448536270), (0.975, 1.9599639845), (0.001, -3.0902323062)])
    func quantiles(probability: Double, value: Double) {
        #expect(abs(NormalDistribution.quantile(probability) - value) < 1e-8)
    }

    @Test(
        "intervals are those that the formula gives where it was worked out apart from this code",
        arguments: [
            (54, 60, 0.7985, 0.9534), (57, 60, 0.8630, 0.9829), (0, 10, 0, 0.2775), (10, 10, 0.7225, 1),
            (1, 2, 0.0945, 0.9055),
        ] as [(Int, Int, Double, Double)])
    func intervals(passed: Int, tries: Int, low: Double, high: Double) {
        let interval = RateInterval(passed: passed, of: tries, confidence: 0.95)
        #expect(abs(interval.low - low) < 5e-5 && abs(interval.high - high) < 5e-5, "\(interval)")
    }

    @Test("of no try nothing is known, and more confidence is a wider interval")
    func width() {
        #expect(RateInterval(passed: 0, of: 0, confidence: 0.95) == RateInterval(passed: 0, of: 0, confidence: 0.9))
        #expect(RateInterval(passed: 0, of: 0, confidence: 0.95).high == 1)
        let wide = RateInterval(passed: 9, of: 10, confidence: 0.99)
        let narrow = RateInterval(passed: 9, of: 10, confidence: 0.9)
        #expect(wide.low < narrow.low && wide.high > narrow.high)
    }
}
