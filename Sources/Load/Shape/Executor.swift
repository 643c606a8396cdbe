/// The rule by which the users of a workload start.
///
/// In the closed ones a number of users is given, and each repeats its scenario; in the open ones (`arrivals`,
/// `recordedArrivals`) starts are given, and each is a user of its own that plays its scenario once.
public enum Executor: Hashable, Sendable {
    /// A number of users, for a time.
    case constantUsers(users: Int, duration: Duration)
    /// A number of users that follows stages; each user that is one too many ends its iteration within the ramp-down
    /// time.
    case rampingUsers(start: Int, stages: [Stage<Int>], gracefulRampDown: Duration)
    /// Starts at a rate that follows a curve.
    case arrivals(RateCurve, ArrivalDistribution)
    /// A number of users, each with a number of iterations.
    case perUserIterations(users: Int, iterations: Int, within: Duration)
    /// A number of users that share a number of iterations.
    case sharedIterations(users: Int, iterations: Int, within: Duration)
    /// Starts at recorded instants, measured from the start of the workload, in order of time.
    case recordedArrivals([Duration])

    /// How long users are started, from the start of the workload to the instant at which running ones are told to
    /// stop.
    public var length: Duration {
        switch self {
        case .constantUsers(_, let duration): duration
        case .rampingUsers(_, let stages, _): stages.reduce(.zero) { $0 + $1.duration }
        case .arrivals(let curve, _): curve.length
        case .perUserIterations(_, _, let within), .sharedIterations(_, _, let within): within
        // The end is not an instant of the list: the last arrival still belongs to it.
        case .recordedArrivals(let instants): (instants.last ?? .zero) + .nanoseconds(1)
        }
    }

    /// The most users at once, where the executor itself says so; nil where only a limit does.
    public var peakUsers: Int? {
        switch self {
        case .constantUsers(let users, _), .perUserIterations(let users, _, _), .sharedIterations(let users, _, _):
            users
        case .rampingUsers(let start, let stages, _): stages.reduce(start) { max($0, $1.target) }
        case .arrivals, .recordedArrivals: nil
        }
    }
}
