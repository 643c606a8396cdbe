/// What became of the starts that a shape planned: each of them is somewhere in here.
public struct PacingAccount: Hashable, Sendable {
    /// Why a planned start was not made.
    public enum DropReason: String, CaseIterable, Hashable, Sendable, Comparable {
        /// As many users as the workload may have were there.
        case workloadFull = "max_users of the workload reached"
        /// As many users as the run may have were there.
        case runFull = "max_users of the run reached"
        /// The time of the workload was over before its turn came.
        case timeUp = "time was up"
        /// The run was stopped before its turn came.
        case stopped = "the run was stopped"

        public static func < (left: DropReason, right: DropReason) -> Bool { left.rawValue < right.rawValue }
    }

    /// Starts that the shape asks for: all arrivals and counted iterations from the beginning, the iterations of users
    /// that repeat until time is up as they become due.
    public var planned = 0

    /// Starts that were made.
    public var started = 0

    /// Of the starts made, those that were more than ``lateAfter`` behind their instant.
    public var late = 0

    /// Planned starts that were not made, by reason.
    public var dropped: [DropReason: Int] = [:]

    /// Starts whose user played to the end.
    public var finished = 0

    /// Starts whose user was ended at once because its time to finish was over.
    public var unfinished = 0

    /// Users who were ended at once and have not played to the end even once.
    public var neverEnded = 0

    /// Users who were ended at once and have played to the end before, but were stuck: their iteration had lasted
    /// more than twice as long as the longest that had ended, and longer than users have to finish.
    public var stuck = 0

    /// From when on a start counts as late: one millisecond, the lateness that a generator must keep to, defined here.
    public static let lateAfter = Duration.milliseconds(1)

    /// Creates an account without entries.
    public init() {}

    /// Planned starts that were not made, for whatever reason.
    public var droppedInAll: Int { self.dropped.values.reduce(0, +) }

    /// Starts that could not be made although their time came: there were no users left for them.
    var unmet: Int { (self.dropped[.workloadFull] ?? 0) + (self.dropped[.runFull] ?? 0) }

    /// Planned starts that are still to come.
    public var pending: Int { self.planned - self.started - self.droppedInAll }

    /// Users that are playing.
    public var running: Int { self.started - self.finished - self.unfinished }

    /// Adds another account, of another workload or shard.
    public static func += (account: inout PacingAccount, other: PacingAccount) {
        account.planned += other.planned
        account.started += other.started
        account.late += other.late
        account.finished += other.finished
        account.unfinished += other.unfinished
        account.neverEnded += other.neverEnded
        account.stuck += other.stuck
        account.dropped.merge(other.dropped, uniquingKeysWith: +)
    }

    /// Books a start.
    mutating func start(behind: Duration) {
        self.started += 1
        if behind > Self.lateAfter { self.late += 1 }
    }

    /// Books starts that are not made.
    mutating func drop(_ reason: DropReason, _ count: Int = 1) {
        guard count > 0 else { return }
        self.dropped[reason, default: 0] += count
    }
}
