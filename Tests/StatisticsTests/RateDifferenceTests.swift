import Foundation
import Testing

@testable import Statistics

@Suite("The sequential test of the difference of two rates")
struct RateDifferenceTests {
    private static func difference(
        _ before: (Int, Int), _ after: (Int, Int), confidence: Double = 0.95
    ) -> RateDifference {
        RateDifference(
            from: .init(passed: before.0, of: before.1), to: .init(passed: after.0, of: after.1), confidence: confidence
        )
    }

    @Test("the evidence against no difference is the ratio of the mixture and the highest likelihood")
    func evidence() {
        // Of 10 and 0 of 10: B(14, 1) / B(4, 1) = 4 / 14, and B(4, 11) / B(4, 1) = 4 · 3! · 10! / 14!; below, 0.5 ^ 20.
        let above = 4.0 / 14 * 4 * 6 / (14.0 * 13 * 12 * 11)
        let ratio = above * pow(2, 20)
        let just = 1 - 1 / ratio
        #expect(Self.difference((10, 10), (0, 10), confidence: just - 1e-6).change == .fell)
        #expect(Self.difference((10, 10), (0, 10), confidence: just + 1e-6).change == nil)
    }

    @Test("a fall and a rise are the same the other way around, and the interval holds what was seen")
    func symmetry() {
        for (before, after) in [((95, 100), (60, 100)), ((58, 60), (20, 30)), ((26, 26), (0, 5)), ((3, 7), (4, 9))] {
            let fall = Self.difference(before, after)
            let rise = Self.difference(after, before)
            #expect(abs(fall.low + rise.high) < 1e-9 && abs(fall.high + rise.low) < 1e-9)
            let seen = Double(after.0) / Double(after.1) - Double(before.0) / Double(before.1)
            #expect(fall.low <= seen && seen <= fall.high && fall.high - fall.low < 1.5)
            #expect((fall.change == .fell) == (rise.change == .rose))
        }
        #expect(Self.difference((95, 100), (60, 100)).change == .fell)
        #expect(Self.difference((60, 100), (95, 100)).change == .rose)
        #expect(Self.difference((26, 26), (0, 5)).change == .fell)
    }

    @Test("few tries and small differences decide nothing, and no tries say nothing")
    func undecided() {
        #expect(Self.difference((57, 60), (54, 60)).change == nil)
        #expect(Self.difference((3, 3), (0, 3)).change == nil)
        let nothing = Self.difference((0, 0), (0, 0))
        #expect(nothing.change == nil && nothing.low == -1 && nothing.high == 1)
        let one = Self.difference((0, 0), (30, 30))
        #expect(one.change == nil && one.high == 1)
    }

    @Test("more tries and less confidence make the interval narrower")
    func width() {
        func width(_ difference: RateDifference) -> Double { difference.high - difference.low }
        let few = Self.difference((45, 50), (40, 50))
        #expect(width(Self.difference((450, 500), (400, 500))) < width(few) / 2)
        #expect(width(Self.difference((45, 50), (40, 50), confidence: 0.8)) < width(few))
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

    /// How comparisons ended that looked after every pair of tries.
    private struct Outcomes {
        var fell = 0
        var rose = 0
        var tries = 0

        /// How often the true difference has ever been outside of the interval.
        var missed = 0
    }

    private static let suites = 1000

    private static func play(_ before: Double, _ after: Double, limit: Int) -> Outcomes {
        var dice = Dice(state: UInt64(before * 1000) << 10 | UInt64(after * 1000))
        var outcomes = Outcomes()
        for _ in 0..<Self.suites {
            var passed = [0, 0]
            var change: RateDifference.Change?
            var tries = 0
            var hasMissed = false
            while change == nil, tries < limit {
                tries += 1
                if Double.random(in: 0..<1, using: &dice) < before { passed[0] += 1 }
                if Double.random(in: 0..<1, using: &dice) < after { passed[1] += 1 }
                let both = passed.map { RateDifference.Tries(passed: $0, of: tries) }
                if RateDifference.rulesOut(0, both[0], both[1], confidence: 0.95) {
                    change = RateDifference(from: both[0], to: both[1], confidence: 0.95).change
                    #expect(change == (passed[1] < passed[0] ? .fell : .rose))
                }
                hasMissed =
                    hasMissed || RateDifference.rulesOut(after - before, both[0], both[1], confidence: 0.95)
            }
            outcomes.tries += tries
            outcomes.missed += hasMissed ? 1 : 0
            switch change {
            case .fell: outcomes.fell += 1
            case .rose: outcomes.rose += 1
            case nil: break
            }
        }
        return outcomes
    }

    @Test(
        "looked at after every try, of 1,000 comparisons of equal bots no more than stated find a difference",
        arguments: [0.5, 0.8, 0.9, 0.95, 0.99])
    func equal(rate: Double) {
        let outcomes = Self.play(rate, rate, limit: 150)
        print("both \(rate): \(outcomes.fell) fell, \(outcomes.rose) rose, of \(Self.suites)")
        #expect(Double(outcomes.fell + outcomes.rose) <= 0.05 * Double(Self.suites))
        #expect(Double(outcomes.missed) <= 0.05 * Double(Self.suites))
    }

    @Test(
        "a difference is found, in its direction, before the limit",
        arguments: [(0.95, 0.8, 200), (0.9, 0.6, 100), (0.99, 0.9, 250), (0.8, 0.95, 200)])
    func different(before: Double, after: Double, limit: Int) {
        let outcomes = Self.play(before, after, limit: limit)
        let (right, wrong) = before > after ? (outcomes.fell, outcomes.rose) : (outcomes.rose, outcomes.fell)
        print(
            "\(before) and \(after): \(right) right, \(wrong) wrong of \(Self.suites), "
                + "\(Double(outcomes.tries) / Double(Self.suites)) tries of each, at most \(limit)")
        #expect(Double(wrong) <= 0.05 * Double(Self.suites))
        #expect(Double(right) >= 0.8 * Double(Self.suites))
        #expect(Double(outcomes.missed) <= 0.05 * Double(Self.suites))
    }
}
