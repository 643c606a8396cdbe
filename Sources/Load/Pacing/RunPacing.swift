public import Machines
internal import RunRecord

/// The pacing of all workloads of a run that this process plays.
///
/// It is asked with the time and answers with one action after another; it reads no clock and starts nothing itself.
/// Asked late it makes up for what it missed at once, each start with the instant at which it was due.
public struct RunPacing: Sendable {
    private enum Place: Sendable {
        case users(Int)
        case arrivals(Int)
    }

    private let plan: LoadPlan
    private var users: [UserPacing] = []
    private var arrivals: [ArrivalPacing] = []
    /// Where the pacing of each workload stands.
    private let places: [Place]
    /// How many users of arrivals the run may have in this shard; what closed workloads need is set aside.
    private let arrivalLimit: Int?

    /// Creates the pacing of a plan's own shard.
    public init(_ plan: LoadPlan) {
        self.plan = plan
        var places: [Place] = []
        for planned in plan.workloads {
            if let pacing = UserPacing(planned, shard: plan.shard) {
                places.append(.users(self.users.count))
                self.users.append(pacing)
            } else if let pacing = ArrivalPacing(planned, shard: plan.shard) {
                places.append(.arrivals(self.arrivals.count))
                self.arrivals.append(pacing)
            }
        }
        self.places = places
        self.arrivalLimit = plan.shape.maxUsers.map { plan.shard.share(of: max($0 - plan.shape.closedUsers, 0)) }
    }

    /// Whether nothing is left to do.
    public var isFinished: Bool {
        self.users.allSatisfy(\.isFinished) && self.arrivals.allSatisfy(\.isFinished)
    }

    /// When to be asked again, unless a user ends before; nil if nothing is left to do.
    ///
    /// An instant that has passed asks for the next action at once.
    public var wake: Instant? {
        (self.users.compactMap(\.wake) + self.arrivals.compactMap(\.wake)).min()
    }

    /// How many users play.
    public var activeUsers: Int {
        self.users.reduce(0) { $0 + $1.activeUsers } + self.activeArrivals
    }

    private var activeArrivals: Int { self.arrivals.reduce(0) { $0 + $1.activeUsers } }

    /// What became of the starts so far, by workload in the order of the shape.
    public var accounts: [PacingAccount] {
        self.places.map { place in
            switch place {
            case .users(let index): self.users[index].account
            case .arrivals(let index): self.arrivals[index].account
            }
        }
    }

    /// What became of the starts of all workloads so far.
    public var account: PacingAccount {
        self.accounts.reduce(into: PacingAccount()) { $0 += $1 }
    }

    /// Returns the next thing to be done, nil if there is nothing now; ask until it is nil, then wait for ``wake``.
    ///
    /// - Parameter now: The instant of asking.
    public mutating func next(at now: Instant) -> PacingAction? {
        for index in self.users.indices {
            if let action = self.users[index].next(at: now) { return action }
        }
        for index in self.arrivals.indices {
            let spare = self.arrivalLimit.map { $0 - self.activeArrivals } ?? .max
            if let action = self.arrivals[index].next(at: now, spare: spare) { return action }
        }
        return nil
    }

    /// Takes note that a user has played to the end; a user that does not play is ignored.
    ///
    /// - Parameters:
    ///   - user: The number of the user in the run.
    ///   - now: The instant of its end, which is when its next start is due if it repeats.
    ///   - scriptEnd: When its script ended; at its own end unless given.
    ///   - yield: What its iteration came to; a user of a closed executor whose iterations break, or come to nothing at
    ///     once, waits a little before it plays again.
    public mutating func ended(
        user: Int, at now: Instant, scriptEnd: Instant? = nil, yield: IterationYield = .something
    ) {
        guard let index = self.plan.workload(ofUser: user)?.index, self.places.indices.contains(index) else { return }
        switch self.places[index] {
        case .users(let index): self.users[index].ended(user: user, at: now, scriptEnd: scriptEnd ?? now, yield: yield)
        case .arrivals(let index): self.arrivals[index].ended(user: user)
        }
    }

    /// Ends the run early: nobody starts any more, and users are told to stop.
    ///
    /// - Parameters:
    ///   - now: The instant from which nobody starts.
    ///   - within: How long users may take to finish, at most as long as the shape allows; zero aborts them.
    public mutating func stop(at now: Instant, within: Duration? = nil) {
        for index in self.users.indices { self.users[index].stop(at: now, within: within) }
        for index in self.arrivals.indices { self.arrivals[index].stop(at: now, within: within) }
    }
}
