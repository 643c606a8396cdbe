import Machines
import Metrics
public import RunRecord

/// A load shape with a seed and a shard: who the users of the run are, and which of them this process plays.
public struct LoadPlan: Sendable {
    /// What the load test asks for.
    public let shape: LoadShape

    /// The seed of the run.
    public let seed: UInt64

    /// The part of the run that this process plays.
    public let shard: Shard

    /// The workloads, in the order of the shape.
    public let workloads: [PlannedWorkload]

    private let userSeed: UInt64

    /// Creates a plan.
    ///
    /// - Parameters:
    ///   - shape: What the load test asks for.
    ///   - seed: The seed of the run.
    ///   - shard: The part of the run that this process plays.
    /// - Throws: ``ShapeError`` if the shape cannot be dealt to as many shards.
    public init(_ shape: LoadShape, seed: UInt64, shard: Shard = .whole) throws(ShapeError) {
        let problems = ProblemCollector()
        if !shard.isSound {
            problems.add("--shard", "\(shard) is not a shard; write 2/4 for the second of four")
        }
        for workload in shape.workloads
        where workload.executor.peakUsers == nil && workload.maxUsers < shard.count {
            problems.add(
                "workload.workloads.\(workload.name).max_users",
                "is \(workload.maxUsers), fewer than the \(shard.count) shards; write more, or use fewer shards")
        }
        if let limit = shape.maxUsers, limit - shape.closedUsers < shard.count, shape.hasArrivals {
            problems.add(
                "workload.max_users",
                "leaves \(NumberText.counted(limit - shape.closedUsers, "user")) for arrivals, fewer than the "
                    + "\(shard.count) shards; "
                    + "write more, or use fewer shards")
        }
        try problems.check()
        self.shape = shape
        self.seed = seed
        self.shard = shard
        self.userSeed = RandomSource.seed(seed, for: "users")
        var first = 0
        self.workloads = shape.workloads.enumerated().map { index, workload in
            let planned = PlannedWorkload(workload, index: index, firstUser: first, seed: seed)
            first += planned.userCount
            return planned
        }
    }

    /// How many users the whole run has, over all shards.
    public var userCount: Int { self.workloads.last.map { $0.firstUser + $0.userCount } ?? 0 }

    /// How many users the whole run has at once at most, over all shards.
    public var mostUsersAtOnce: Int {
        let users = self.workloads.reduce(0) { $0 + min($1.userCount, $1.workload.maxUsers) }
        return min(users, self.shape.maxUsers ?? users)
    }

    /// Whether there are several shards and rooms whose members need not be in one of them.
    public var hasRoomsAcrossShards: Bool {
        self.shard.count > 1
            && self.workloads.contains { $0.workload.rooms.map { $0.placement != .room } ?? false }
    }

    /// Returns who a user is.
    ///
    /// - Returns: Nil if the run has no user of that number.
    public func user(_ number: Int) -> VirtualUser? {
        guard let planned = self.workload(ofUser: number) else { return nil }
        let member = number - planned.firstUser
        let role = planned.cycle.map { $0.roles[$0.role(ofMember: member)] }
        return VirtualUser(
            number: number, workload: planned.index, member: member, role: role?.name,
            scenario: role?.scenario ?? planned.workload.scenario, room: planned.room(ofMember: member),
            seed: self.userSeed &+ UInt64(number))
    }

    /// Returns whether this process plays a user.
    public func owns(user number: Int) -> Bool {
        guard let planned = self.workload(ofUser: number) else { return false }
        return planned.placement.isOwned(number - planned.firstUser, by: self.shard)
    }

    /// Returns the users of a room, of all workloads that share it and in all shards.
    public func users(inRoom room: Room) -> [Int] {
        guard room.number >= 0 else { return [] }
        return self.workloads.filter { $0.workload.rooms?.name == room.name }
            .flatMap { planned in planned.members(ofRoom: room.number).map { planned.firstUser + $0 } }
    }

    /// Returns how many users a room has, in all workloads that share it and in all shards.
    public func userCount(inRoom room: Room) -> Int {
        guard room.number >= 0 else { return 0 }
        return self.workloads.filter { $0.workload.rooms?.name == room.name }
            .reduce(0) { $0 + $1.memberCount(ofRoom: room.number) }
    }

    /// Returns the workload of a user.
    func workload(ofUser number: Int) -> PlannedWorkload? {
        self.workloads.first { number >= $0.firstUser && number - $0.firstUser < $0.userCount }
    }
}
