#if canImport(Glibc)
    private import Glibc
#elseif canImport(Musl)
    private import Musl
#elseif canImport(Darwin)
    private import Darwin
#endif

/// What the tries of two bots show about the difference of their pass rates, whenever one looks.
///
/// It is a sequential test of the difference, valid at any time. The evidence against a difference is a likelihood
/// ratio: above stands the likelihood of all tries under a mixture of rates, the same for each bot (Herbert Robbins,
/// "Statistical Methods Related to the Law of the Iterated Logarithm", The Annals of Mathematical Statistics 41, 1970),
/// below it the highest likelihood that two rates with that difference give (Larry Wasserman, Aaditya Ramdas, Sivaraman
/// Balakrishnan, "Universal Inference", Proceedings of the National Academy of Sciences 117, 2020). With the true
/// difference the ratio is at most a martingale that begins at 1, so by the inequality of Jean Ville (1939) it ever
/// exceeds `1/α` with a probability of at most α: whatever rule ended the tries of either bot, however often one looks,
/// and however many tries either has.
///
/// The mixture is the beta distribution with the parameters 4 and 1, for bots under test mostly pass. It is fixed
/// before anything is seen; another one would need more or fewer tries, and err as seldom.
public struct RateDifference: Hashable, Sendable {
    /// The tries of a bot.
    public struct Tries: Hashable, Sendable {
        /// How many passed.
        public let passed: Int

        /// How many there were.
        public let count: Int

        /// Creates the tries of a bot.
        ///
        /// - Precondition: `0 <= passed <= count`.
        public init(passed: Int, of count: Int) {
            precondition(0 <= passed && passed <= count, "of \(count) tries \(passed) cannot pass")
            self.passed = passed
            self.count = count
        }

        /// The logarithm of their likelihood under a rate.
        fileprivate func logLikelihood(_ rate: Double) -> Double {
            let failed = self.count - self.passed
            return (self.passed == 0 ? 0 : Double(self.passed) * log(rate))
                + (failed == 0 ? 0 : Double(failed) * log(1 - rate))
        }

        /// How that grows with the rate.
        fileprivate func slope(_ rate: Double) -> Double {
            let failed = self.count - self.passed
            return (self.passed == 0 ? 0 : Double(self.passed) / rate)
                - (failed == 0 ? 0 : Double(failed) / (1 - rate))
        }

        /// The logarithm of their likelihood under the mixture.
        fileprivate var logMixture: Double {
            RateDifference.logBeta(
                RateDifference.mixture.0 + Double(self.passed),
                RateDifference.mixture.1 + Double(self.count - self.passed))
                - RateDifference.logBeta(RateDifference.mixture.0, RateDifference.mixture.1)
        }
    }

    /// Which of two rates is the higher one.
    public enum Change: String, Hashable, Sendable {
        /// The later rate is lower: said of one that is not with a probability of at most one less the confidence.
        case fell
        /// The later rate is higher: said of one that is not with a probability of at most one less the confidence.
        case rose
    }

    /// The lower end of the interval of the later rate less the earlier one, from -1 to 1: with the confidence, the
    /// intervals of all times hold the true difference.
    public let low: Double

    /// The upper end of it.
    public let high: Double

    /// What the tries decide, or nil if the rates may be the same.
    public var change: Change? { self.high < 0 ? .fell : self.low > 0 ? .rose : nil }

    private static let mixture = (4.0, 1.0)

    /// Creates the difference that tries show.
    ///
    /// - Parameters:
    ///   - before: The tries of the earlier bot.
    ///   - after: The tries of the later bot.
    ///   - confidence: One minus the probability that the interval ever lacks the true difference, between 0 and 1.
    public init(from before: Tries, to after: Tries, confidence: Double) {
        // The evidence against a difference grows away from the one that was seen.
        func end(_ limit: Double) -> Double {
            guard Self.rulesOut(limit, before, after, confidence: confidence) else { return limit }
            var inside = Self.rate(after) - Self.rate(before)
            var outside = limit
            for _ in 0..<50 {
                let middle = (inside + outside) / 2
                if Self.rulesOut(middle, before, after, confidence: confidence) {
                    outside = middle
                } else {
                    inside = middle
                }
            }
            return outside
        }
        self.low = end(-1)
        self.high = end(1)
    }

    /// Whether tries speak so much against a difference that it lies outside of the interval.
    static func rulesOut(_ difference: Double, _ before: Tries, _ after: Tries, confidence: Double) -> Bool {
        before.logMixture + after.logMixture - Self.highest(before, after, apart: difference) >= -log(1 - confidence)
    }

    private static func rate(_ tries: Tries) -> Double {
        tries.count == 0 ? 0.5 : Double(tries.passed) / Double(tries.count)
    }

    /// The logarithm of the highest likelihood of two rates that differ by so much; it is concave, so where its slope
    /// is zero it is highest.
    private static func highest(_ before: Tries, _ after: Tries, apart difference: Double) -> Double {
        var low = max(0, -difference)
        var high = min(1, 1 - difference)
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if before.slope(middle) + after.slope(middle + difference) > 0 { low = middle } else { high = middle }
        }
        // At either end of what is possible a likelihood may be zero; the two sides of the highest place are as good.
        return max(
            before.logLikelihood(low) + after.logLikelihood(min(1, max(0, low + difference))),
            before.logLikelihood(high) + after.logLikelihood(min(1, max(0, high + difference))))
    }

    private static func logBeta(_ first: Double, _ second: Double) -> Double {
        Self.logGamma(first) + Self.logGamma(second) - Self.logGamma(first + second)
    }

    private static func logGamma(_ value: Double) -> Double {
        var sign: Int32 = 0
        return lgamma_r(value, &sign)
    }
}
