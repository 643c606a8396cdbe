public import Machines

/// Where connections come from: the sockets of this machine, or memory.
///
/// Networks, their connections and listeners are confined to the one thread of their worker. No callback ever runs
/// inside a call of the party that it calls back, so nobody has to be prepared for re-entrance.
public protocol Network: AnyObject {
    /// Starts a connection.
    ///
    /// - Parameters:
    ///   - endpoint: Where to; a name is resolved by the network.
    ///   - security: Whether the connection is encrypted, and whom it trusts.
    ///   - timeLimit: How long it may take until the connection is up; the standard is the network's own.
    ///   - delegate: Hears what becomes of the connection; held until ``ByteStreamDelegate/streamClosed(_:)`` was
    ///     called.
    /// - Returns: The connection; what is written before it is open is sent when it opens.
    func connect(
        to endpoint: Endpoint, security: ConnectionSecurity, timeLimit: OpeningLimit,
        delegate: any ByteStreamDelegate
    ) -> any ByteStream

    /// Opens a listener.
    ///
    /// - Parameters:
    ///   - endpoint: The own address; port 0 asks for any free port.
    ///   - identity: The certificate to show; nil for connections without encryption.
    /// - Returns: The listener, bound already; its ``Listener/endpoint`` has the port.
    /// - Throws: ``TransportFailure`` with the code `cannot_connect` or `tls_failed` and what to do.
    func listen(on endpoint: Endpoint, identity: ServerIdentity?) throws(TransportFailure) -> any Listener
}

extension Network {
    /// Starts a connection that may take as long as the network allows.
    public func connect(
        to endpoint: Endpoint, security: ConnectionSecurity, delegate: any ByteStreamDelegate
    ) -> any ByteStream {
        self.connect(to: endpoint, security: security, timeLimit: .standard, delegate: delegate)
    }
}
