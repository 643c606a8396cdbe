import HTTPTypes
import Machines

/// Where a request goes.
struct Destination: Hashable {
    /// How a connection gets there.
    enum Way: Hashable {
        case direct
        /// A proxy is asked for the answer, by the whole URL.
        case relay(Proxy)
        /// A proxy is asked for a connection.
        case tunnel(Proxy)
    }

    let endpoint: Endpoint
    let security: ConnectionSecurity
    let way: Way

    /// Reads scheme and authority of a request.
    ///
    /// - Parameter isTunnel: Whether a proxy has to pass on bytes, because what follows is no exchange of HTTP.
    /// - Throws: What is missing or not allowed, as the failure that the machine gets.
    init(
        _ head: HTTPRequest, _ configuration: ClientDriverConfiguration, isTunnel: Bool = false
    ) throws(TransportFailure) {
        let security: ConnectionSecurity
        let defaultPort: Int
        switch head.scheme {
        case "http", "ws": (security, defaultPort) = (.plain, 80)
        case "https", "wss":
            (security, defaultPort) = (
                .tls(configuration.trust, speaking: configuration.offersHTTP2 && !isTunnel ? .http2 : .http), 443
            )
        default:
            throw TransportFailure(
                .cannotConnect,
                "the URL has the scheme “\(head.scheme ?? "")”; it must be http, https, ws or wss")
        }
        guard let endpoint = Endpoint(authority: head.authority ?? "", defaultPort: defaultPort) else {
            throw TransportFailure(
                .cannotConnect,
                "the URL has the authority “\(head.authority ?? "")”; it must be a host, or a host and a port")
        }
        try self.init(endpoint, security, configuration, isTunnel: isTunnel)
    }

    /// Reads the place of a link over TCP.
    ///
    /// - Throws: What is missing or not allowed, as the failure that the machine gets.
    init(_ request: LinkRequest, _ configuration: ClientDriverConfiguration) throws(TransportFailure) {
        // No port stands for links in general; 0 is none that can be connected to.
        guard let endpoint = Endpoint(authority: request.authority, defaultPort: 0), endpoint.port != 0 else {
            throw TransportFailure(
                .cannotConnect, "the link leads to “\(request.authority)”; it must be a host and a port, host:port")
        }
        try self.init(
            endpoint, request.isSecure ? .tls(configuration.trust, speaking: .unnamed) : .plain, configuration,
            isTunnel: true)
    }

    private init(
        _ endpoint: Endpoint, _ security: ConnectionSecurity, _ configuration: ClientDriverConfiguration, isTunnel: Bool
    ) throws(TransportFailure) {
        guard configuration.hosts?.allows(endpoint.host) != false else {
            throw TransportFailure(.hostRefused, AllowedHosts.refusal(of: endpoint.host))
        }
        self.endpoint = endpoint
        self.security = security
        let isSecure = security != .plain
        let proxy = configuration.proxies.proxy(for: endpoint, isSecure: isSecure)
        self.way = proxy.map { isSecure || isTunnel ? .tunnel($0) : .relay($0) } ?? .direct
    }
}
