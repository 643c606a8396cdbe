/// What went over a connection in one piece: a frame, a request, a response.
public struct WireFrame: Hashable, Sendable {
    /// Which way the bytes went, as seen by the actor.
    public enum Direction: String, Hashable, Sendable, CaseIterable {
        /// To its peer.
        case sent
        /// From its peer.
        case received
    }

    /// The bytes, or the first of them.
    public enum Payload: Hashable, Sendable {
        /// Bytes that are text.
        case text(String)
        /// Bytes that are not, in Base64 (RFC 4648 section 4).
        case base64(String)
    }

    /// The name of the connection, such as `visitor/websocket`.
    public var connection: String

    /// Which way the bytes went.
    public var direction: Direction

    /// What it was, in one line, such as `POST /chat 200` or `text frame, 120 bytes`.
    public var summary: String

    /// The bytes, if they were captured.
    public var payload: Payload?

    /// Whether only the first bytes were captured.
    public var isTruncated: Bool

    /// Creates the description of what went over a connection.
    public init(
        connection: String, direction: Direction, summary: String, payload: Payload? = nil, isTruncated: Bool = false
    ) {
        self.connection = connection
        self.direction = direction
        self.summary = summary
        self.payload = payload
        self.isTruncated = isTruncated
    }
}
