/// The certificate that a server shows, with its key.
public struct ServerIdentity: Hashable, Sendable {
    /// The certificate chain in PEM form, the server's own certificate first.
    public var certificateChainPEM: String

    /// The private key in PEM form, without a pass phrase.
    public var privateKeyPEM: String

    /// Creates an identity.
    public init(certificateChainPEM: String, privateKeyPEM: String) {
        self.certificateChainPEM = certificateChainPEM
        self.privateKeyPEM = privateKeyPEM
    }
}
