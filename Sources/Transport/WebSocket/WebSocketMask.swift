/// The mask of a client's frame (RFC 6455 section 5.3), applied eight bytes at a time.
struct WebSocketMask: Sendable {
    /// The key in the order of the wire, its first byte lowest; turned so that the next byte to mask meets it.
    private var key: UInt32

    /// Creates a mask from the four bytes of a key, the first one lowest.
    init(_ key: UInt32) { self.key = key }

    /// The four bytes of the key from the current place on.
    var bytes: (UInt8, UInt8, UInt8, UInt8) {
        (
            UInt8(truncatingIfNeeded: self.key), UInt8(truncatingIfNeeded: self.key >> 8),
            UInt8(truncatingIfNeeded: self.key >> 16), UInt8(truncatingIfNeeded: self.key >> 24)
        )
    }

    /// Masks or unmasks bytes from one place to another, which may be the same, and moves on in the key.
    ///
    /// - Parameters:
    ///   - source: Readable for `count` bytes.
    ///   - target: Writable for `count` bytes.
    ///   - count: How many bytes.
    mutating func apply(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, count: Int) {
        let wide = (UInt64(self.key) << 32 | UInt64(self.key)).littleEndian
        var index = 0
        while index &+ 8 <= count {
            let word = source.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            target.storeBytes(of: word ^ wide, toByteOffset: index, as: UInt64.self)
            index &+= 8
        }
        var rest = self.key
        while index < count {
            let byte = source.load(fromByteOffset: index, as: UInt8.self)
            target.storeBytes(of: byte ^ UInt8(truncatingIfNeeded: rest), toByteOffset: index, as: UInt8.self)
            rest = rest >> 8 | rest << 24
            index &+= 1
        }
        self.key = rest
    }

    /// Masks or unmasks the end of an array in place.
    mutating func apply(to bytes: inout [UInt8], from start: Int) {
        guard start < bytes.count else { return }
        bytes.withUnsafeMutableBytes { buffer in
            guard let base = buffer.baseAddress else { return }
            self.apply(base + start, to: base + start, count: buffer.count - start)
        }
    }
}
