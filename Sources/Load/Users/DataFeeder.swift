import Machines

/// Deals the rows of a table of data to users, each draw as a pure function of who draws.
///
/// Draw number d of user u is draw d × users + u of the run, so no two users, draws or shards share one.
public struct DataFeeder: Hashable, Sendable {
    /// The order in which rows are dealt.
    public enum Order: String, CaseIterable, Hashable, Sendable {
        /// Each row once, in order; then there are no more.
        case unique
        /// Each user has a row of its own, the same in all of its iterations.
        case perUser = "per_user"
        /// In order, again and again.
        case circular
        /// Any row at any time.
        case random
        /// Each row once in a seeded order, then each once in another one.
        case shuffle
    }

    /// The order in which rows are dealt.
    public let order: Order

    /// How many rows there are.
    public let rows: Int

    private let users: Int
    private let seed: UInt64

    /// Creates a feeder.
    ///
    /// - Parameters:
    ///   - order: The order in which rows are dealt.
    ///   - rows: How many rows there are; without any, nobody gets one.
    ///   - users: How many users the run has.
    ///   - seed: The seed of the run.
    ///   - name: The name of the table, so that two tables are shuffled differently.
    public init(_ order: Order, rows: Int, users: Int, seed: UInt64, name: String) {
        self.order = order
        self.rows = rows
        self.users = max(users, 1)
        self.seed = RandomSource.seed(seed, for: "rows " + name)
    }

    /// Returns the place of the row that a user draws.
    ///
    /// - Parameters:
    ///   - user: The number of the user in the run.
    ///   - other: The number of the user in whose turn it draws, where whoever is free takes the next turn; its own
    ///     unless given. A row that each user has of its own it has in any turn.
    ///   - draw: Which draw of that user it is, counted from zero.
    /// - Returns: Nil if the rows are used up, or the user or the draw is none of this run.
    public func row(user: Int, inTurnOf other: Int? = nil, draw: Int = 0) -> Int? {
        let drawer = other ?? user
        let users = 0..<self.users
        guard self.rows > 0, users ~= user, users ~= drawer, draw >= 0 else { return nil }
        let (base, overflow) = draw.multipliedReportingOverflow(by: self.users)
        guard !overflow, base <= .max - drawer else { return nil }
        let place = base + drawer
        switch self.order {
        case .unique: return place < self.rows ? place : nil
        case .perUser: return user < self.rows ? user : nil
        case .circular: return place % self.rows
        case .random:
            var random = RandomSource(seed: self.seed &+ UInt64(place))
            return random.below(self.rows)
        case .shuffle:
            let round = UInt64(place / self.rows)
            return Permutation(count: self.rows, seed: self.seed &+ round)[place % self.rows]
        }
    }
}
