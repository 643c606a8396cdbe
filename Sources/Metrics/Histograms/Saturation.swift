extension Int64 {
    /// Returns the sum, or the highest or lowest integer where it would overflow.
    ///
    /// For values that are not negative this is associative, so that sums do not depend on how a run was split.
    @inline(__always)
    public func saturatingAdd(_ other: Int64) -> Int64 {
        let (sum, isOverflow) = self.addingReportingOverflow(other)
        return isOverflow ? (other < 0 ? .min : .max) : sum
    }

    /// Returns the difference, or the highest or lowest integer where it would overflow.
    func saturatingSubtract(_ other: Int64) -> Int64 {
        let (difference, isOverflow) = self.subtractingReportingOverflow(other)
        return isOverflow ? (other < 0 ? .max : .min) : difference
    }

    /// Returns the product, or the highest or lowest integer where it would overflow.
    func saturatingMultiply(_ other: Int64) -> Int64 {
        let (product, isOverflow) = self.multipliedReportingOverflow(by: other)
        return isOverflow ? ((self < 0) == (other < 0) ? .max : .min) : product
    }

    /// Creates the whole number next to a figure towards zero, the highest or lowest where it has more bits; of what is
    /// no number 0.
    ///
    /// Results of other processes may hold anything.
    public init(saturating value: Double) {
        self = Int64(exactly: value.rounded(.towardZero)) ?? (value.isNaN ? 0 : value < 0 ? .min : .max)
    }
}

extension Sequence<Int64> {
    /// The sum, or the highest or lowest integer where it would overflow: results of other processes hold any counts.
    public var saturatingSum: Int64 { self.reduce(0) { $0.saturatingAdd($1) } }
}
