extension UnsafeBufferPointer<UInt8> {
    /// Whether all bytes are ASCII, and so a text of UTF-8.
    ///
    /// They are looked at eight at a time: every text that comes from Lua is asked for it.
    var isASCII: Bool {
        let bytes = UnsafeRawBufferPointer(self)
        var seen: UInt64 = 0
        guard bytes.count >= 8 else {
            for place in bytes.indices { seen |= unsafe UInt64(bytes[place]) }
            return seen < 0x80
        }
        var place = 0
        while place + 8 < bytes.count {
            seen |= unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            place += 8
        }
        // The last eight may have been looked at in part.
        seen |= unsafe bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
        return seen & 0x8080_8080_8080_8080 == 0
    }
}
