import Foundation
import Statistics
import Testing

/// Plays suites over bots whose pass rate is known, and counts wrong verdicts and tries.
@Suite("Error rates of the sequential test, and what it costs")
struct ErrorRateTests {
    private static let suites = 1000
    private static let rates = [0.80, 0.85, 0.90, 0.95, 0.99]

    /// How suites over one bot ended.
    private struct Outcomes {
        var passed = 0
        var failed = 0
        var undecided = 0
        var tries = 0
    }

    /// SplitMix64, so that every machine plays the same suites.
    private struct Dice: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            self.state &+= 0x9E37_79B9_7F4A_7C15
            var word = self.state
            word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
            word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
            return word ^ (word >> 31)
        }
    }

    private static func play(_ test: SequentialTest, rate: Double, limit: Int) -> Outcomes {
        var dice = Dice(state: UInt64(rate * 1000))
        var outcomes = Outcomes()
        for _ in 0..<Self.suites {
            var passed = 0
            var tries = 0
            var decision: SequentialTest.Decision?
            while decision == nil, tries < limit {
                tries += 1
                if Double.random(in: 0..<1, using: &dice) < rate { passed += 1 }
                decision = test.decision(passed: passed, of: tries)
            }
            outcomes.tries += tries
            switch decision {
            case .pass: outcomes.passed += 1
            case .fail: outcomes.failed += 1
            case nil: outcomes.undecided += 1
            }
        }
        return outcomes
    }

    /// The least number of tries with which a test of fixed size keeps both risks, by exact binomial sums.
    private static func fixedSize(good: Double, bad: Double, risk: Double) -> Int {
        for tries in 1... {
            var bigger = 0.0
            var passes = tries
            // From how many passes on the bad bot gets through seldom enough.
            while passes >= 0, bigger + Self.probability(passes, of: tries, bad) <= risk {
                bigger += Self.probability(passes, of: tries, bad)
                passes -= 1
            }
            let missed = (0...max(0, passes)).reduce(0) { $0 + Self.probability($1, of: tries, good) }
            if passes < tries, missed <= risk { return tries }
        }
        return 0
    }

    private static func probability(_ passed: Int, of tries: Int, _ rate: Double) -> Double {
        let ways = lgamma(Double(tries + 1)) - lgamma(Double(passed + 1)) - lgamma(Double(tries - passed + 1))
        return exp(ways + Double(passed) * log(rate) + Double(tries - passed) * log(1 - rate))
    }

    @Test("the approximate size of a fixed test is close to the exact one")
    func size() {
        let exact = Self.fixedSize(good: 0.9, bad: 0.8, risk: 0.05)
        let about = SequentialTest(goodRate: 0.9, badRate: 0.8, errorRate: 0.05).fixedSize
        #expect(abs(exact - about) * 20 < exact, "\(exact) and \(about)")
    }

    @Test(
        "of 1,000 suites no more are judged wrongly than stated, and four tenths of the tries are saved",
        arguments: [(0.9, 0.95), (0.95, 0.95), (0.9, 0.9)])
    func risks(atLeast: Double, confidence: Double) {
        let bad = atLeast - 0.1
        let test = SequentialTest(goodRate: atLeast, badRate: bad, errorRate: 1 - confidence)
        let fixed = Self.fixedSize(good: atLeast, bad: bad, risk: 1 - confidence)
        let most = Double(Self.suites) * (1 - confidence)
        var all = 0
        for rate in Self.rates {
            let outcomes = Self.play(test, rate: rate, limit: fixed)
            all += outcomes.tries
            let mean = Double(outcomes.tries) / Double(Self.suites)
            print(
                "at_least \(atLeast), confidence \(confidence), bot \(rate): \(outcomes.passed) pass, "
                    + "\(outcomes.failed) fail, \(outcomes.undecided) inconclusive; \(mean) tries, fixed \(fixed), "
                    + "\(Int(100 * (1 - mean / Double(fixed)))) % fewer")
            if rate <= bad { #expect(Double(outcomes.passed) <= most, "false passes of \(rate)") }
            if rate >= atLeast { #expect(Double(outcomes.failed) <= most, "false fails of \(rate)") }
            if rate <= bad || rate >= atLeast { #expect(mean < 0.6 * Double(fixed), "tries of \(rate)") }
        }
        #expect(Double(all) < 0.6 * Double(fixed * Self.suites * Self.rates.count))
    }
}
