import HTTPTypes
import Machines

/// Where a request goes.
struct Destination: Hashable {
    let endpoint: Endpoint
    let security: ConnectionSecurity

    /// Reads scheme and authority of a request.
    ///
    /// - Throws: What is missing or not allowed, as the failure that the machine gets.
    init(_ head: HTTPRequest, _ configuration: ClientPortConfiguration) throws(TransportFailure) {
        let trust = configuration.trust
        let security: ConnectionSecurity
        let defaultPort: Int
        switch head.scheme {
        case "http", "ws": (security, defaultPort) = (.plain, 80)
        case "https", "wss": (security, defaultPort) = (.tls(trust), 443)
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
        guard configuration.hosts?.allows(endpoint.host) != false else {
            throw TransportFailure(.hostRefused, AllowedHosts.refusal(of: endpoint.host))
        }
        self.endpoint = endpoint
        self.security = security
    }
}
