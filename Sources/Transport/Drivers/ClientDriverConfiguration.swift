public import Machines

/// What a client driver keeps to.
public struct ClientDriverConfiguration: Hashable, Sendable {
    /// Which certificates are accepted for `https` and `wss`.
    public var trust: TrustPolicy

    /// Which hosts are connected to; nil for all, but a redirect then leads to no host that was not asked.
    public var hosts: AllowedHosts?

    /// What is too large, too long or too many; nil for the defaults, which nearly all keep to.
    @Boxed private var ownBounds: ClientBounds?

    /// What is too large, too long or too many.
    public var bounds: ClientBounds {
        get { self.ownBounds ?? .standard }
        set { self.ownBounds = newValue == .standard ? nil : newValue }
    }

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
        trust: TrustPolicy = .system, hosts: AllowedHosts? = nil, bounds: ClientBounds = .standard,
        proxies: ProxySettings = .none, offersHTTP2: Bool = true,
        authorization: OriginAuthorization? = nil, epochMilliseconds: Int64 = 0
    ) {
        self.trust = trust
        self.hosts = hosts
        self.ownBounds = bounds == .standard ? nil : bounds
        self.someProxies = proxies == .none ? nil : proxies
        self.offersHTTP2 = offersHTTP2
        self.authorization = authorization
        self.epochMilliseconds = epochMilliseconds
    }
}
