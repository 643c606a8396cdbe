public import RunRecord

extension Shard {
    /// Returns the part of this shard that one core of its machine plays.
    ///
    /// Users are dealt out one by one, so the parts of all cores are a shard's users, arrivals and rooms exactly: of
    /// `n` shards on `c` cores each, core `k` of shard `i` is shard `i + (k - 1) × n` of `n × c`.
    ///
    /// - Parameters:
    ///   - core: The number of the core, from 1.
    ///   - cores: How many cores each shard of the run is played on.
    public func part(ofCore core: Int, of cores: Int) -> Shard {
        Shard(index: self.index + (core - 1) * self.count, count: self.count * cores)
    }
}
