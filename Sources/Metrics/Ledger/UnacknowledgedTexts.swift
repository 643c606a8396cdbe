/// Whose texts were not acknowledged although that is declared: a sample of users, for one can be looked into where a
/// number cannot.
struct UnacknowledgedTexts: Hashable, Sendable {
    /// So many users are kept, whatever the size of the run; defined here.
    static let limit = 16

    /// How many texts of each of them, by the number of the user.
    private(set) var counts: [UInt32: Int64] = [:]

    /// Creates a sample of nobody.
    init() {}

    /// Creates the sample that a file holds, of which those with the most texts are kept.
    init(_ counts: [UInt32: Int64]) {
        self.counts = counts.filter { $0.value > 0 }
        self.bound()
    }

    /// Takes down texts of a user. Once there are ``limit`` users, further ones are left out.
    mutating func add(_ count: Int64, of user: UInt32) {
        guard count > 0, self.counts[user] != nil || self.counts.count < Self.limit else { return }
        self.counts[user] = (self.counts[user] ?? 0).saturatingAdd(count)
    }

    /// Adds the sample of another worker or shard; of both those with the most texts are kept.
    mutating func merge(_ other: UnacknowledgedTexts) {
        self.counts.merge(other.counts) { $0.saturatingAdd($1) }
        self.bound()
    }

    private mutating func bound() {
        guard self.counts.count > Self.limit else { return }
        self.counts = Dictionary(uniqueKeysWithValues: self.worst.prefix(Self.limit).map { ($0.user, $0.count) })
    }

    /// The users, those with the most texts first.
    var worst: [(user: UInt32, count: Int64)] {
        self.counts.map { (user: $0.key, count: $0.value) }.sorted { ($1.count, $0.user) < ($0.count, $1.user) }
    }
}
