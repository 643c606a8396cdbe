import Machines

/// A seeded shuffle of the numbers below a count that needs no memory for them.
///
/// Four rounds of a Feistel network permute the next power of four; numbers that land beyond the count are permuted
/// again until they land within it, which takes four steps at most on average.
struct Permutation: Hashable, Sendable {
    private let count: UInt64
    private let halfBits: UInt64
    private let keys: [UInt64]

    /// Creates a shuffle.
    ///
    /// - Parameters:
    ///   - count: How many numbers there are; at least 1.
    ///   - seed: What decides the order.
    init(count: Int, seed: UInt64) {
        self.count = UInt64(max(count, 1))
        let bits = UInt64.bitWidth - (self.count - 1).leadingZeroBitCount
        self.halfBits = UInt64(max((bits + 1) / 2, 1))
        var random = RandomSource(seed: seed)
        self.keys = (0..<4).map { _ in random.next() }
    }

    /// The number that stands at a place below the count.
    subscript(place: Int) -> Int {
        var value = UInt64(place)
        repeat { value = self.permuted(value) } while value >= self.count
        return Int(value)
    }

    private func permuted(_ value: UInt64) -> UInt64 {
        let mask = (1 << self.halfBits) - 1 as UInt64
        var left = value >> self.halfBits
        var right = value & mask
        for key in self.keys {
            var mixed = (right ^ key) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ mixed >> 31) &* 0x94D0_49BB_1331_11EB
            (left, right) = (right, left ^ (mixed >> 29 & mask))
        }
        return left << self.halfBits | right
    }
}
