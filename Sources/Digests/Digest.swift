internal import CCrypto

/// The digests of messages, computed by the system's libcrypto.
public enum Digest {
    /// Returns the 20 bytes of the SHA-1 digest (RFC 3174), which the WebSocket handshake uses as a check, not as
    /// protection.
    public static func sha1(_ message: [UInt8]) -> [UInt8] {
        Library.prepare()
        return Self.fill(count: Int(SHA_DIGEST_LENGTH)) { SHA1(message, message.count, &$0) }
    }

    /// Returns the 32 bytes of the SHA-256 digest (FIPS 180-4).
    public static func sha256(_ message: [UInt8]) -> [UInt8] {
        Library.prepare()
        return Self.fill(count: Int(SHA256_DIGEST_LENGTH)) { SHA256(message, message.count, &$0) }
    }

    private static func fill(
        count: Int, _ compute: (inout [UInt8]) -> UnsafeMutablePointer<UInt8>?
    ) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: count)
        // Only a library without this function or without memory says no, and then nothing that follows could be right.
        guard compute(&digest) != nil else { preconditionFailure("libcrypto computes no digest of \(count) bytes") }
        return digest
    }
}
