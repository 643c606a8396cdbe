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
    /// How many values are zero.
    let zeroCount: Int64

    private static let bucketLimit = 160
    private static let greatestScale = 20

    /// Takes a histogram as finely as the limit of buckets allows.
    init(_ histogram: Histogram) {
        let entries = histogram.distribution
        self.zeroCount = entries.first.map { $0.value == 0 ? $0.count : 0 } ?? 0
        let values = entries.filter { $0.value > 0 }
        guard let least = values.first?.value, let greatest = values.last?.value else {
            (self.scale, self.offset, self.counts) = (0, 0, [])
            return
        }
        var scale = Self.greatestScale
        while Self.bucket(greatest, scale) - Self.bucket(least, scale) >= Self.bucketLimit { scale -= 1 }
        let offset = Self.bucket(least, scale)
        var counts = [Int64](repeating: 0, count: Self.bucket(greatest, scale) - offset + 1)
        for (value, count) in values {
            let bucket = Self.bucket(value, scale) - offset
            counts[bucket] = counts[bucket].saturatingAdd(count)
        }
        (self.scale, self.offset, self.counts) = (scale, offset, counts)
    }

    /// Returns the bucket whose lower bound is below a value and whose upper bound is not.
    static func bucket(_ value: Int64, _ scale: Int) -> Int {
        if scale <= 0 {
            // Exact for powers of two: the number of the highest bit, of one less.
            let bit = Int64.bitWidth - 1 - (value - 1).leadingZeroBitCount
            return value == 1 ? -1 >> -scale : bit >> -scale
        }
        if value & (value - 1) == 0 { return value.trailingZeroBitCount << scale - 1 }
        return Int((log2(Double(value)) * Double(1 << scale)).rounded(.up)) - 1
    }
}
