/// How messages are signed with a pair of keys: the schemes of JSON Web Signatures (RFC 7518 sections 3.3 and 3.4).
public enum SignatureScheme: Hashable, Sendable {
    /// RSASSA-PKCS1-v1_5 with a digest.
    case rsa(Digest)
    /// ECDSA on the curve P-256 with SHA-256; 64 bytes, the two numbers one after the other.
    case p256
    /// ECDSA on the curve P-384 with SHA-384; 96 bytes.
    case p384

    /// The digest of the messages.
    var digest: Digest {
        switch self {
        case .rsa(let digest): digest
        case .p256: .sha256
        case .p384: .sha384
        }
    }

    /// The name of the curve as libcrypto knows it, or nil for RSA.
    var curve: String? {
        switch self {
        case .rsa: nil
        case .p256: "prime256v1"
        case .p384: "secp384r1"
        }
    }

    /// How many bytes each of the two numbers of a signature has; zero for RSA.
    var numberBytes: Int {
        switch self {
        case .rsa: 0
        case .p256: 32
        case .p384: 48
        }
    }
}
