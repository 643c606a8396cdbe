/// Checks text that arrives in pieces and fails at the first byte that cannot belong to UTF-8 (RFC 3629 section 4).
struct UTF8Validator: Sendable {
    /// How many bytes of the current character are still to come.
    private var missing: UInt8 = 0
    /// What the next byte must be, if one is missing.
    private var lower: UInt8 = 0x80
    private var upper: UInt8 = 0xBF

    /// Takes more text; returns false if it cannot be UTF-8.
    mutating func accept(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        let count = bytes.count
        while index < count {
            if self.missing == 0 {
                while index &+ 8 <= count,
                    bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
                {
                    index &+= 8
                }
                guard index < count else { break }
            }
            guard self.accept(bytes[index]) else { return false }
            index &+= 1
        }
        return true
    }

    private mutating func accept(_ byte: UInt8) -> Bool {
        guard self.missing == 0 else {
            guard self.lower <= byte, byte <= self.upper else { return false }
            self.missing -= 1
            (self.lower, self.upper) = (0x80, 0xBF)
            return true
        }
        switch byte {
        case 0x00...0x7F: break
        case 0xC2...0xDF: self.missing = 1
        case 0xE0: (self.missing, self.lower) = (2, 0xA0)
        case 0xED: (self.missing, self.upper) = (2, 0x9F)
        case 0xE1...0xEF: self.missing = 2
        case 0xF0: (self.missing, self.lower) = (3, 0x90)
        case 0xF4: (self.missing, self.upper) = (3, 0x8F)
        case 0xF1...0xF3: self.missing = 3
        default: return false
        }
        return true
    }
}
