internal import CZlib

/// Compresses a stream piece by piece, by the zlib of the system.
public final class Deflater {
    private let stream: UnsafeMutablePointer<z_stream>

    /// Creates a deflater.
    ///
    /// - Parameters:
    ///   - windowBits: The size of the window as a power of two, from 9 to 15.
    ///   - memory: How much memory the compression has, from 1 to 9: 2^(memory + 9) bytes beside the window.
    public init(_ format: CompressionFormat, windowBits: Int = CompressionFormat.largestWindowBits, memory: Int = 8) {
        // zlib keeps a pointer to it, so that it must stay where it is.
        self.stream = .allocate(capacity: 1)
        self.stream.initialize(to: z_stream())
        let code = deflateInit2_(
            self.stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, format.zlibWindowBits(max(9, windowBits)), Int32(memory),
            Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        precondition(code == Z_OK, "zlib of another version, or no memory: \(code)")
    }

    deinit {
        deflateEnd(self.stream)
        self.stream.deinitialize(count: 1)
        self.stream.deallocate()
    }

    /// Returns bytes compressed; more may follow, and everything so far can be expanded.
    public func compress(_ bytes: [UInt8]) -> [UInt8] { self.deflate(bytes, Z_SYNC_FLUSH) }

    /// Returns the last bytes compressed, with what ends the stream.
    public func finish(_ bytes: [UInt8]) -> [UInt8] { self.deflate(bytes, Z_FINISH) }

    private func deflate(_ bytes: [UInt8], _ flush: Int32) -> [UInt8] {
        var input = bytes
        var output: [UInt8] = []
        input.withUnsafeMutableBufferPointer { input in
            self.stream.pointee.next_in = input.baseAddress
            self.stream.pointee.avail_in = UInt32(clamping: input.count)
            var isFull = true
            while isFull {
                let room = max(64, Int(self.stream.pointee.avail_in) / 2 + 32)
                output += [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
                    self.stream.pointee.next_out = buffer.baseAddress
                    self.stream.pointee.avail_out = UInt32(clamping: room)
                    _ = CZlib.deflate(self.stream, flush)
                    count = room - Int(self.stream.pointee.avail_out)
                }
                // With room left everything has been written.
                isFull = self.stream.pointee.avail_out == 0
            }
        }
        return output
    }
}
