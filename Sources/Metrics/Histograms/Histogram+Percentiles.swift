extension Histogram {
    /// Returns the value that so many percent of all values do not exceed.
    ///
    /// It is the greatest value of the slot in which that one stands, never above the greatest one recorded; so a 99th
    /// percentile is never greater than the maximum.
    ///
    /// - Parameter percentile: From 0 to 100; at 0 it is the least value.
    /// - Returns: Nil if there is no value.
    public func value(atPercentile percentile: Double) -> Int64? {
        self.values(atPercentiles: [percentile])[0]
    }

    /// Returns the values at several percentiles in one walk; see ``value(atPercentile:)``.
    ///
    /// - Parameter percentiles: From 0 to 100, ascending.
    public func values(atPercentiles percentiles: [Double]) -> [Int64?] {
        guard let minimum = self.minimum, let maximum = self.maximum else { return percentiles.map { _ in nil } }
        let ranks = percentiles.map { self.rank(ofPercentile: $0) }
        var values: [Int64?] = []
        var reached: UInt64 = 0
        self.counts.forEach { slot, count in
            reached &+= count
            while values.count < ranks.count, ranks[values.count] <= reached {
                values.append(min(max(self.precision.highestValue(of: slot), minimum), maximum))
            }
            return values.count < ranks.count
        }
        while values.count < ranks.count { values.append(maximum) }
        for (place, percentile) in percentiles.enumerated() where percentile <= 0 { values[place] = minimum }
        return values
    }

    /// The place of a percentile among all values in their order, from 1.
    func rank(ofPercentile percentile: Double) -> UInt64 {
        guard percentile.isFinite, percentile > 0 else { return 1 }
        // One step down before multiplying, as HdrHistogram does: otherwise 99.9 % of 1,000 can round up to 1,000.
        let exact = min(percentile, 100).nextDown * Double(self.count) / 100
        return UInt64(min(max(exact.rounded(.up), 1), Double(self.count)))
    }

    /// Returns the share of values that do not exceed a value, from 0 to 1; nil if there is no value.
    public func share(upTo value: Int64) -> Double? {
        guard !self.isEmpty else { return nil }
        guard value >= 0 else { return 0 }
        let last = self.precision.slot(of: min(value, Precision.highestValue))
        var reached: UInt64 = 0
        self.counts.forEach { slot, count in
            guard slot <= last else { return false }
            reached &+= count
            return true
        }
        return Double(reached) / Double(self.count)
    }

    /// The values met with their counts, ascending; each value is the middle of its slot.
    public var distribution: [(value: Int64, count: Int64)] {
        self.counts.entries.map { (self.precision.middleValue(of: $0.slot), Int64(clamping: $0.count)) }
    }
}
