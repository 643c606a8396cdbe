/// An open door of a network.
public protocol Listener: AnyObject {
    /// Where it listens; the port is the real one.
    var endpoint: Endpoint { get }

    /// Whether its connections are encrypted, so that its URLs begin with `https` or `wss`.
    var isSecure: Bool { get }

    /// Called with each new connection; returns the connection's delegate, or nil to drop it.
    ///
    /// Connections that arrive while this is nil are dropped.
    var onAccept: ((any ByteStream) -> (any ByteStreamDelegate)?)? { get set }

    /// Stops listening; open connections stay.
    func close()
}

extension Listener {
    /// The origin under which HTTP clients on this machine reach the listener, such as `http://127.0.0.1:8080`.
    public var origin: String { "\(self.isSecure ? "https" : "http")://\(self.endpoint)" }
}
