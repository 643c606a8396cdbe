#if canImport(Glibc)
    private import Glibc
#elseif canImport(Musl)
    private import Musl
#elseif canImport(Darwin)
    private import Darwin
#endif

/// Decides, try by try, whether something passes often enough, with stated risks of being wrong.
///
/// It is the sequential probability ratio test of Abraham Wald ("Sequential Tests of Statistical Hypotheses", The
/// Annals of Mathematical Statistics 16, 1945) of two pass rates: a good one, and a bad one below it. Its thresholds
/// are `1/α` and `β` instead of Wald's `(1-β)/α` and `β/(1-α)`: by the inequality of Jean Ville (1939) the likelihood
/// ratio ever exceeds `1/α` with a probability of at most α, so the stated risks are bounds and no approximations,
/// however often one looks. Ending at a limit without a decision makes neither risk larger.
public struct SequentialTest: Hashable, Sendable {
    /// What the tries so far show.
    public enum Decision: Hashable, Sendable {
        /// The rate is good: said of a rate that is bad, or worse, with a probability of at most ``errorRate``.
        case pass
        /// The rate is bad: said of a rate that is good, or better, with a probability of at most ``errorRate``.
        case fail
    }

    /// The pass rate that is good enough, between 0 and 1.
    public let goodRate: Double

    /// The pass rate that is too low, between 0 and ``goodRate``; of rates between the two either may be said.
    public let badRate: Double

    /// The probability, at most, of either wrong decision: α and β.
    public let errorRate: Double

    /// Creates a test.
    ///
    /// - Precondition: `0 < badRate < goodRate < 1` and `0 < errorRate < 0.5`.
    public init(goodRate: Double, badRate: Double, errorRate: Double) {
        precondition(0 < badRate && badRate < goodRate && goodRate < 1, "the rates are between 0 and 1, in order")
        precondition(0 < errorRate && errorRate < 0.5, "an error rate of a half is a coin")
        self.goodRate = goodRate
        self.badRate = badRate
        self.errorRate = errorRate
    }

    /// What a try that passed adds to the logarithm of the likelihood ratio.
    private var passWeight: Double { log(self.goodRate / self.badRate) }

    /// What a try that did not pass takes from it.
    private var failWeight: Double { log((1 - self.badRate) / (1 - self.goodRate)) }

    /// How far from zero the logarithm must be for a decision.
    private var threshold: Double { -log(self.errorRate) }

    /// Returns what the tries so far decide, or nil if another one is needed.
    public func decision(passed: Int, of tries: Int) -> Decision? {
        let evidence = Double(passed) * self.passWeight - Double(tries - passed) * self.failWeight
        if evidence >= self.threshold { return .pass }
        return evidence <= -self.threshold ? .fail : nil
    }

    /// Fewer tries than this never decide that the rate is good, even if all pass.
    public var leastTriesToPass: Int { Int((self.threshold / self.passWeight).rounded(.up)) }

    /// About as many tries a test of fixed size with the same risks needs: the usual approximation of two binomial
    /// distributions by normal ones.
    public var fixedSize: Int {
        let quantile = NormalDistribution.quantile(1 - self.errorRate)
        let spread =
            (self.badRate * (1 - self.badRate)).squareRoot() + (self.goodRate * (1 - self.goodRate)).squareRoot()
        let root = quantile * spread / (self.goodRate - self.badRate)
        return Int((root * root).rounded(.up))
    }
}
