import RunRecord

/// How many users of a workload a shard has to expect at once, and when.
struct ExpectedLoad: Hashable, Sendable {
    /// The most users at once.
    let users: Int
    /// From when until when there may be users, measured from the start of the run.
    let start: Duration
    let end: Duration
    /// How many other users get a message of one.
    let receivers: Double

    init(_ planned: PlannedWorkload, shard: Shard, stay: Duration?) {
        let workload = planned.workload
        let whole: Int
        if let peak = workload.executor.peakUsers {
            self.users = (0..<peak).reduce(0) { $0 + (planned.placement.isOwned($1, by: shard) ? 1 : 0) }
            whole = peak
        } else {
            var limit = workload.maxUsers
            if let stay, case .arrivals(let curve, let distribution) = workload.executor {
                // As many are there on average as come while one stays (Little's law); chance adds to that.
                let mean = curve.peak.perSecond * stay.seconds
                let peak = mean + (distribution == .poisson ? 4 * mean.squareRoot() : 0) + 1
                limit = min(limit, Int(min(peak.rounded(.up), 1e9)))
            }
            whole = min(limit, planned.userCount)
            self.users = shard.share(of: whole)
        }
        self.start = workload.startAfter
        self.end = workload.latestEnd
        switch workload.rooms?.division {
        case .size(let size): self.receivers = Double(min(size, max(whole, 1)) - 1)
        case .count(let count): self.receivers = max(Double(whole) / Double(count) - 1, 0)
        case nil: self.receivers = 1
        }
    }

    /// The most users of all workloads at once; workloads that do not overlap do not add up.
    static func peak(_ loads: [ExpectedLoad]) -> Int {
        loads.map { load in
            loads.filter { $0.start <= load.start && $0.end > load.start }.reduce(0) { $0 + $1.users }
        }.max() ?? 0
    }
}
