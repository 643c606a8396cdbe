/// The character classes of RFC 9110 section 5.6.2 and 5.5.
enum HTTPCharacters {
    /// Whether a byte may stand in a token.
    static func isToken(_ byte: UInt8) -> Bool {
        let half = byte < 64 ? self.lowerTokens : self.upperTokens
        return byte < 128 && half >> UInt64(byte & 63) & 1 == 1
    }

    /// Whether a byte may stand in a field value.
    static func isFieldContent(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x7F || byte == 0x09
    }

    /// Whether a byte may stand in a request target; RFC 3986 is narrower, servers are not.
    static func isTarget(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x7F
    }

    /// The value of a hexadecimal digit.
    static func hexadecimalValue(_ byte: UInt8) -> Int? {
        switch byte {
        case 0x30...0x39: Int(byte) - 0x30
        case 0x41...0x46: Int(byte) - 0x41 + 10
        case 0x61...0x66: Int(byte) - 0x61 + 10
        default: nil
        }
    }

    /// The token characters below 64, one bit each: digits and `!#$%&'*+-.`
    private static var lowerTokens: UInt64 { 0x03FF_6CFA_0000_0000 }

    /// The token characters from 64 on, one bit each: letters and `^_\`|~`.
    private static var upperTokens: UInt64 { 0x57FF_FFFF_C7FF_FFFE }
}
