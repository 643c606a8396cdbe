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
    private let acceptsLinks: Bool

    /// Whether it was given as the place of a link over TCP, `tcp` or `tls`; its scheme says whether that is encrypted.
    public private(set) var isLink: Bool

    /// Reads the origin of a target, which may have a path.
    ///
    /// - Parameters:
    ///   - friends: Further hosts that may be reached.
    ///   - acceptsLinks: Whether it may be the place of a link over TCP: `tcp://host:port` or `tls://host:port`.
    /// - Throws: ``ConfigurationError`` if it is not the URL of an HTTP server, or of a link.
    public init(origin: String, friends: [String] = [], acceptsLinks: Bool = false) throws(ConfigurationError) {
        let parts = try Self.parts(of: origin, acceptsLinks)
        (self.scheme, self.authority, self.path, self.isLink) = (
            parts.scheme, parts.authority, parts.path, parts.isLink
        )
        self.acceptsLinks = acceptsLinks
        self.hosts = AllowedHosts(origin: origin, friends: friends)
    }

    /// Goes to another place: a whole URL, a path from the root (`/chat`), or one below the present one (`chat`).
    ///
    /// - Throws: ``ConfigurationError`` if the URL cannot be used or leads to a host that the target does not name.
    public mutating func go(to url: String) throws(ConfigurationError) {
        let url = Self.withEncodedControls(url.prefix { $0 != "#" })
        if url.contains("://") {
            let parts = try Self.parts(of: url, self.acceptsLinks)
            let host = AllowedHosts.host(of: parts.authority)
            guard self.hosts.allows(host) else { throw ConfigurationError(AllowedHosts.refusal(of: host)) }
            (self.scheme, self.authority, self.path, self.isLink) =
                (parts.scheme, parts.authority, parts.path, parts.isLink)
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

    /// Returns a text whose control characters are percent-encoded: the head of a request has a space in the place of a
    /// NUL or a line end, and names something else then.
    private static func withEncodedControls(_ text: Substring) -> String {
        var encoded = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard scalar.value < 0x20 || scalar.value == 0x7F else {
                encoded.append(scalar)
                continue
            }
            encoded.append(contentsOf: FormEncoding.percentEncode(String(scalar)).unicodeScalars)
        }
        return String(encoded)
    }

    private static func parts(
        of url: String, _ acceptsLinks: Bool
    ) throws(ConfigurationError) -> (scheme: String, authority: String, path: String, isLink: Bool) {
        guard let separator = url.firstRange(of: "://") else {
            throw ConfigurationError("the URL \"\(url)\" has no scheme; write http://host:port/path")
        }
        let scheme = String(url[..<separator.lowerBound]).lowercased()
        let link = acceptsLinks ? ["tcp": "http", "tls": "https"][scheme] : nil
        guard let plain = link ?? ["http": "http", "https": "https", "ws": "http", "wss": "https"][scheme] else {
            throw ConfigurationError(
                "the URL \"\(url)\" is not an HTTP URL; it begins with http:// or https://"
                    + (acceptsLinks ? ", that of a link over TCP with tcp:// or tls://" : ""))
        }
        let rest = url[separator.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        let authority = rest[..<end]
        guard !authority.isEmpty, !authority.contains("@") else {
            throw ConfigurationError(
                "the URL \"\(url)\" needs a host without a user; credentials go into the headers or the token")
        }
        let path = rest[end...].prefix { $0 != "#" }
        return (plain, String(authority), path.hasPrefix("/") ? String(path) : "/" + path, link != nil)
    }
}
