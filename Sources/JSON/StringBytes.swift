/// Tells the bytes of a string of JSON (RFC 8259, 7) from those that end it or stand for others, eight at a time.
@usableFromInline enum StringBytes {
    /// Which bits only bytes that are no ASCII have.
    @inlinable static var notASCII: UInt64 { 0x8080_8080_8080_8080 }

    /// How many of eight bytes, as they lie in memory, come before the first quote, backslash or control character.
    @inlinable
    static func count(beforeEndIn word: UInt64) -> Int {
        let word = UInt64(littleEndian: word)
        let control = (word &- 0x2020_2020_2020_2020) & ~word & Self.notASCII
        let ends = control | Self.zeros(word ^ 0x2222_2222_2222_2222) | Self.zeros(word ^ 0x5C5C_5C5C_5C5C_5C5C)
        return ends == 0 ? 8 : ends.trailingZeroBitCount >> 3
    }

    /// The first of eight bytes, as they lie in memory, and zeros for the others.
    @inlinable
    static func first(_ count: Int, of word: UInt64) -> UInt64 {
        count == 8 ? word : UInt64(littleEndian: word) & ~(UInt64.max << UInt64(8 * count))
    }

    /// Not zero if one of eight bytes is zero, and then the lowest bit is that of the first one (H. S. Warren, Hacker's
    /// Delight, 6-1).
    @inlinable
    static func zeros(_ word: UInt64) -> UInt64 { (word &- 0x0101_0101_0101_0101) & ~word & Self.notASCII }
}
