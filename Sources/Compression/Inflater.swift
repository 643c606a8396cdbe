internal import CZlib

/// Expands compressed bytes piece by piece, by the zlib of the system.
///
/// Whoever uses it asks for at most so many bytes at a time, so that a few bytes cannot fill the memory.
public final class Inflater {
    /// The bytes are not what was compressed.
    public struct Damage: Error {
        /// What zlib says of it.
        public let message: String
    }

    private let stream: UnsafeMutablePointer<z_stream>
    private let isGzip: Bool
    private var input: [UInt8] = []
    private var offset = 0

    /// Whether the last piece filled all the room that it was given, so that more may be there without more input.
    private var mayHaveMore = false

    /// Whether the compressed bytes have come to their end.
    public private(set) var isAtEnd = false

    /// Whether something follows the end; members of gzip that follow each other are one stream.
    public var hasTrailingBytes: Bool { self.isAtEnd && self.offset < self.input.count }

    /// Creates an inflater of a stream with a window of any size.
    public init(_ format: CompressionFormat) {
        // zlib keeps a pointer to it, so that it must stay where it is.
        self.stream = .allocate(capacity: 1)
        self.stream.initialize(to: z_stream())
        self.isGzip = format == .gzip
        let code = inflateInit2_(
            self.stream, format.zlibWindowBits(CompressionFormat.largestWindowBits), ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        precondition(code == Z_OK, "zlib of another version, or no memory: \(code)")
    }

    deinit {
        inflateEnd(self.stream)
        self.stream.deinitialize(count: 1)
        self.stream.deallocate()
    }

    /// Takes in more compressed bytes.
    public func take(_ bytes: some Collection<UInt8>) {
        // Another member follows one that ended with the bytes before.
        if self.isGzip, self.isAtEnd, !bytes.isEmpty {
            inflateReset(self.stream)
            self.isAtEnd = false
        }
        if self.offset == self.input.count {
            self.input = Array(bytes)
            self.offset = 0
        } else {
            self.input += bytes
        }
    }

    /// Returns the next expanded bytes.
    ///
    /// - Parameter limit: The most bytes to return; above zero.
    /// - Returns: Nil if there are none without more input.
    public func next(atMost limit: Int) throws(Damage) -> [UInt8]? {
        while !self.isAtEnd, self.mayHaveMore || self.offset < self.input.count {
            var code = Z_OK
            let room = min(limit, max(1024, 8 * (self.input.count - self.offset)))
            let output = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                self.input.withUnsafeMutableBufferPointer { input in
                    self.stream.pointee.next_in = input.baseAddress.map { $0 + self.offset }
                    self.stream.pointee.avail_in = UInt32(clamping: input.count - self.offset)
                    self.stream.pointee.next_out = buffer.baseAddress
                    self.stream.pointee.avail_out = UInt32(clamping: room)
                    code = CZlib.inflate(self.stream, Z_SYNC_FLUSH)
                    self.offset = input.count - Int(self.stream.pointee.avail_in)
                    count = room - Int(self.stream.pointee.avail_out)
                }
            }
            self.mayHaveMore = output.count == room
            switch code {
            case Z_OK, Z_BUF_ERROR: break
            case Z_STREAM_END: self.ended()
            default:
                throw Damage(
                    message: self.stream.pointee.msg.map { String(cString: $0) } ?? "zlib says \(code)")
            }
            if !output.isEmpty { return output }
            if code == Z_BUF_ERROR { return nil }
        }
        return nil
    }

    /// A gzip body may have several members (RFC 1952 section 2.2).
    private func ended() {
        self.mayHaveMore = false
        if self.isGzip, self.offset < self.input.count {
            inflateReset(self.stream)
        } else {
            self.isAtEnd = true
        }
    }
}
