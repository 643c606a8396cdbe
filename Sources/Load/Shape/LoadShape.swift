/// What a load test asks for: which users start when, and for how long.
///
/// A shape is a pure value. Together with the seed of the run it says everything about the load: two machines that hold
/// the same shape and seed agree on every start, role and room without a word between them.
public struct LoadShape: Hashable, Sendable {
    /// The executors, which run side by side; at least one.
    public var workloads: [Workload]

    /// The most users at once in the whole run; nil if only the workloads limit them.
    public var maxUsers: Int?

    /// The time at the start of the run whose measures are kept apart.
    public var warmUp: Duration

    /// The named spans of the run, in order of time.
    public var phases: [Phase]

    /// The longest duration that a shape may name: 30 days, defined here.
    public static let longestDuration = Duration.seconds(30 * 86_400)

    /// The most users that a workload may have, defined here.
    public static let mostUsers = 10_000_000

    /// The most iterations of a workload, defined here.
    public static let mostIterations = 1_000_000_000

    /// The most starts that a workload may plan, defined here: each shard walks through all of them once.
    public static let mostStarts = 100_000_000

    /// The most users at once of an arrival executor that does not say, defined here.
    ///
    /// A server that no longer answers would otherwise collect users until the generator dies of them.
    public static let defaultMaxUsers = 10_000

    /// Whether users arrive whatever has become of those before, so that some may be kept back.
    public var hasArrivals: Bool { self.workloads.contains { $0.executor.peakUsers == nil } }

    /// How many users the executors of a given number of users have at most.
    var closedUsers: Int { self.workloads.compactMap(\.executor.peakUsers).reduce(0, +) }

    /// When the last user must be gone, measured from the start of the run.
    public var latestEnd: Duration { self.workloads.map(\.latestEnd).max() ?? .zero }

    /// When the last workload stops starting users, measured from the start of the run.
    public var length: Duration {
        self.workloads.map { $0.startAfter + $0.executor.length }.max() ?? .zero
    }
}
