/// Where requests go: a place that the target allows, and a path there.
///
/// What the target allows is what ``AllowedHosts`` says; anything else would let a script that somebody was sent reach
/// whatever it likes.
public struct TargetAddress: Hashable, Sendable {
    /// `http` or `https`; WebSockets go by the same places.
    public private(set) var scheme: String

    /// Host and port.
    public private(set) var authority: String

    /// The path with its query; begins with a slash.
    public private(set) var path: String
    private let hosts: AllowedHosts

    /// Reads the origin of a target, which may have a path.
    ///
    /// - Parameter friends: Further hosts that may be reached.
    /// - Throws: ``ConfigurationError`` if it is not the URL of an HTTP server.
    public init(origin: String, friends: [String] = []) throws(ConfigurationError) {
        (self.scheme, self.authority, self.path) = try Self.parts(of: origin)
        self.hosts = AllowedHosts(origin: origin, friends: friends)
    }

    /// Goes to another place: a whole URL, a path from the root (`/chat`), or one below the present one (`chat`).
    ///
    /// - Throws: ``ConfigurationError`` if the URL cannot be used or leads to a host that the target does not name.
    public mutating func go(to url: String) throws(ConfigurationError) {
        let url = String(url.prefix { $0 != "#" })
        if url.contains("://") {
            let (scheme, authority, path) = try Self.parts(of: url)
            let host = AllowedHosts.host(of: authority)
            guard self.hosts.allows(host) else { throw ConfigurationError(AllowedHosts.refusal(of: host)) }
            (self.scheme, self.authority, self.path) = (scheme, authority, path)
        } else if url.hasPrefix("/") {
            self.path = url
        } else if url.hasPrefix("?") {
            self.path = self.path.prefix { $0 != "?" } + url
        } else if !url.isEmpty {
            let base = self.path.prefix { $0 != "?" }
            self.path = base + (base.hasSuffix("/") ? "" : "/") + url
        }
    }

    /// The host in lower case, without its port.
    public var host: String { AllowedHosts.host(of: self.authority) }

    /// The scheme of a WebSocket at the same place: `ws` or `wss`.
    public var webSocketScheme: String { self.scheme == "https" ? "wss" : "ws" }

    private static func parts(
        of url: String
    ) throws(ConfigurationError) -> (scheme: String, authority: String, path: String) {
        guard let separator = url.firstRange(of: "://") else {
            throw ConfigurationError("the URL \"\(url)\" has no scheme; write http://host:port/path")
        }
        let scheme = String(url[..<separator.lowerBound]).lowercased()
        guard let plain = ["http": "http", "https": "https", "ws": "http", "wss": "https"][scheme] else {
            throw ConfigurationError("the URL \"\(url)\" is not an HTTP URL; it begins with http:// or https://")
        }
        let rest = url[separator.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        let authority = rest[..<end]
        guard !authority.isEmpty, !authority.contains("@") else {
            throw ConfigurationError(
                "the URL \"\(url)\" needs a host without a user; credentials go into the headers or the token")
        }
        let path = rest[end...].prefix { $0 != "#" }
        return (plain, String(authority), path.hasPrefix("/") ? String(path) : "/" + path)
    }
}
