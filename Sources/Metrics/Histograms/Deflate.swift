internal import CZlib

/// The stream format of zlib (RFC 1950).
enum Deflate {
    /// Returns bytes compressed.
    static func compress(_ bytes: [UInt8]) -> [UInt8] {
        var length = compressBound(uLong(bytes.count))
        var result = [UInt8](repeating: 0, count: Int(length))
        // With room for the bound and a valid level it cannot fail.
        _ = CZlib.compress2(&result, &length, bytes, uLong(bytes.count), Z_DEFAULT_COMPRESSION)
        result.removeLast(result.count - Int(length))
        return result
    }

    /// Returns what compressed bytes stand for.
    ///
    /// - Parameters:
    ///   - bytes: One stream and nothing after it.
    ///   - limit: How many bytes it may become, so that a small file cannot fill the memory.
    /// - Returns: Nil if the stream is damaged or becomes more than the limit.
    static func expand(_ bytes: some Collection<UInt8>, limit: Int) -> [UInt8]? {
        let input = Array(bytes)
        var used = uLong(input.count)
        var length = uLong(limit)
        var result = [UInt8](repeating: 0, count: limit)
        guard CZlib.uncompress2(&result, &length, input, &used) == Z_OK, Int(used) == input.count else { return nil }
        result.removeLast(limit - Int(length))
        return result
    }
}
