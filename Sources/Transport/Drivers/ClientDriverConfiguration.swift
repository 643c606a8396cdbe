public import Machines

/// The limits and time limits of a client driver; the defaults are defined here.
public struct ClientDriverConfiguration: Hashable, Sendable {
    /// Which certificates are accepted for `https` and `wss`.
    public var trust: TrustPolicy

    /// Which hosts are connected to; nil for all, but a redirect then leads to no host that was not asked.
    public var hosts: AllowedHosts?

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

    /// By which proxies it goes where.
    public var proxies: ProxySettings {
        get { self.someProxies ?? .none }
        set { self.someProxies = newValue == .none ? nil : newValue }
    }

    @Boxed private var someProxies: ProxySettings?

    /// Whether HTTP/2 is offered to servers behind TLS.
    public var offersHTTP2: Bool

    /// Who asks, where requests do not say it themselves; nil for nobody in particular.
    @Boxed public var authorization: OriginAuthorization?

    /// The wall-clock time at ``Instant/start``, in milliseconds since 1970 UTC: cookies expire by it.
    public var epochMilliseconds: Int64

    /// Creates a configuration.
    public init(
        trust: TrustPolicy = .system, hosts: AllowedHosts? = nil, limits: HTTPLimits = HTTPLimits(),
        messageLimit: Int = 16 << 20,
        exchangeTimeout: Duration? = .seconds(120), openTimeout: Duration? = .seconds(30),
        closeTimeout: Duration = .seconds(5), idleConnections: Int = 4, idleTimeout: Duration = .seconds(15),
        proxies: ProxySettings = .none, offersHTTP2: Bool = true,
        authorization: OriginAuthorization? = nil, epochMilliseconds: Int64 = 0
    ) {
        self.trust = trust
        self.hosts = hosts
        self.limits = limits
        self.messageLimit = messageLimit
        self.exchangeTimeout = exchangeTimeout
        self.openTimeout = openTimeout
        self.closeTimeout = closeTimeout
        self.idleConnections = idleConnections
        self.idleTimeout = idleTimeout
        self.someProxies = proxies == .none ? nil : proxies
        self.offersHTTP2 = offersHTTP2
        self.authorization = authorization
        self.epochMilliseconds = epochMilliseconds
    }

    /// Returns how long a WebSocket may take to open; nil for as long as it takes.
    func limit(_ limit: WebSocketOptions.TimeLimit) -> Duration? {
        switch limit {
        case .standard: self.openTimeout
        case .after(let given): given
        case .none: nil
        }
    }
}
