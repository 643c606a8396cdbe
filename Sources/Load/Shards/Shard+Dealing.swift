public import RunRecord

extension Shard {
    /// The whole run in one process.
    public static let whole = Shard(index: 1, count: 1)

    /// The place of the shard, counted from zero.
    var place: Int { self.index - 1 }

    /// Returns how many of a number of things are this shard's when they are dealt out one by one.
    ///
    /// The counts of all shards add up to the number, and a greater number gives no shard fewer things.
    public func share(of number: Int) -> Int {
        guard number > self.place else { return 0 }
        return (number - self.place - 1) / self.count + 1
    }
}
