import RunRecord

/// How many users of a workload a shard has to expect at once, and when.
struct ExpectedLoad: Hashable, Sendable {
    /// The most users at once.
    let users: Int
    /// From when until when there may be users, measured from the start of the run.
    let start: Duration
    let end: Duration
    /// How many messages the users send in a second.
    let messagesSent: Double
    /// How many messages arrive at users in a second.
    let messagesDelivered: Double

    init(_ planned: PlannedWorkload, shard: Shard, profile: UserProfile) {
        let workload = planned.workload
        let whole: Int
        if let peak = workload.executor.peakUsers {
            self.users = (0..<peak).count { planned.placement.isOwned($0, by: shard) }
            whole = peak
        } else {
            var limit = workload.maxUsers
            if let stay = profile.stay, case .arrivals(let curve, let distribution) = workload.executor {
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
        self.messagesSent = Self.messages(of: workload, users: self.users, shard: shard, profile: profile)
        // Each message goes to all others in the room; where there are no rooms, to one.
        let receivers: Double =
            switch workload.rooms?.division {
            case .size(let size): Double(min(size, max(whole, 1)) - 1)
            case .count(let count): max(Double(whole) / Double(count) - 1, 0)
            case nil: 1
            }
        self.messagesDelivered = self.messagesSent * receivers
    }

    /// How many messages are sent in a second.
    ///
    /// Of arrivals it is their rate that decides. The most users who may be there at once stand well above the mean, so
    /// what one sends in a second, times their number, is far too much.
    private static func messages(of workload: Workload, users: Int, shard: Shard, profile: UserProfile) -> Double {
        guard case .arrivals(let curve, _) = workload.executor, let messages = profile.messagesPerIteration else {
            return Double(users) * max(profile.messagesPerSecond, 0)
        }
        var rate = curve.peak.perSecond
        if let stay = profile.stay, stay > .zero { rate = min(rate, Double(workload.maxUsers) / stay.seconds) }
        return rate / Double(shard.count) * max(messages, 0)
    }

    /// The most of something of all workloads at once; workloads that do not overlap do not add up.
    static func peak<Amount: AdditiveArithmetic & Comparable>(
        _ amount: (ExpectedLoad) -> Amount, of loads: [ExpectedLoad]
    ) -> Amount {
        loads.map { load in
            loads.filter { $0.start <= load.start && $0.end > load.start }.reduce(Amount.zero) { $0 + amount($1) }
        }.max() ?? .zero
    }
}
