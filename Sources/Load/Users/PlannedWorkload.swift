import Machines

/// A workload with the numbers of its users, their rooms and their shards.
public struct PlannedWorkload: Sendable {
    /// The workload as the shape has it.
    public let workload: Workload

    /// The place of the workload in the shape.
    public let index: Int

    /// The number of its first user in the run.
    public let firstUser: Int

    /// How many users it has in the whole run: its peak, or one for each arrival.
    public let userCount: Int

    let cycle: RoleCycle?
    /// Which of its users a shard has.
    let placement: UserPlacement
    /// The seed of the arrivals.
    let arrivalSeed: UInt64

    init(_ workload: Workload, index: Int, firstUser: Int, seed: UInt64) {
        self.workload = workload
        self.index = index
        self.firstUser = firstUser
        self.cycle = workload.roles.isEmpty ? nil : RoleCycle(workload.roles)
        self.placement = UserPlacement(workload, firstUser: firstUser, seed: seed)
        self.arrivalSeed = RandomSource.seed(seed, for: "arrivals " + workload.name)
        self.userCount =
            ArrivalTimes(workload.executor, seed: self.arrivalSeed)?.count ?? workload.executor.peakUsers ?? 0
    }

    /// Returns in whose turn a start draws a row of data, and which draw of that user it is: two starts never have the
    /// same.
    ///
    /// Iterations that users share go round among them by their numbers, whoever is free to play them.
    func turn(of start: PacingAction.Start) -> (user: Int, draw: Int) {
        switch self.workload.executor {
        case .constantUsers, .rampingUsers, .perUserIterations: (start.user, start.iteration)
        case .sharedIterations(let users, _, _): (self.firstUser + start.iteration % users, start.iteration / users)
        // Each arrival is a user of its own.
        case .arrivals, .recordedArrivals: (start.user, 0)
        }
    }

    /// Returns the room of a member, if there are rooms.
    func room(ofMember member: Int) -> Room? {
        self.workload.rooms.map { Room(name: $0.name, number: $0.number(ofMember: member)) }
    }

    /// Returns the members of the room of a number, in order.
    func members(ofRoom number: Int) -> StrideTo<Int> {
        switch self.workload.rooms?.division {
        case .size(let size):
            let (start, overflow) = number.multipliedReportingOverflow(by: size)
            guard !overflow, start < self.userCount else { return stride(from: 0, to: 0, by: 1) }
            return stride(from: start, to: min(start + size, self.userCount), by: 1)
        case .count(let count) where number < count: return stride(from: number, to: self.userCount, by: count)
        case .count, nil: return stride(from: 0, to: 0, by: 1)
        }
    }

    /// Returns how many members a room has, without going through them.
    func memberCount(ofRoom number: Int) -> Int {
        switch self.workload.rooms?.division {
        case .size(let size):
            let (start, overflow) = number.multipliedReportingOverflow(by: size)
            return overflow ? 0 : min(size, max(self.userCount - start, 0))
        case .count(let count) where number < count:
            return number < self.userCount ? (self.userCount - number - 1) / count + 1 : 0
        case .count, nil: return 0
        }
    }
}
