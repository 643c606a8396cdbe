/// The files of the certificate that a client shows, and of its key.
public struct ClientIdentity: Hashable, Sendable {
    /// A PEM file of the certificate chain, the client's own certificate first.
    public var certificateFile: String

    /// A PEM file of the private key, without a pass phrase.
    public var keyFile: String

    /// Creates an identity.
    public init(certificateFile: String, keyFile: String) {
        self.certificateFile = certificateFile
        self.keyFile = keyFile
    }
}
