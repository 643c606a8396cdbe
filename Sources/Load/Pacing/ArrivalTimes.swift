import Machines

/// The instants of all arrivals of a workload, over all shards, in order of time.
///
/// Evenly spread arrivals and recorded ones stand for themselves; Poisson arrivals are drawn one after another from one
/// seeded source, and every shard draws them all, so that all shards know the same instants.
struct ArrivalTimes: Sendable {
    private enum Source: Sendable {
        case even(RateCurve)
        case poisson(RateCurve, RandomSource, area: Double)
        case recorded([Duration])
    }

    private var source: Source

    /// The number of the arrival that ``next(isWanted:)`` returns.
    private(set) var index = 0

    /// Creates the arrivals of an executor.
    ///
    /// - Returns: Nil if the executor has no arrivals.
    init?(_ executor: Executor, seed: UInt64) {
        switch executor {
        case .arrivals(let curve, .uniform): self.source = .even(curve)
        case .arrivals(let curve, .poisson): self.source = .poisson(curve, RandomSource(seed: seed), area: 0)
        case .recordedArrivals(let instants): self.source = .recorded(instants)
        default: return nil
        }
    }

    /// Returns the instant of the next arrival, from the start of the workload; nil after the last one.
    ///
    /// - Parameter isWanted: Whether the instant is needed; finding it costs more than passing over it.
    /// - Returns: Nil only after the last one; an arrival that is not wanted gives zero.
    mutating func next(isWanted: Bool = true) -> Duration? {
        defer { self.index += 1 }
        switch self.source {
        case .even(let curve):
            // Far from the end there is no doubt that the arrival exists.
            if !isWanted, Double(self.index) < curve.area - 1 { return .zero }
            return curve.time(ofArea: Double(self.index))
        case .poisson(let curve, var random, var area):
            area += random.exponential()
            self.source = .poisson(curve, random, area: area)
            if !isWanted, area < curve.area - 1 { return .zero }
            return curve.time(ofArea: area)
        case .recorded(let instants):
            return self.index < instants.count ? instants[self.index] : nil
        }
    }

    /// How many arrivals there are from here on.
    var count: Int {
        switch self.source {
        case .recorded(let instants): return max(instants.count - self.index, 0)
        case .even(let curve):
            // The area may be off by rounding either way; the instants decide.
            var count = max(Int(curve.area) - 1, self.index)
            while curve.time(ofArea: Double(count)) != nil { count += 1 }
            return count - self.index
        case .poisson:
            var rest = self
            while rest.next(isWanted: false) != nil {}
            return rest.index - 1 - self.index
        }
    }
}
