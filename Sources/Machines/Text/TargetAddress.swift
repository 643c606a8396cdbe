/// Where requests go: a place that the target allows, and a path there.
///
/// Scripts reach the target's own host, this machine and the hosts that the target names; anything else would let a
/// script that somebody was sent reach whatever it likes.
public struct TargetAddress: Hashable, Sendable {
    /// `http` or `https`; WebSockets go by the same places.
    public private(set) var scheme: String

    /// Host and port.
    public private(set) var authority: String

    /// The path with its query; begins with a slash.
    public private(set) var path: String
    private let home: String
    private let friends: [String]

    /// Reads the origin of a target, which may have a path.
    ///
    /// - Parameter friends: Further hosts that may be reached.
    /// - Throws: ``ConfigurationError`` if it is not the URL of an HTTP server.
    public init(origin: String, friends: [String] = []) throws(ConfigurationError) {
        (self.scheme, self.authority, self.path) = try Self.parts(of: origin)
        self.home = Self.host(of: self.authority)
        self.friends = friends.map { $0.lowercased() }
    }

    /// Goes to another place: a whole URL, a path from the root (`/chat`), or one below the present one (`chat`).
    ///
    /// - Throws: ``ConfigurationError`` if the URL cannot be used or leads to a host that the target does not name.
    public mutating func go(to url: String) throws(ConfigurationError) {
        let url = String(url.prefix { $0 != "#" })
        if url.contains("://") {
            let (scheme, authority, path) = try Self.parts(of: url)
            let host = Self.host(of: authority)
            guard host == self.home || Self.isThisMachine(host) || self.friends.contains(host) else {
                throw ConfigurationError(
                    "\(host) is neither the target's host nor this machine; add it to the target's settings in "
                        + "repartee.lua: settings = { hosts = { \"\(host)\" } }")
            }
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
    public var host: String { Self.host(of: self.authority) }

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

    /// Returns the host of an authority in lower case, without its port.
    private static func host(of authority: String) -> String {
        let lowered = authority.lowercased()
        if lowered.hasPrefix("["), let end = lowered.firstIndex(of: "]") { return String(lowered[...end]) }
        return String(lowered.prefix { $0 != ":" })
    }

    private static func isThisMachine(_ host: String) -> Bool {
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        let isLoopback = numbers.count == 4 && numbers[0] == "127" && numbers.allSatisfy { UInt8($0) != nil }
        return isLoopback || host == "localhost" || host == "[::1]"
    }
}
