/// A way in which bytes are compressed: the deflate algorithm (RFC 1951) in one of its wrappers, by the system's zlib.
public enum CompressionFormat: Hashable, Sendable {
    /// With a header and a check (RFC 1952), as files and `Content-Encoding: gzip` have it.
    case gzip
    /// With a short header and a check (RFC 1950), which HTTP calls `deflate`.
    case zlib
    /// Without either, as the messages of a compressed WebSocket are.
    case raw

    /// The size of the largest window, as a power of two; what was compressed with a smaller one can be expanded with
    /// it.
    public static let largestWindowBits = 15

    /// What zlib takes for the size of a window, which tells the wrapper as well.
    func zlibWindowBits(_ bits: Int) -> CInt {
        let bits = CInt(max(8, min(Self.largestWindowBits, bits)))
        return switch self {
        case .gzip: bits + 16
        case .zlib: bits
        case .raw: -bits
        }
    }

    /// Returns the bytes compressed; the result is deterministic.
    public func compress(_ bytes: [UInt8]) -> [UInt8] { Deflater(self).finish(bytes) }

    /// Returns what compressed bytes stand for.
    ///
    /// - Parameters:
    ///   - bytes: One whole stream; of gzip several may follow each other.
    ///   - limit: How many bytes it may become, so that few bytes cannot fill the memory.
    /// - Throws: ``CompressionProblem``.
    public func decompress(_ bytes: [UInt8], limit: Int) throws(CompressionProblem) -> [UInt8] {
        let inflater = Inflater(self)
        inflater.take(bytes)
        var result: [UInt8] = []
        while let piece = try Self.next(of: inflater) {
            guard result.count + piece.count <= limit else { throw .tooLong }
            result += piece
        }
        guard inflater.isAtEnd else { throw .incomplete }
        guard !inflater.hasTrailingBytes else { throw .trailing }
        return result
    }

    private static func next(of inflater: Inflater) throws(CompressionProblem) -> [UInt8]? {
        do throws(Inflater.Damage) { return try inflater.next(atMost: 1 << 16) } catch { throw .damaged }
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
