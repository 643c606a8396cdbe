public import Metrics

/// How a run stands, for whoever watches it.
public struct LoadProgress: Sendable {
    /// The time since the start of the run, in microseconds.
    public let atMicroseconds: Int64
    /// How many users play.
    public let users: Int
    /// What became of the planned starts.
    public let starts: PacingAccount
    /// A snapshot of all figures.
    public let measurements: Measurements
    /// What became of the messages so far.
    public let deliveries: DeliveryAccount
    /// How the generator runs so far.
    public let health: HealthVerdict
    /// How many iterations did not pass.
    public let failureCount: Int
    /// Why they did not, those that came most often first.
    public let causes: [FailureCause]
    /// How many iterations there were, if each was a mistake of the script, of every user who plays; nil otherwise.
    let mistakeCount: Int?
    /// Whether those are enough to say that the run can come to nothing.
    public var isHopeless: Bool { MistakeWatch.isCertain(by: self.mistakeCount) }

    /// Creates the state of a run.
    public init(
        atMicroseconds: Int64, users: Int, starts: PacingAccount, measurements: Measurements,
        deliveries: DeliveryAccount, health: HealthVerdict, failureCount: Int, causes: [FailureCause] = [],
        mistakeCount: Int? = nil
    ) {
        self.atMicroseconds = atMicroseconds
        self.users = users
        self.starts = starts
        self.measurements = measurements
        self.deliveries = deliveries
        self.health = health
        self.failureCount = failureCount
        self.causes = causes
        self.mistakeCount = mistakeCount
    }
}
