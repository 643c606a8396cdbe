import HTTPTypes
public import Machines

/// Who asks at some servers, where requests do not say it themselves.
public struct OriginAuthorization: Hashable, Sendable {
    /// What is shown there.
    public enum Credentials: Hashable, Sendable {
        /// The value of the Authorization header.
        case header(String)
        /// A token that has to be asked for.
        case grant(OAuthGrant)
    }

    private struct Origin: Hashable, Sendable {
        let isSecure: Bool
        let endpoint: Endpoint
    }

    private let credentials: Credentials
    private let origins: Set<Origin>

    /// Creates a description.
    ///
    /// - Parameters:
    ///   - credentials: What is shown.
    ///   - origins: To which servers, by URLs of HTTP or WebSockets; nobody else is told.
    public init(_ credentials: Credentials, origins: [String]) {
        self.credentials = credentials
        self.origins = Set(
            origins.compactMap { url in
                WebAddress(webSocket: url).flatMap { Self.origin(scheme: $0.scheme, authority: $0.authority) }
            })
    }

    private static func origin(scheme: String, authority: String) -> Origin? {
        let isSecure = scheme == "https" || scheme == "wss"
        return Endpoint(authority: authority, defaultPort: isSecure ? 443 : 80)
            .map { Origin(isSecure: isSecure, endpoint: $0) }
    }

    /// Returns what a request shows; nil if it goes elsewhere, or says itself who asks.
    func credentials(for head: HTTPRequest) -> Credentials? {
        guard head.headerFields[.authorization] == nil,
            let origin = Self.origin(scheme: head.scheme ?? "", authority: head.authority ?? ""),
            self.origins.contains(origin)
        else { return nil }
        return self.credentials
    }
}
