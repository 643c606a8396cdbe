/// How the users of a workload are dealt to rooms, and rooms to shards.
public struct RoomPlan: Hashable, Sendable {
    /// What is given: how large rooms are, or how many there are.
    public enum Division: Hashable, Sendable {
        /// Rooms of a size that are filled one after another.
        case size(Int)
        /// A number of rooms that are filled evenly.
        case count(Int)
    }

    /// Where the members of a room are when several shards run.
    public enum Placement: Hashable, Sendable {
        /// In one shard, so that latencies between them need no second clock.
        case room
        /// Dealt to all shards, so that messages cross machines.
        case spread
        /// Some rooms in one shard, the others dealt to all; the fraction in one shard, from 0 to 1.
        case mixed(Double)
    }

    /// The name that the rooms have in common; workloads that give the same name share their rooms.
    public var name: String

    /// How users are dealt to rooms.
    public var division: Division

    /// How rooms are dealt to shards.
    public var placement: Placement

    /// Creates a plan.
    ///
    /// - Parameters:
    ///   - name: The name that the rooms have in common.
    ///   - division: How users are dealt to rooms.
    ///   - placement: How rooms are dealt to shards.
    public init(name: String, division: Division, placement: Placement) {
        self.name = name
        self.division = division
        self.placement = placement
    }

    /// Returns the number, from zero, of the room of a member of the workload.
    func number(ofMember member: Int) -> Int {
        switch self.division {
        case .size(let size): member / size
        case .count(let count): member % count
        }
    }
}
