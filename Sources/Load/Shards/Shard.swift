/// One part of a run that several processes share.
public struct Shard: Sendable, Hashable {
    /// Which part this is, from 0.
    public let index: Int
    /// How many parts the run has, at least 1.
    public let count: Int

    /// The whole run in one process.
    public static let whole = Self(index: 0, count: 1)

    private init(index: Int, count: Int) {
        self.index = index
        self.count = count
    }
}
