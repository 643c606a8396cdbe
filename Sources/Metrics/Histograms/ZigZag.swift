/// Signed integers in one to nine bytes: ZigZag, then seven bits per byte, least first, but eight in the ninth byte.
///
/// HdrHistogram calls it LEB128-64b9B (`ZigZagEncoding.java`); unlike the numbers of protocol buffers none takes ten.
enum ZigZag {
    /// Appends a number.
    static func append(_ value: Int64, to bytes: inout [UInt8]) {
        var rest = UInt64(bitPattern: (value << 1) ^ (value >> 63))
        for _ in 0..<8 {
            guard rest >= 0x80 else {
                bytes.append(UInt8(rest))
                return
            }
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Reads a number and takes its bytes away.
    ///
    /// - Returns: Nil if the bytes end within it.
    static func read(_ bytes: inout ArraySlice<UInt8>) -> Int64? {
        var value: UInt64 = 0
        for position in 0..<9 {
            guard let byte = bytes.popFirst() else { return nil }
            let isLast = position == 8
            value |= UInt64(isLast ? byte : byte & 0x7F) << UInt64(7 * position)
            if isLast || byte & 0x80 == 0 { break }
        }
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }
}
