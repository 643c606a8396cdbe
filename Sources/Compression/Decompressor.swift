internal import CZlib

/// Decompresses bytes as they arrive, in any pieces.
public final class Decompressor {
    private let format: CompressionFormat
    private let limit: Int

    /// zlib keeps the address of it, so it lies in memory of its own.
    private let stream: UnsafeMutablePointer<z_stream>

    private var written = 0
    private var problem: CompressionProblem?

    /// Whether the stream has come to its end.
    public private(set) var isAtEnd = false

    /// Creates a decompressor.
    ///
    /// - Parameters:
    ///   - format: How the bytes are compressed.
    ///   - limit: How many bytes they may become in all.
    public init(_ format: CompressionFormat, limit: Int) {
        self.format = format
        self.limit = limit
        self.stream = .allocate(capacity: 1)
        self.stream.initialize(to: z_stream())
        // Only for want of memory does it fail, or with another zlib than it was built for.
        guard
            inflateInit2_(self.stream, format.windowBits, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size)) == Z_OK
        else { preconditionFailure("zlib does not begin to decompress") }
    }

    deinit {
        inflateEnd(self.stream)
        self.stream.deallocate()
    }

    /// Returns what more bytes stand for.
    ///
    /// - Throws: ``CompressionProblem``, from then on each time.
    public func decompress(_ bytes: [UInt8]) throws(CompressionProblem) -> [UInt8] {
        if let problem = self.problem { throw problem }
        var result: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 14)
        var used = 0
        do throws(CompressionProblem) {
            while used < bytes.count {
                if self.isAtEnd { try self.beginNext() }
                used += try self.decompress(bytes, from: used, by: &part, into: &result)
            }
        } catch {
            self.problem = error
            throw error
        }
        return result
    }

    /// Goes on after the end of a stream: gzip allows that another follows (RFC 1952 §2.2).
    private func beginNext() throws(CompressionProblem) {
        guard self.format == .gzip, inflateReset(self.stream) == Z_OK else { throw .trailing }
        self.isAtEnd = false
    }

    /// Decompresses until the input is used up or the stream ends; returns how much was used.
    ///
    /// Nothing is copied but what comes out: a stream may consist of thousands of short ones.
    ///
    /// - Parameters:
    ///   - start: From where on the input is read.
    ///   - part: Room for what comes out at a time.
    private func decompress(
        _ bytes: [UInt8], from start: Int, by part: inout [UInt8], into result: inout [UInt8]
    ) throws(CompressionProblem) -> Int {
        var used = 0
        while true {
            let (status, taken, made) = bytes.withUnsafeBufferPointer { bytes in
                part.withUnsafeMutableBufferPointer { output in
                    let input = UnsafeBufferPointer(rebasing: bytes[(start + used)...])
                    // zlib declares its input mutable and does not write to it.
                    self.stream.pointee.next_in = input.baseAddress.map { UnsafeMutablePointer(mutating: $0) }
                    self.stream.pointee.avail_in = uInt(input.count)
                    self.stream.pointee.next_out = output.baseAddress
                    self.stream.pointee.avail_out = uInt(output.count)
                    let status = inflate(self.stream, Z_NO_FLUSH)
                    return (
                        status, input.count - Int(self.stream.pointee.avail_in),
                        output.count - Int(self.stream.pointee.avail_out)
                    )
                }
            }
            used += taken
            self.written += made
            guard self.written <= self.limit else { throw .tooLong }
            result += part[..<made]
            switch status {
            case Z_STREAM_END:
                self.isAtEnd = true
                return used
            // Nothing was left to read, or there is more to write.
            case Z_OK, Z_BUF_ERROR: if start + used == bytes.count, made < part.count { return used }
            default: throw .damaged
            }
        }
    }
}
