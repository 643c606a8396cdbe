/// Reads little-endian numbers from the front of a frame; a frame that is too short gives nil.
struct ByteReader {
    private(set) var rest: ArraySlice<UInt8>

    /// Starts at the front of some bytes.
    init(_ bytes: some Collection<UInt8>) {
        self.rest = Array(bytes)[...]
    }

    /// Takes an unsigned 16-bit number.
    mutating func unsigned() -> UInt16? {
        guard self.rest.count >= 2, let low = self.rest.popFirst(), let high = self.rest.popFirst() else { return nil }
        return UInt16(low) | UInt16(high) << 8
    }

    /// Takes a signed 16-bit number.
    mutating func signed() -> Int16? {
        self.unsigned().map { Int16(bitPattern: $0) }
    }

    /// Takes everything that is left.
    mutating func remainder() -> [UInt8] {
        defer { self.rest = [] }
        return Array(self.rest)
    }

    /// Takes everything that is left as text; invalid UTF-8 is repaired.
    mutating func text() -> String {
        String(decoding: self.remainder(), as: UTF8.self)
    }
}

extension [UInt8] {
    /// Appends an unsigned 16-bit number, low byte first.
    mutating func append(unsigned value: UInt16) {
        self.append(UInt8(value & 0xFF))
        self.append(UInt8(value >> 8))
    }

    /// Appends a signed 16-bit number, low byte first; numbers out of range become the nearest one in it.
    mutating func append(signed value: Int) {
        self.append(unsigned: UInt16(bitPattern: Int16(clamping: value)))
    }
}
