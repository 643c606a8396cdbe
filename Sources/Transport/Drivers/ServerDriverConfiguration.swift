/// The limits and time limits of a server; the defaults are defined here.
public struct ServerDriverConfiguration: Hashable, Sendable {
    /// When a request is refused, with 413, 414, 431 or 400.
    public var limits: HTTPLimits

    /// The longest WebSocket message taken in, in bytes.
    public var messageLimit: Int

    /// How many connections may be open; more are answered with 503.
    public var connections: Int

    /// How long a request may take to arrive, and how long a connection may wait for its next request.
    public var requestTimeout: Duration

    /// How long a client may take to answer a close frame, or to go after an error was answered.
    public var closeTimeout: Duration

    /// How many bytes a client may send ahead while its request waits for an answer.
    public var aheadLimit: Int

    /// How clients are served that speak no HTTP; nil if all do.
    public var links: ServerLinks?

    /// Whose connections are observed, if anybody observes them.
    public var observed: ObservedClients

    /// Creates a configuration.
    public init(
        limits: HTTPLimits = HTTPLimits(), messageLimit: Int = 16 << 20, connections: Int = 100_000,
        requestTimeout: Duration = .seconds(60), closeTimeout: Duration = .seconds(5), aheadLimit: Int = 64 << 10,
        links: ServerLinks? = nil, observed: ObservedClients = .everybody
    ) {
        self.limits = limits
        self.messageLimit = messageLimit
        self.connections = connections
        self.requestTimeout = requestTimeout
        self.closeTimeout = closeTimeout
        self.aheadLimit = aheadLimit
        self.links = links
        self.observed = observed
    }
}
