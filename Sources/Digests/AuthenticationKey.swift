internal import CCrypto

/// A key with which messages are authenticated by HMAC-SHA256 (RFC 2104), computed by the system's libcrypto.
public struct AuthenticationKey: Sendable {
    private let bytes: [UInt8]

    /// Takes the bytes of a key, of any length.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Returns the 32 bytes that authenticate a message.
    public func code(for message: [UInt8]) -> [UInt8] {
        Library.prepare()
        var code = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        // Only a library without this function or without memory says no; a code of zeros must not look like an answer.
        guard HMAC(EVP_sha256(), self.bytes, CInt(self.bytes.count), message, message.count, &code, nil) != nil
        else { preconditionFailure("libcrypto computes no HMAC-SHA256") }
        return code
    }

    /// Whether a code authenticates a message; takes as long for a wrong code as for the right one.
    public func isValid(_ code: [UInt8], for message: [UInt8]) -> Bool {
        let expected = self.code(for: message)
        return code.count == expected.count && CRYPTO_memcmp(code, expected, expected.count) == 0
    }
}
