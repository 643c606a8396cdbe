import Machines

/// What is too large, too long or too many for a client driver; the defaults are defined here.
public struct ClientBounds: Hashable, Sendable {
    /// The defaults.
    public static let standard = ClientBounds()

    /// When an answer is refused; the body limit holds for whole answers, not for streamed ones.
    public var limits: HTTPLimits

    /// The longest WebSocket message taken in, in bytes.
    public var messageLimit: Int

    /// How long an exchange may take until its answer is whole, or for a streamed one until its head is there, unless
    /// its request has a limit of its own.
    public var exchangeTimeout: Duration?

    /// How long a WebSocket may take to open, handshake included.
    public var openTimeout: Duration?

    /// How long the peer may take to answer a close frame, and then to end the connection.
    public var closeTimeout: Duration

    /// How many connections without an exchange are kept for the next one.
    public var idleConnections: Int

    /// How long an idle connection is kept for reuse; the server may have just closed an older one.
    public var idleTimeout: Duration

    /// Creates bounds; those that are not given are the defaults.
    public init(
        limits: HTTPLimits = HTTPLimits(), messageLimit: Int = 16 << 20, exchangeTimeout: Duration? = .seconds(120),
        openTimeout: Duration? = .seconds(30), closeTimeout: Duration = .seconds(5), idleConnections: Int = 4,
        idleTimeout: Duration = .seconds(15)
    ) {
        self.limits = limits
        self.messageLimit = messageLimit
        self.exchangeTimeout = exchangeTimeout
        self.openTimeout = openTimeout
        self.closeTimeout = closeTimeout
        self.idleConnections = idleConnections
        self.idleTimeout = idleTimeout
    }

    /// Returns how long a WebSocket may take to open; nil for as long as it takes.
    func limit(_ limit: OpeningLimit) -> Duration? {
        switch limit {
        case .standard: self.openTimeout
        case .after(let given): given
        case .none: nil
        }
    }
}
