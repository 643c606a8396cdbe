public import HTTPTypes

/// The parts of an absolute URL that a request needs.
public struct WebAddress: Hashable, Sendable {
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
        guard text.utf8.count <= 4096, text.isVisibleASCII, let separator = text.firstRange(of: "://") else {
            return nil
        }
        let scheme = text[..<separator.lowerBound].lowercased()
        guard schemes.contains(scheme) else { return nil }
        let rest = text[separator.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        guard end > rest.startIndex else { return nil }
        let tail = rest[end...].prefix { $0 != "#" }
        self.init(
            scheme: scheme, authority: String(rest[..<end]), path: tail.hasPrefix("/") ? String(tail) : "/" + tail)
    }

    private init(scheme: String, authority: String, path: String) {
        self.scheme = scheme
        self.authority = authority
        self.path = path
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
