/// How a client opens a WebSocket, beside what its handshake says.
public struct WebSocketOptions: Hashable, Sendable {
    /// How long something may take.
    public enum TimeLimit: Hashable, Sendable {
        /// As long as whoever carries the machine allows.
        case standard
        /// Exactly so long.
        case after(Duration)
        /// As long as it takes; the operating system gives up after minutes.
        case none

        /// Reads a limit as many products write it: 0 stands for none.
        public init(zeroIsNone limit: Duration) {
            self = limit == .zero ? .none : .after(limit)
        }
    }

    /// Whether the compression of messages is offered (RFC 7692).
    public var offersCompression: Bool

    /// How long it may take to open, connection and handshake together.
    public var timeLimit: TimeLimit

    /// Whether the cookies that servers have set for the place go with the handshake.
    public var sendsCookies: Bool

    /// Creates options.
    public init(offersCompression: Bool = true, timeLimit: TimeLimit = .standard, sendsCookies: Bool = true) {
        self.offersCompression = offersCompression
        self.timeLimit = timeLimit
        self.sendsCookies = sendsCookies
    }
}
