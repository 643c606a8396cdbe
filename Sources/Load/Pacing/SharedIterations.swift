/// The part of shared iterations that falls to a shard: iteration number j belongs to user j mod users, so a shard
/// without users has none and the parts of all shards are all of them.
struct SharedIterations: Sendable {
    private let users: Int
    private let members: [Int]

    /// How many iterations the shard plays.
    let count: Int

    /// How many of them were taken.
    private(set) var taken = 0

    init(total: Int, users: Int, members: [Int]) {
        self.users = users
        self.members = members
        self.count = total / users * members.count + members.prefix { $0 < total % users }.count
    }

    /// The number of the next iteration in the whole run.
    mutating func take() -> Int {
        defer { self.taken += 1 }
        return self.taken / self.members.count * self.users + self.members[self.taken % self.members.count]
    }
}
