import Machines
import RunRecord

/// A workload with the numbers of its users and the parts of it that shards own.
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
    /// The seed of the coin that decides which rooms stay in one shard.
    private let roomSeed: UInt64
    /// The seed of the arrivals.
    let arrivalSeed: UInt64

    init(_ workload: Workload, index: Int, firstUser: Int, seed: UInt64) {
        self.workload = workload
        self.index = index
        self.firstUser = firstUser
        self.cycle = workload.roles.isEmpty ? nil : RoleCycle(workload.roles)
        self.roomSeed = RandomSource.seed(seed, for: "rooms " + (workload.rooms?.name ?? workload.name))
        self.arrivalSeed = RandomSource.seed(seed, for: "arrivals " + workload.name)
        self.userCount =
            ArrivalTimes(workload.executor, seed: self.arrivalSeed)?.count ?? workload.executor.peakUsers ?? 0
    }

    /// Returns the room of a member, if there are rooms.
    func room(ofMember member: Int) -> Room? {
        self.workload.rooms.map { Room(name: $0.name, number: Self.roomNumber($0, member)) }
    }

    private static func roomNumber(_ plan: RoomPlan, _ member: Int) -> Int {
        switch plan.division {
        case .size(let size): member / size
        case .count(let count): member % count
        }
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

    /// Returns the place, from zero, of the shard that plays a member; a pure function of the seed and the member.
    func place(ofMember member: Int, shards: Int) -> Int {
        guard shards > 1 else { return 0 }
        guard let plan = self.workload.rooms else { return (self.firstUser + member) % shards }
        let room = Self.roomNumber(plan, member)
        switch plan.placement {
        case .room: return room % shards
        case .spread: return (self.firstUser + member) % shards
        case .mixed(let fraction):
            var coin = RandomSource(seed: self.roomSeed &+ UInt64(room))
            return (coin.unit() < fraction ? room : self.firstUser + member) % shards
        }
    }

    /// Returns whether a shard plays a member.
    func isOwned(_ member: Int, by shard: Shard) -> Bool {
        shard.count == 1 || self.place(ofMember: member, shards: shard.count) == shard.place
    }
}
