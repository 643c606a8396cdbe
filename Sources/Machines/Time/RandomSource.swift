/// The seeded randomness of a run (xoshiro256**, seeded by SplitMix64): the same seed gives the same numbers anywhere.
///
/// Each consumer gets a source of its own by ``derived(for:)``, so that one more number drawn in one place does not
/// change what another place draws.
public struct RandomSource: RandomNumberGenerator, Sendable {
    private var state: (UInt64, UInt64, UInt64, UInt64)
    private let seed: UInt64

    /// Creates a source.
    ///
    /// - Parameter seed: Any number; equal seeds give equal sequences.
    public init(seed: UInt64) {
        self.seed = seed
        var mixer = SplitMix64(state: seed)
        self.state = (mixer.next(), mixer.next(), mixer.next(), mixer.next())
    }

    public mutating func next() -> UInt64 {
        let result = Self.rotate(self.state.1 &* 5, by: 7) &* 9
        let shifted = self.state.1 << 17
        self.state.2 ^= self.state.0
        self.state.3 ^= self.state.1
        self.state.1 ^= self.state.2
        self.state.0 ^= self.state.3
        self.state.2 ^= shifted
        self.state.3 = Self.rotate(self.state.3, by: 45)
        return result
    }

    /// Returns a source of its own for a named consumer; it depends on the seed and the name, not on numbers drawn.
    public func derived(for name: String) -> RandomSource {
        RandomSource(seed: Self.seed(self.seed, for: name))
    }

    /// Returns the seed that ``derived(for:)`` gives to a named consumer.
    public static func seed(_ seed: UInt64, for name: String) -> UInt64 {
        // Mixed with the seed, so that near names give unrelated sequences.
        var mixer = SplitMix64(state: seed ^ FNV1a.hash64(name.utf8))
        return mixer.next()
    }

    /// Returns random decimal digits, the first one from 1 to 8, so that up to 19 of them fit a signed 64-bit number.
    public mutating func decimalDigits(_ count: Int) -> String {
        var digits = String(Int.random(in: 1...8, using: &self))
        for _ in 1..<max(count, 1) { digits += String(Int.random(in: 0...9, using: &self)) }
        return digits
    }

    /// Returns random lower-case hexadecimal digits.
    public mutating func hexadecimalDigits(_ count: Int) -> String {
        String(decoding: self.nibbles(count).map { Self.digits[$0] }, as: UTF8.self)
    }

    /// Returns a random UUID of version 4 in lower case (RFC 9562 section 5.4).
    public mutating func uuid() -> String {
        var nibbles = self.nibbles(32)
        nibbles[12] = 4
        // The variant is in the two upper bits of this digit; the lower two stay as they were drawn.
        nibbles[16] = 8 | nibbles[16] & 3
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for (place, nibble) in nibbles.enumerated() {
            if Self.groups.contains(place) { text.append(UInt8(ascii: "-")) }
            text.append(Self.digits[nibble])
        }
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func nibbles(_ count: Int) -> [Int] {
        (0..<count).map { _ in Int.random(in: 0..<16, using: &self) }
    }

    private static let digits = Array("0123456789abcdef".utf8)

    /// Where a group of digits of a UUID begins that has one before it.
    private static let groups = [8, 12, 16, 20]

    /// Returns random bytes.
    public mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
    }

    private static func rotate(_ value: UInt64, by count: UInt64) -> UInt64 {
        value << count | value >> (64 - count)
    }
}

private struct SplitMix64 {
    var state: UInt64

    mutating func next() -> UInt64 {
        self.state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = self.state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
