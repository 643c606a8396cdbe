public import Machines

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

/// Who a side is that encrypts a connection in its middle.
public enum StartTLSSide: Hashable, Sendable {
    /// The one that has opened the connection: whom it trusts, and the name that the certificate must have.
    case client(ConnectionSecurity, host: String)
    /// The one that has accepted it; in memory only, where certificates are neither shown nor checked.
    case server
}

/// Hears what happens on a connection.
///
/// The order is: opened once (or not at all; again where encryption begins later), then received any number of times,
/// then end at most once, then closed exactly once unless the connection was aborted from this side.
public protocol ByteStreamDelegate: AnyObject {
    /// The connection is up, with encryption if any.
    func streamOpened()

    /// Bytes arrived; they are only valid during the call.
    func streamReceived(_ bytes: Span<UInt8>)

    /// The other side sends no more; this side still may.
    func streamReachedEnd()

    /// The connection is gone.
    ///
    /// - Parameter failure: Why it never opened or was lost; nil for an orderly end.
    func streamClosed(_ failure: TransportFailure?)
}
