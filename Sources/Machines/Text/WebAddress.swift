public import HTTPTypes

/// The parts of an absolute URL that a request needs.
public struct WebAddress: Hashable, Sendable, CustomStringConvertible {
    /// `http` or `https`, of WebSockets also `ws` or `wss`.
    public let scheme: String

    /// Host and port.
    public let authority: String

    /// Path and query; at least `/`.
    public let path: String

    /// Reads a URL that a peer sent, `http` or `https`.
    ///
    /// - Returns: Nil unless the URL is absolute, visible ASCII and at most 4,096 bytes long, so that nothing in it can
    ///   end a header line.
    public init?(_ text: String) { self.init(text, schemes: ["http", "https"]) }

    /// Reads a URL of a WebSocket, or of HTTP, by which some servers name their WebSockets.
    ///
    /// - Returns: Nil as of ``init(_:)``.
    public init?(webSocket text: String) { self.init(text, schemes: ["http", "https", "ws", "wss"]) }

    private init?(_ text: String, schemes: [String]) {
        guard text.utf8.count <= 4096, text.isVisibleASCII, let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")),
            text.utf8[colon...].starts(with: "://".utf8)
        else { return nil }
        let scheme = text[..<colon].lowercased()
        guard schemes.contains(scheme) else { return nil }
        let rest = text.utf8[colon...].dropFirst(3)
        let end =
            rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
            ?? rest.endIndex
        guard end > rest.startIndex else { return nil }
        let tail = Substring(rest[end...].prefix { $0 != UInt8(ascii: "#") })
        self.init(
            scheme: scheme, authority: String(Substring(rest[..<end])),
            path: tail.utf8.first == UInt8(ascii: "/") ? String(tail) : "/" + tail)
    }

    private init(scheme: String, authority: String, path: String) {
        self.scheme = scheme
        self.authority = authority
        self.path = path
    }

    /// Creates the address of a request.
    ///
    /// - Returns: Nil unless it is one of HTTP or of a WebSocket.
    public init?(of head: HTTPRequest) {
        guard let scheme = head.scheme, ["http", "https", "ws", "wss"].contains(scheme), let authority = head.authority
        else { return nil }
        self.init(scheme: scheme, authority: authority, path: head.path ?? "/")
    }

    /// The address as a URL.
    public var description: String { "\(self.scheme)://\(self.authority)\(self.path)" }

    /// Returns where a reference in an answer from here leads (RFC 3986 section 5.2): a whole URL, `//host/path`, a
    /// path from the root or beside this one, or another query. What comes after `#` is left out.
    ///
    /// - Returns: Nil unless that is the URL of an HTTP server without a user, visible ASCII and at most 4,096 bytes
    ///   long.
    public func following(_ reference: String) -> WebAddress? {
        let reference = String(reference.prefix { $0 != "#" })
        let path = self.path.prefix { $0 != "?" }
        let text: String
        if reference.hasPrefix("//") {
            text = "\(self.scheme):\(reference)"
        } else if let colon = reference.firstIndex(of: ":"), !reference[..<colon].contains(where: { "/?".contains($0) })
        {
            text = reference
        } else if reference.hasPrefix("/") {
            text = "\(self.scheme)://\(self.authority)\(reference)"
        } else if reference.isEmpty {
            text = self.description
        } else if reference.hasPrefix("?") {
            text = "\(self.scheme)://\(self.authority)\(path)\(reference)"
        } else {
            let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
            text = "\(self.scheme)://\(self.authority)\(folder)\(reference)"
        }
        guard let address = WebAddress(text), !address.authority.contains("@") else { return nil }
        return address.at(path: Self.withoutDots(address.path))
    }

    /// Resolves `.` and `..` in a path (RFC 3986 section 5.2.4).
    private static func withoutDots(_ path: String) -> String {
        let query = path.drop { $0 != "?" }
        let segments = path.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard segments.contains(where: { $0 == "." || $0 == ".." }) else { return path }
        var kept: [Substring] = []
        for segment in segments {
            if segment == ".." { _ = kept.popLast() } else if segment != "." { kept.append(segment) }
        }
        // A path that ends in dots is that of a folder.
        if segments.last == "." || segments.last == ".." { kept.append("") }
        return "/" + kept.joined(separator: "/") + query
    }

    /// Returns another path of the same origin.
    public func at(path: String) -> WebAddress {
        WebAddress(scheme: self.scheme, authority: self.authority, path: path)
    }

    /// Returns the head of a request to this address, over HTTP whatever the scheme.
    public func request(_ method: HTTPRequest.Method, headerFields: HTTPFields = [:]) -> HTTPRequest {
        HTTPRequest(
            method: method, scheme: self.isSecure ? "https" : "http", authority: self.authority, path: self.path,
            headerFields: headerFields)
    }

    /// Returns the head of a WebSocket handshake with this address, whatever the scheme.
    public func webSocket(headerFields: HTTPFields = [:]) -> HTTPRequest {
        HTTPRequest(
            method: .get, scheme: self.isSecure ? "wss" : "ws", authority: self.authority, path: self.path,
            headerFields: headerFields)
    }

    private var isSecure: Bool { self.scheme == "https" || self.scheme == "wss" }
}
