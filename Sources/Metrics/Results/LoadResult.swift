/// The results of some or all shards of a load run.
///
/// Each shard's own result is kept, so merging is a union: associative, commutative, and the same result given twice
/// counts once. The figures of the whole run are added up from all shards when they are asked for.
public struct LoadResult: Hashable, Sendable {
    /// What all shards have in common.
    public let identity: RunIdentity
    /// The results by the number of the shard, from 1.
    public private(set) var shards: [Int: ShardResult]

    /// Creates the result of one shard.
    ///
    /// - Parameter index: The number of the shard, from 1 to the number of shards of the run.
    /// - Throws: ``LoadResultError`` if there is no such shard.
    public init(identity: RunIdentity, index: Int, _ result: ShardResult) throws(LoadResultError) {
        try self.init(identity: identity, shards: [index: result])
    }

    /// Creates the result of some shards.
    ///
    /// - Parameter shards: By the number of the shard, from 1 to the number of shards of the run.
    /// - Throws: ``LoadResultError`` if there is no such shard, or if one has other phases than the run.
    public init(identity: RunIdentity, shards: [Int: ShardResult]) throws(LoadResultError) {
        for (index, result) in shards {
            guard (1...identity.shardCount).contains(index) else {
                throw LoadResultError("it says that it is shard \(index) of \(identity.shardCount); is it damaged?")
            }
            guard result.measurements.phases == identity.phases else {
                throw LoadResultError("shard \(index) has other phases than its run; is it damaged?")
            }
        }
        self.identity = identity
        self.shards = shards
    }

    /// The numbers of the shards that are not there.
    public var missingShards: [Int] {
        (1...self.identity.shardCount).filter { self.shards[$0] == nil }
    }

    /// Returns this result with the shards of another one.
    ///
    /// - Throws: ``LoadResultError`` if the two are not of one run, or hold different results of one shard.
    public func merging(_ other: LoadResult) throws(LoadResultError) -> LoadResult {
        guard self.identity.runID == other.identity.runID else {
            throw LoadResultError(
                "one result is of run \(self.identity.runID) and the other of \(other.identity.runID); merge the shards of one "
                    + "run, or compare runs with report --compare")
        }
        guard self.identity.shardCount == other.identity.shardCount else {
            throw LoadResultError(
                "one result is of \(NumberText.counted(self.identity.shardCount, "shard")) and the other of "
                    + "\(other.identity.shardCount); give those of one run")
        }
        guard self.identity.seed == other.identity.seed else {
            throw LoadResultError(
                "the seeds are \(self.identity.seed) and \(other.identity.seed), so the shards did not share their users; start "
                    + "all shards with one --seed")
        }
        // What is of two files has other scripts as well, or another name for the same one.
        guard self.identity.title == other.identity.title else {
            throw LoadResultError(
                "the shards are of \(self.identity.title) and of \(other.identity.title); start all with the same file, by "
                    + "the same name")
        }
        guard self.identity.planHash == other.identity.planHash else {
            throw LoadResultError(
                "the shards played different plans (\(self.identity.planHash) and \(other.identity.planHash)); start all with "
                    + "the same files and options")
        }
        if let difference = self.identity.difference(from: other.identity) {
            throw LoadResultError("\(difference); start all with the same options")
        }
        for (index, result) in other.shards.sorted(by: { $0.key < $1.key }) {
            if let known = self.shards[index], known != result {
                throw LoadResultError(
                    "shard \(index)/\(self.identity.shardCount) is there twice with different results; give each shard once"
                )
            }
        }
        return try LoadResult(identity: self.identity, shards: self.shards.merging(other.shards) { mine, _ in mine })
    }

    /// Returns the figures of the whole run.
    ///
    /// - Parameter allowingMissing: Whether figures of only some shards are wanted; they are not those of the run.
    /// - Throws: ``LoadResultError`` if a shard is missing.
    public func totals(allowingMissing: Bool = false) throws(LoadResultError) -> LoadTotals {
        let missing = self.missingShards
        guard missing.isEmpty || allowingMissing else {
            let names = missing.prefix(10).map(String.init).joined(separator: ", ") + (missing.count > 10 ? ", …" : "")
            throw LoadResultError(
                "of \(NumberText.counted(self.identity.shardCount, "shard")) "
                    + "\(NumberText.grouped(Int64(missing.count))) \(missing.count == 1 ? "is" : "are") missing (\(names)); "
                    + "give the results of all")
        }
        return try LoadTotals(self)
    }
}
