import Machines
import RunRecord

/// Which users of a workload a shard has, and with them which rooms.
///
/// A pure function of the seed and the user, so that shards share a run out without asking each other. Places of shards
/// are counted from zero:
///
/// | rooms | the place of a member's shard |
/// |---|---|
/// | none, or placed `spread` | the user's number in the run, modulo the shards |
/// | placed `room` | the room's number, modulo the shards |
/// | placed `mixed` | as either of them says; a coin of the room decides for all its members |
struct UserPlacement: Sendable {
    private let firstUser: Int
    private let rooms: RoomPlan?
    /// The seed of the coin that decides which rooms stay in one shard.
    private let roomSeed: UInt64

    /// Places the users of a workload.
    ///
    /// - Parameters:
    ///   - workload: The workload.
    ///   - firstUser: The number of its first user in the run.
    ///   - seed: The seed of the run.
    init(_ workload: Workload, firstUser: Int, seed: UInt64) {
        self.firstUser = firstUser
        self.rooms = workload.rooms
        self.roomSeed = RandomSource.seed(seed, for: "rooms " + (workload.rooms?.name ?? workload.name))
    }

    /// Returns the place, from zero, of the shard that plays a member.
    func place(ofMember member: Int, shards: Int) -> Int {
        guard shards > 1 else { return 0 }
        guard let rooms = self.rooms else { return (self.firstUser + member) % shards }
        let room = rooms.number(ofMember: member)
        switch rooms.placement {
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
