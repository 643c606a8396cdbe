import Machines
import RunRecord

extension LoadPlan {
    /// A digest of what shards of a run must agree on to share out its users: the shape, the seed and the number of
    /// shards.
    ///
    /// It stands on the description that Swift gives of values, so only equal builds agree.
    public var digest: UInt64 {
        var seed = self.seed &+ UInt64(self.shard.count)
        var shape = self.shape
        for index in shape.workloads.indices {
            guard case .recordedArrivals(let instants) = shape.workloads[index].executor else { continue }
            // Millions of recorded instants are not made into one text.
            seed = instants.reduce(seed) { hash, instant in
                withUnsafeBytes(of: instant.clampedNanoseconds) { FNV1a.hash64($0, from: hash) }
            }
            shape.workloads[index].executor = .recordedArrivals([])
        }
        return RandomSource.seed(seed, for: String(describing: shape))
    }
}
