internal import CCrypto

/// HMAC (RFC 2104): a key with which messages are authenticated, computed by the system's libcrypto.
public struct HMAC: Sendable {
    private let bytes: [UInt8]
    private let digest: Digest

    /// Takes the bytes of a key, of any length.
    ///
    /// - Parameters:
    ///   - bytes: The key.
    ///   - digest: The digest that the codes are made with.
    public init(_ bytes: [UInt8], digest: Digest = .sha256) {
        self.bytes = bytes
        self.digest = digest
    }

    /// Returns what authenticates a message: as many bytes as the digest has.
    public func code(for message: [UInt8]) -> [UInt8] {
        CryptoLibrary.prepare()
        var code = [UInt8](repeating: 0, count: self.digest.count)
        // Only a library without this function or without memory says no; a code of zeros must not look like an answer.
        guard
            CCrypto.HMAC(
                self.digest.function, self.bytes, CInt(clamping: self.bytes.count), message, message.count, &code, nil)
                != nil
        else { preconditionFailure("libcrypto computes no HMAC with \(self.digest)") }
        return code
    }

    /// Whether a code authenticates a message; takes as long for a wrong code as for the right one.
    public func isValid(_ code: [UInt8], for message: [UInt8]) -> Bool {
        let expected = self.code(for: message)
        return code.count == expected.count && CRYPTO_memcmp(code, expected, expected.count) == 0
    }
}
