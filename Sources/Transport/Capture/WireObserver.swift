public import Machines

/// Sees every byte and every decoded unit that drivers exchange.
///
/// The observer is called on the worker's thread, after the unit was sent or before it is handed to the machine. It
/// must not call back into the driver. Drivers without an observer make no records at all.
public protocol WireObserver: AnyObject {
    /// Whether bytes as they go over connections are wanted, too; if not, none are kept for a record.
    var wantsBytes: Bool { get }

    /// Takes a record; records of one connection come in the order of the wire.
    func observe(_ record: WireRecord)
}

/// One thing seen on the wire.
public struct WireRecord: Hashable, Sendable {
    /// Whose connection it is and which one, such as `visitor/2`.
    public let connection: String

    /// When it was seen.
    public let at: Instant

    /// Which way it went.
    public let direction: WireDirection

    /// What it was: bytes, or what they were decoded to.
    public let content: WireContent

    /// Creates a record.
    public init(connection: String, at: Instant, direction: WireDirection, content: WireContent) {
        self.connection = connection
        self.at = at
        self.direction = direction
        self.content = content
    }
}

/// Which way something went, seen from the driver that reports it.
public enum WireDirection: String, Hashable, Sendable {
    /// From the driver that reports it to its peer.
    case sent
    /// From the peer.
    case received
}

/// What was seen.
public enum WireContent: Hashable, Sendable {
    /// The connection opened; the endpoint is the peer's.
    case opened(Endpoint)
    /// The connection ended; the text says why if it was not in order.
    case closed(String?)
    /// Bytes as they went over the connection, before encryption; the frame that a client sent has its mask taken off,
    /// its key being zero.
    case bytes([UInt8])
    /// A whole request.
    case request(Request)
    /// A whole response, or for a streamed one its head with the body empty.
    case response(Response)
    /// A piece of a streamed body.
    case bodyPart([UInt8])
    /// A message of a WebSocket, of one or more frames.
    case message(WebSocketMessage)
    /// A message of a link over TCP, and how messages are told apart on it.
    case linkMessage(WebSocketMessage, LinkFraming)
    /// A control frame of a WebSocket, with its payload as it is without the mask.
    case control(WebSocketOpcode, [UInt8])
}
