/// One connection: bytes in both directions, in order.
public protocol ByteStream: AnyObject {
    /// The other side's address, as far as it is known.
    var peer: Endpoint { get }

    /// Whether a connection that was accepted comes from outside of this process; to be asked once something has come
    /// on it.
    var isFromOutside: Bool { get }

    /// What both sides have agreed to speak in the handshake of TLS (RFC 7301), such as `h2`; nil if they have not.
    var agreedProtocol: String? { get }

    /// How long it took to open the connection, step by step; complete once the delegate hears that it is open.
    var openingTimes: OpeningTimes { get }

    /// Sends bytes after all that was written before. Ignored after ``finish()``, ``abort()`` or the end.
    func write(_ bytes: [UInt8])

    /// Ends this side's direction once everything written is sent; the other direction stays open.
    func finish()

    /// Closes both directions once everything written is sent. The delegate hears
    /// ``ByteStreamDelegate/streamClosed(_:)``.
    func close()

    /// Encrypts an open connection from here on, as what stands behind a proxy asks for. The delegate hears
    /// ``ByteStreamDelegate/streamOpened()`` again once it is encrypted.
    ///
    /// - Parameters:
    ///   - security: Whom to trust; nothing happens for ``ConnectionSecurity/plain``.
    ///   - host: The name that the certificate must have.
    func encrypt(_ security: ConnectionSecurity, host: String)

    /// Encrypts an open connection in its middle, as both sides have agreed on it (STARTTLS). What is written from here
    /// on waits until it is encrypted, of which the delegate hears by ``ByteStreamDelegate/streamOpened()``; what it
    /// hears before that came in the open.
    func startTLS(_ side: StartTLSSide)

    /// Drops the connection at once; unsent bytes are lost and the delegate hears nothing more.
    ///
    /// The other side hears a failure, not an orderly end.
    func abort()
}

extension ByteStream {
    public var isFromOutside: Bool { false }

    public func startTLS(_ side: StartTLSSide) {
        // A server over sockets has no certificate for that.
        if case .client(let security, let host) = side { self.encrypt(security, host: host) }
    }
}
