/// How a client opens a WebSocket, beside what its handshake says.
public struct WebSocketOptions: Hashable, Sendable {
    /// Whether the compression of messages is offered (RFC 7692).
    public var offersCompression: Bool

    /// How long it may take to open, connection and handshake together.
    public var timeLimit: OpeningLimit

    /// Whether the cookies that servers have set for the place go with the handshake.
    public var sendsCookies: Bool

    /// Creates options.
    public init(offersCompression: Bool = true, timeLimit: OpeningLimit = .standard, sendsCookies: Bool = true) {
        self.offersCompression = offersCompression
        self.timeLimit = timeLimit
        self.sendsCookies = sendsCookies
    }
}
