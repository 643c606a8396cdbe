/// How many tries of a scenario have passed that is played until the rate of those is known.
public struct PassRate: Hashable, Sendable {
    /// What the tries decide.
    public enum Verdict: String, Hashable, Sendable, CaseIterable {
        /// Enough pass.
        case pass
        /// Too few pass.
        case fail
        /// There may be no more tries, and those there were decide nothing.
        case inconclusive
    }

    /// A try that did not pass.
    public struct FailedTry: Hashable, Sendable {
        /// Which one, counted from one; its ``ScenarioStart/attempt``.
        public var number: Int

        /// Why it did not, in one line.
        public var message: String

        /// Names a try.
        public init(number: Int, message: String) {
            self.number = number
            self.message = message
        }
    }

    /// The rate that the scenario asks for, between 0 and 1.
    public var atLeast: Double

    /// One minus the probability of a wrong verdict, and how often an interval such as this holds the true rate.
    public var confidence: Double

    /// How many tries have passed or failed.
    public var tries: Int

    /// How many of them passed.
    public var passed: Int

    /// The lower end of the interval in which the true rate lies, from 0 to 1.
    public var low: Double

    /// The upper end of it.
    public var high: Double

    /// What they decide, or have decided before the last of them; nil if they have not yet, or one of them broke.
    public var verdict: Verdict?

    /// The latest try that did not pass.
    public var lastFailed: FailedTry?

    /// The soft checks of the scenario that its tries came to, each with a rate of its own; they decide nothing more.
    public var checks: [CheckRate]

    /// The rate that was stored, if there is one and the tries have come to an end.
    public var baseline: BaselineRate?

    /// Creates a rate.
    public init(
        atLeast: Double, confidence: Double, tries: Int, passed: Int, low: Double, high: Double,
        verdict: Verdict? = nil, lastFailed: FailedTry? = nil, checks: [CheckRate] = [],
        baseline: BaselineRate? = nil
    ) {
        self.atLeast = atLeast
        self.confidence = confidence
        self.tries = tries
        self.passed = passed
        self.low = low
        self.high = high
        self.verdict = verdict
        self.lastFailed = lastFailed
        self.checks = checks
        self.baseline = baseline
    }

    /// The part of the tries that passed, from 0 to 1.
    public var rate: Double { self.tries == 0 ? 0 : Double(self.passed) / Double(self.tries) }

    /// What people read: `57 of 60 tries, 95 %, 95 % interval 86.3 to 98.3 %`.
    public var text: String {
        Self.figures(
            passed: self.passed, tries: self.tries, low: self.low, high: self.high, confidence: self.confidence)
    }

    /// The figures of a rate, for people.
    ///
    /// - Parameters:
    ///   - passed: In how many tries it was as wanted.
    ///   - tries: Of how many.
    ///   - low: The lower end of the interval, from 0 to 1.
    ///   - high: The upper end of it.
    ///   - confidence: How often such an interval holds the true rate.
    static func figures(passed: Int, tries: Int, low: Double, high: Double, confidence: Double) -> String {
        let rate = tries == 0 ? 0 : Double(passed) / Double(tries)
        return "\(passed) of \(tries) tries, \(Self.percent(rate)) %, \(Self.percent(confidence)) % interval "
            + "\(Self.percent(low)) to \(Self.percent(high)) %"
    }

    /// A rate in percent, with at most one digit after the point; 100 and 0 only where it is all and none.
    public static func percent(_ rate: Double) -> String {
        // Rates are read from files, too, which may hold anything.
        let rate = min(1, max(0, rate.isNaN ? 0 : rate))
        let rounded = Int((rate * 1000).rounded())
        let tenths = rate == 0 || rate == 1 ? rounded : min(999, max(1, rounded))
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}
