import RunRecord
import Statistics

/// How many tries of a scenario passed when that was stored, to compare with.
public struct RateBaseline: Hashable, Sendable {
    /// How many passed.
    public let passed: Int

    /// How many there were.
    public let tries: Int

    /// What was under test then, as the script said it.
    public let fingerprint: String?

    /// Creates a baseline.
    ///
    /// - Precondition: No more passed than there were.
    public init(passed: Int, of tries: Int, fingerprint: String? = nil) {
        precondition(0 <= passed && passed <= tries && tries > 0, "of \(tries) tries \(passed) cannot pass")
        self.passed = passed
        self.tries = tries
        self.fingerprint = fingerprint
    }

    /// Returns the baseline beside the rate of a scenario.
    func compared(with rate: PassRate) -> BaselineRate {
        let interval = RateInterval(passed: self.passed, of: self.tries, confidence: rate.confidence)
        let difference = RateDifference(
            from: .init(passed: self.passed, of: self.tries), to: .init(passed: rate.rate.passed, of: rate.rate.tries),
            confidence: rate.confidence)
        return BaselineRate(
            TryRate(tries: self.tries, passed: self.passed, low: interval.low, high: interval.high),
            differenceLow: difference.low, differenceHigh: difference.high)
    }

    /// Refuses to compare with something else than was stored.
    ///
    /// - Parameters:
    ///   - stated: What is under test now, as the script says it.
    ///   - definition: The scenario.
    func requireSame(_ stated: String?, in definition: ScenarioDefinition) throws(ScenarioFailure) {
        guard stated != self.fingerprint else { return }
        let now = stated.map { "the script names \"\($0)\"" } ?? "the script names nothing"
        throw ScenarioFailure(
            category: .error, kind: .fingerprint,
            message: self.fingerprint.map { "what is under test has changed: the baseline is of \"\($0)\", and \(now)" }
                ?? "what is under test may have changed: the baseline does not say what it is of, and \(now)",
            position: definition.position,
            sections: [
                .init(
                    heading: "remedy",
                    lines: ["put back what was under test, or store the rate of this: repartee test --update-baseline"])
            ])
    }
}
