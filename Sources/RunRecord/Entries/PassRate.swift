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

    /// How many tries have passed or failed, and how many of them passed.
    public var rate: TryRate

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
        _ rate: TryRate, atLeast: Double, confidence: Double, verdict: Verdict? = nil, lastFailed: FailedTry? = nil,
        checks: [CheckRate] = [], baseline: BaselineRate? = nil
    ) {
        self.atLeast = atLeast
        self.confidence = confidence
        self.rate = rate
        self.verdict = verdict
        self.lastFailed = lastFailed
        self.checks = checks
        self.baseline = baseline
    }

    /// What people read: `57 of 60 tries, 95 %, 95 % interval 86.3 to 98.3 %`.
    public var text: String { self.rate.text(confidence: self.confidence) }
}
