import Machines
public import Scenario

/// Something that strikes many users of a run at once, whatever their scripts do.
///
/// Everybody's connection is cut, a third of the users has a slow network for a while, connections go half-open, one in
/// twenty is dropped each second, or all who think send at the same instant.
public struct Storm: Sendable {
    /// What the reports call it.
    public let name: String

    /// When it strikes, or strikes first, measured from the start of the run.
    public let start: Duration

    /// How long the conditions last, or the strikes are repeated; zero for a single strike.
    public let length: Duration

    /// The time from one strike to the next; nil if it strikes once.
    public let period: Duration?

    /// The share of the users that a strike hits, from 0 to 1.
    public let share: Double

    /// What the network of those is like from the strike on; nil if it is left alone.
    public let conditions: NetworkConditions?

    /// Whether those who think stop thinking.
    public let endsThinking: Bool

    /// When it is over, measured from the start of the run.
    public var end: Duration { self.start + self.length }

    /// What all parts of a run must agree on.
    var fingerprint: String {
        "\(self.name) \(self.start) \(self.length) \(self.period.map { "\($0)" } ?? "") \(self.share) "
            + "\(self.conditions?.description ?? "") \(self.endsThinking)"
    }

    /// Whether the network stays as the strike leaves it until the storm is over.
    var lasts: Bool { self.conditions != nil && self.period == nil && self.length > .zero }

    /// Creates a storm.
    public init(
        name: String, start: Duration, length: Duration = .zero, period: Duration? = nil, share: Double = 1,
        conditions: NetworkConditions? = nil, endsThinking: Bool = false
    ) {
        self.name = name
        self.start = start
        self.length = length
        self.period = period
        self.share = share
        self.conditions = conditions
        self.endsThinking = endsThinking
    }

    /// Returns when a strike comes, measured from the start of the run; nil if there is no such strike.
    ///
    /// - Parameter number: Which strike, counted from 0.
    func time(ofStrike number: Int) -> Duration? {
        guard number > 0 else { return self.start }
        guard let period = self.period else { return nil }
        let time = self.start + period * number
        return time < self.end ? time : nil
    }

    /// Whether a strike hits a user: a matter of the user's seed alone, so that all cores and machines agree.
    ///
    /// - Parameters:
    ///   - seed: The user's.
    ///   - number: Which strike, counted from 0; each chooses anew.
    func hits(userWith seed: UInt64, strike number: Int) -> Bool {
        guard self.share < 1 else { return true }
        var random = RandomSource(seed: seed).derived(for: "storm \(self.name) \(number)")
        return random.unit() < self.share
    }
}
