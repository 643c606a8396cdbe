/// How a WebSocket connection ended (RFC 6455 section 7.1.5), or a link over TCP: with 1000 in order, with 1006
/// otherwise.
public struct WebSocketClosure: Hashable, Sendable {
    /// The status code of the close frame; 1005 if it had none, 1006 if the connection ended without a close frame.
    public let code: UInt16

    /// The reason of the close frame, empty if it had none; for 1006 what the transport saw.
    public let reason: String

    /// Whether a close frame was received.
    public var wasClean: Bool { self.code != 1006 }

    /// Creates a closure.
    public init(code: UInt16, reason: String) {
        self.code = code
        self.reason = reason
    }
}
