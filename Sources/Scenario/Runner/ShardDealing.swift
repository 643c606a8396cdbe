import HeapModule

/// Which scenarios each of several shards plays, so that all take about as long.
///
/// The longest are dealt first, each to the shard that has least to do so far (Ronald Graham's rule of the longest
/// processing time first, 1969); so the same times give the same parts on every machine, and each scenario is in
/// exactly one of them.
struct ShardDealing {
    /// How much a shard has to play so far.
    private struct Load: Comparable {
        var microseconds: Int
        let shard: Int

        static func < (left: Load, right: Load) -> Bool {
            (left.microseconds, left.shard) < (right.microseconds, right.shard)
        }
    }

    /// The number of the shard that plays each scenario, counted from one.
    let shards: [Int]

    /// Deals scenarios.
    ///
    /// - Parameters:
    ///   - times: How long each took, in microseconds; those of which that is not known are taken for average ones.
    ///   - count: How many shards there are.
    init(of times: [Int?], to count: Int) {
        let known = times.compactMap(\.self)
        let average = known.isEmpty ? 1 : max(1, known.reduce(0, +) / known.count)
        let costs = times.map { max(1, $0 ?? average) }
        let byCost = costs.indices.sorted { left, right in
            costs[left] != costs[right] ? costs[left] > costs[right] : left < right
        }
        var loads = Heap((1...count).map { Load(microseconds: 0, shard: $0) })
        var shards = [Int](repeating: 0, count: costs.count)
        for place in byCost {
            guard var least = loads.popMin() else { break }
            shards[place] = least.shard
            least.microseconds += costs[place]
            loads.insert(least)
        }
        self.shards = shards
    }

    /// Returns the places of the scenarios that a shard plays, in order.
    func places(of shard: Int) -> [Int] { self.shards.indices.filter { self.shards[$0] == shard } }
}
