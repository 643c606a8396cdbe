internal import CCrypto

/// A private key that signs, or a public key that checks signatures, read from its PEM text by the system's libcrypto.
public final class KeyPair {
    /// Why a key cannot be used.
    public enum Problem: Error, Hashable {
        /// The text is no key in PEM, or one that a password protects.
        case unreadable
        /// The key is of another kind than the scheme, or on another curve.
        case unsuited
    }

    /// Longer texts are no keys; a key of RSA with 16,384 bits has about 13,000 bytes.
    private static let longestText = 1 << 14

    private let key: OpaquePointer

    /// Reads a private key: PKCS #8, or the older forms of RSA and elliptic curves.
    ///
    /// - Throws: ``Problem/unreadable``.
    public init(privateKey text: [UInt8]) throws(Problem) {
        // A password is taken from here and not asked for on the terminal.
        var none: CChar = 0
        self.key = try Self.read(text) { PEM_read_bio_PrivateKey($0, nil, nil, &none) }
    }

    /// Reads a public key (`BEGIN PUBLIC KEY`).
    ///
    /// - Throws: ``Problem/unreadable``.
    public init(publicKey text: [UInt8]) throws(Problem) {
        self.key = try Self.read(text) { PEM_read_bio_PUBKEY($0, nil, nil, nil) }
    }

    deinit { EVP_PKEY_free(self.key) }

    private static func read(
        _ text: [UInt8], _ read: (OpaquePointer) -> OpaquePointer?
    ) throws(Problem) -> OpaquePointer {
        CryptoLibrary.prepare()
        defer { ERR_clear_error() }
        guard text.count <= Self.longestText, let source = BIO_new_mem_buf(text, CInt(text.count)) else {
            throw .unreadable
        }
        defer { BIO_free(source) }
        guard let key = read(source) else { throw .unreadable }
        return key
    }

    /// Signs a message.
    ///
    /// The signatures of elliptic curves differ each time, because a random number goes into them.
    ///
    /// - Throws: ``Problem/unsuited`` if the key is not of the scheme.
    public func signature(of message: [UInt8], _ scheme: SignatureScheme) throws(Problem) -> [UInt8] {
        defer { ERR_clear_error() }
        guard self.suits(scheme), let context = EVP_MD_CTX_new() else { throw .unsuited }
        defer { EVP_MD_CTX_free(context) }
        var count = 0
        guard EVP_DigestSignInit(context, nil, scheme.digest.function, nil, self.key) == 1,
            EVP_DigestSign(context, nil, &count, message, message.count) == 1
        else { throw .unsuited }
        var signature = [UInt8](repeating: 0, count: count)
        guard EVP_DigestSign(context, &signature, &count, message, message.count) == 1 else { throw .unsuited }
        signature.removeLast(signature.count - count)
        return scheme.curve == nil ? signature : try Self.numbers(of: signature, scheme)
    }

    /// Whether a signature is that of a message.
    ///
    /// - Throws: ``Problem/unsuited`` if the key is not of the scheme.
    public func isValid(
        _ signature: [UInt8], for message: [UInt8], _ scheme: SignatureScheme
    ) throws(Problem) -> Bool {
        defer { ERR_clear_error() }
        guard self.suits(scheme), let context = EVP_MD_CTX_new() else { throw .unsuited }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestVerifyInit(context, nil, scheme.digest.function, nil, self.key) == 1 else { throw .unsuited }
        guard let encoded = scheme.curve == nil ? signature : Self.sequence(of: signature, scheme) else { return false }
        return EVP_DigestVerify(context, encoded, encoded.count, message, message.count) == 1
    }

    private func suits(_ scheme: SignatureScheme) -> Bool {
        guard let curve = scheme.curve else { return EVP_PKEY_is_a(self.key, "RSA") == 1 }
        guard EVP_PKEY_is_a(self.key, "EC") == 1 else { return false }
        var name = [CChar](repeating: 0, count: 64)
        var count = 0
        guard EVP_PKEY_get_group_name(self.key, &name, name.count, &count) == 1 else { return false }
        return String(decoding: name.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self) == curve
    }

    /// Returns the two numbers of a signature, one after the other, from the form in which libcrypto makes it.
    private static func numbers(of encoded: [UInt8], _ scheme: SignatureScheme) throws(Problem) -> [UInt8] {
        let signature = encoded.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            return d2i_ECDSA_SIG(nil, &start, bytes.count)
        }
        guard let signature else { throw .unsuited }
        defer { ECDSA_SIG_free(signature) }
        var numbers: [UInt8] = []
        for number in [ECDSA_SIG_get0_r(signature), ECDSA_SIG_get0_s(signature)] {
            var bytes = [UInt8](repeating: 0, count: scheme.numberBytes)
            guard BN_bn2binpad(number, &bytes, CInt(bytes.count)) == CInt(bytes.count) else { throw .unsuited }
            numbers += bytes
        }
        return numbers
    }

    /// Returns the form in which libcrypto checks two numbers, or nil if there are not two of their length.
    private static func sequence(of numbers: [UInt8], _ scheme: SignatureScheme) -> [UInt8]? {
        guard numbers.count == 2 * scheme.numberBytes, let signature = ECDSA_SIG_new() else { return nil }
        defer { ECDSA_SIG_free(signature) }
        let size = CInt(scheme.numberBytes)
        // The signature owns its numbers from here on.
        guard
            ECDSA_SIG_set0(
                signature, BN_bin2bn(numbers, size, nil), BN_bin2bn(Array(numbers[Int(size)...]), size, nil)) == 1
        else { return nil }
        var encoded: UnsafeMutablePointer<UInt8>?
        let count = i2d_ECDSA_SIG(signature, &encoded)
        guard count > 0, let encoded else { return nil }
        defer { CRYPTO_free(encoded, #file, #line) }
        return Array(UnsafeBufferPointer(start: encoded, count: Int(count)))
    }
}
