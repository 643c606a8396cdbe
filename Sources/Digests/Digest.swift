internal import CCrypto

/// The digests of messages, computed by the system's libcrypto.
///
/// A digest is called with a message: `Digest.sha256(message)`.
public enum Digest: String, CaseIterable, Sendable {
    /// MD5 (RFC 1321), 16 bytes; a check that old protocols ask for, and no protection.
    case md5
    /// SHA-1 (RFC 3174), 20 bytes; the WebSocket handshake uses it as a check, not as protection.
    case sha1
    /// SHA-256 (FIPS 180-4), 32 bytes.
    case sha256
    /// SHA-384 (FIPS 180-4), 48 bytes.
    case sha384
    /// SHA-512 (FIPS 180-4), 64 bytes.
    case sha512

    /// How many bytes a digest has.
    public var count: Int {
        switch self {
        case .md5: 16
        case .sha1: 20
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    /// Returns the digest of a message.
    public func callAsFunction(_ message: [UInt8]) -> [UInt8] {
        CryptoLibrary.prepare()
        var digest = [UInt8](repeating: 0, count: self.count)
        // Only a library without this function or without memory says no, and then nothing that follows could be right.
        guard EVP_Digest(message, message.count, &digest, nil, self.function, nil) == 1 else {
            preconditionFailure("libcrypto computes no \(self)")
        }
        return digest
    }

    /// Returns a key made from a password by PBKDF2 with HMAC (RFC 8018 section 5.2), which takes as long as it is
    /// told to.
    ///
    /// - Parameters:
    ///   - password: The password, of any length.
    ///   - salt: What makes the same password another key elsewhere.
    ///   - iterations: How often the code is computed for each part of the key; at least one.
    ///   - count: How many bytes the key has; at least one.
    public func key(password: [UInt8], salt: [UInt8], iterations: Int, count: Int) -> [UInt8] {
        CryptoLibrary.prepare()
        var key = [UInt8](repeating: 0, count: count)
        let isDone = password.withUnsafeBytes { password in
            PKCS5_PBKDF2_HMAC(
                password.baseAddress?.assumingMemoryBound(to: CChar.self), CInt(clamping: password.count), salt,
                CInt(clamping: salt.count), CInt(clamping: iterations), self.function, CInt(clamping: count), &key)
        }
        guard isDone == 1 else { preconditionFailure("libcrypto computes no PBKDF2 with \(self)") }
        return key
    }

    /// The function as libcrypto knows it.
    var function: OpaquePointer? {
        switch self {
        case .md5: EVP_md5()
        case .sha1: EVP_sha1()
        case .sha256: EVP_sha256()
        case .sha384: EVP_sha384()
        case .sha512: EVP_sha512()
        }
    }
}
