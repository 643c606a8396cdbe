#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// A histogram whose buckets grow by a constant factor, as OpenTelemetry has them (data model, "ExponentialHistogram").
///
/// It is a view for programs that read nothing else: at 160 buckets it tells values apart far less finely.
struct ExponentialHistogram: Hashable, Sendable {
    /// The factor between bounds is 2 to the power of 2 to the power of minus this.
    let scale: Int
    /// The number of the first bucket.
    let offset: Int
    let counts: [Int64]
    /// The same for values below zero, by their size.
    let negativeOffset: Int
    let negativeCounts: [Int64]
    /// How many values are zero.
    let zeroCount: Int64

    private static let bucketLimit = 160
    private static let greatestScale = 20

    /// Takes a histogram as finely as the limit of buckets allows.
    init(_ histogram: Histogram) {
        let entries = histogram.spread
        self.zeroCount = entries.first { $0.value == 0 }?.count ?? 0
        let sizes = entries.map { abs($0.value) }.filter { $0 > 0 }
        guard let least = sizes.min(), let greatest = sizes.max() else {
            (self.scale, self.offset, self.counts, self.negativeOffset, self.negativeCounts) = (0, 0, [], 0, [])
            return
        }
        var scale = Self.greatestScale
        while Self.bucket(greatest, scale) - Self.bucket(least, scale) >= Self.bucketLimit { scale -= 1 }
        self.scale = scale
        (self.offset, self.counts) = Self.buckets(entries.filter { $0.value > 0 }, scale)
        (self.negativeOffset, self.negativeCounts) = Self.buckets(
            entries.reversed().filter { $0.value < 0 }.map { (-$0.value, $0.count) }, scale)
    }

    /// Counts sizes, which ascend, by bucket from the first one on.
    private static func buckets(_ sizes: [(value: Double, count: Int64)], _ scale: Int) -> (Int, [Int64]) {
        guard let least = sizes.first?.value, let greatest = sizes.last?.value else { return (0, []) }
        let offset = Self.bucket(least, scale)
        var counts = [Int64](repeating: 0, count: Self.bucket(greatest, scale) - offset + 1)
        for (value, count) in sizes {
            let bucket = Self.bucket(value, scale) - offset
            counts[bucket] = counts[bucket].saturatingAdd(count)
        }
        return (offset, counts)
    }

    /// Returns the bucket whose lower bound is below a value and whose upper bound is not.
    static func bucket(_ value: Double, _ scale: Int) -> Int {
        // Exact for powers of two, which are the upper bounds of buckets.
        let isPower = value.significand == 1
        let exponent = Int(value.exponent)
        if scale <= 0 { return (isPower ? exponent - 1 : exponent) >> -scale }
        if isPower { return exponent << scale - 1 }
        return Int((log2(value) * Double(1 << scale)).rounded(.up)) - 1
    }
}
