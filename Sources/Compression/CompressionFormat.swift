internal import CZlib

/// A way in which bytes are compressed: the deflate algorithm (RFC 1951) in one of its wrappers, by the system's zlib.
public enum CompressionFormat: Hashable, Sendable {
    /// With a header and a check (RFC 1952), as files and `Content-Encoding: gzip` have it.
    case gzip
    /// With a short header and a check (RFC 1950), which HTTP calls `deflate`.
    case zlib
    /// Without either, as the messages of a compressed WebSocket are.
    case raw

    /// What zlib takes for the size of the window, which tells the wrapper as well.
    var windowBits: CInt {
        switch self {
        case .gzip: MAX_WBITS + 16
        case .zlib: MAX_WBITS
        case .raw: -MAX_WBITS
        }
    }

    /// Returns bytes compressed; the same bytes become the same each time.
    public func compress(_ bytes: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        let memoryLevel: CInt = 8
        // Only for want of memory does it fail, or with another zlib than it was built for.
        guard
            deflateInit2_(
                &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, self.windowBits, memoryLevel, Z_DEFAULT_STRATEGY,
                ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size)) == Z_OK
        else { preconditionFailure("zlib does not begin to compress") }
        defer { deflateEnd(&stream) }
        var result = [UInt8](repeating: 0, count: Int(deflateBound(&stream, uLong(bytes.count))))
        var input = bytes
        let written = input.withUnsafeMutableBufferPointer { input in
            result.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = uInt(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = uInt(output.count)
                // With room for the bound one call is enough.
                _ = deflate(&stream, Z_FINISH)
                return output.count - Int(stream.avail_out)
            }
        }
        result.removeLast(result.count - written)
        return result
    }

    /// Returns what compressed bytes stand for.
    ///
    /// - Parameters:
    ///   - bytes: One whole stream; of gzip several may follow each other.
    ///   - limit: How many bytes it may become, so that few bytes cannot fill the memory.
    /// - Throws: ``CompressionProblem``.
    public func decompress(_ bytes: [UInt8], limit: Int) throws(CompressionProblem) -> [UInt8] {
        let decompressor = Decompressor(self, limit: limit)
        let result = try decompressor.decompress(bytes)
        guard decompressor.isAtEnd else { throw .incomplete }
        return result
    }
}

/// Why compressed bytes cannot be decompressed.
public enum CompressionProblem: Error, Hashable, Sendable {
    /// They are not of the format, or their check does not hold.
    case damaged
    /// They become more than is allowed.
    case tooLong
    /// They end too early.
    case incomplete
    /// Something follows their end.
    case trailing
}
