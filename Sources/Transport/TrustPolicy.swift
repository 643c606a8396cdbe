/// Which server certificates a client accepts.
public struct TrustPolicy: Hashable, Sendable {
    /// How a certificate is checked.
    public enum Verification: Hashable, Sendable {
        /// The chain must end at a trusted authority and the name must match.
        case full
        /// Any certificate is accepted, self-signed ones too; for test machines only.
        case none
    }

    /// A version of the protocol, by the name that people know it by.
    public enum Version: String, Hashable, Sendable, CaseIterable {
        /// RFC 2246, which RFC 8996 forbids.
        case tls10 = "1.0"
        /// RFC 4346, which RFC 8996 forbids.
        case tls11 = "1.1"
        /// RFC 5246.
        case tls12 = "1.2"
        /// RFC 8446.
        case tls13 = "1.3"
    }

    /// How the certificate of a server is checked.
    public var verification: Verification

    /// The oldest version that is spoken; those before 1.2 are broken (RFC 8996).
    public var oldestVersion: Version

    /// PEM files of additional authorities, beside those of the operating system.
    public var authorityFiles: [String]

    /// What the client shows to servers that ask for a certificate; nil for none.
    public var identity: ClientIdentity?

    /// Full verification with the authorities of the operating system.
    public static let system = TrustPolicy()

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - verification: How a certificate is checked.
    ///   - authorityFiles: PEM files of additional authorities.
    ///   - oldestVersion: The oldest version that is spoken.
    ///   - identity: What the client shows.
    public init(
        verification: Verification = .full, authorityFiles: [String] = [], oldestVersion: Version = .tls12,
        identity: ClientIdentity? = nil
    ) {
        self.identity = identity
        self.verification = verification
        self.oldestVersion = oldestVersion
        self.authorityFiles = authorityFiles
    }
}
