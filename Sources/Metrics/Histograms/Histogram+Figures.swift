/// The figures of a histogram as numbers in the unit of its metric, whichever way it counts.
extension Histogram {
    /// The sum of all values.
    public var total: Double { self.numbers?.total ?? Double(self.sum) }

    /// The least value, exactly; nil if there is none.
    public var leastFigure: Double? { self.isEmpty ? nil : self.numbers?.least ?? self.minimum.map(Double.init) }

    /// The greatest value, exactly; nil if there is none.
    public var greatestFigure: Double? { self.isEmpty ? nil : self.numbers?.greatest ?? self.maximum.map(Double.init) }

    /// Returns the value that so many percent of all values do not exceed; see ``value(atPercentile:)``.
    public func figure(atPercentile percentile: Double) -> Double? { self.figures(atPercentiles: [percentile])[0] }

    /// Returns the values at several percentiles in one walk.
    ///
    /// - Parameter percentiles: From 0 to 100, ascending.
    public func figures(atPercentiles percentiles: [Double]) -> [Double?] {
        guard let numbers = self.numbers else {
            return self.values(atPercentiles: percentiles).map { $0.map(Double.init) }
        }
        let ranks = percentiles.map { self.rank(ofPercentile: $0) }
        var figures: [Double?] = []
        var reached: UInt64 = 0
        for (value, count) in self.spread {
            reached &+= UInt64(count)
            while figures.count < ranks.count, ranks[figures.count] <= reached { figures.append(value) }
        }
        while figures.count < ranks.count { figures.append(numbers.greatest) }
        for (place, percentile) in percentiles.enumerated() where percentile <= 0 { figures[place] = numbers.least }
        return figures
    }

    /// The values met with their counts, ascending; each value stands for all of its slot.
    public var spread: [(value: Double, count: Int64)] {
        guard let numbers = self.numbers else { return self.distribution.map { (Double($0.value), $0.count) } }
        let last = self.precision.slotCount - 1
        func kept(_ value: Double) -> Double { min(max(value, numbers.least), numbers.greatest) }
        // Of what is beyond the last slot only the extremes are known.
        let below = numbers.below.entries.reversed().map { slot, count in
            (
                value: kept(slot == last ? numbers.least : -NumberFigures.representative(of: slot, self.precision)),
                count: Int64(clamping: count)
            )
        }
        let others = self.counts.entries.map { slot, count in
            (
                value: kept(slot == last ? numbers.greatest : NumberFigures.representative(of: slot, self.precision)),
                count: Int64(clamping: count)
            )
        }
        return below + others
    }
}
