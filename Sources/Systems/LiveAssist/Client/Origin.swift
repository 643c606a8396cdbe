import ChatCore
import HTTPTypes
import JSON

/// Where the assist server is.
struct Origin: Hashable, Sendable {
    let scheme: String
    let authority: String

    /// Reads the origin of a target.
    ///
    /// - Returns: Nil unless it is an `http` or `https` URL.
    init?(_ text: String) {
        guard let separator = text.firstRange(of: "://"), text.utf8.count <= 300,
            text.utf8.allSatisfy({ 0x21...0x7E ~= $0 })
        else { return nil }
        self.scheme = text[..<separator.lowerBound].lowercased()
        let rest = text[separator.upperBound...]
        self.authority = String(rest.prefix { $0 != "/" && $0 != "?" })
        guard ["http", "https"].contains(self.scheme), !self.authority.isEmpty else { return nil }
    }

    /// Takes what the vendor's `parseURL` found.
    init(_ server: ServerObject) {
        self.scheme = server.scheme
        self.authority = server.authority
    }

    /// Chooses between the target and the property `server`, which must then be readable.
    init(_ configuration: ClientConfiguration, server: String) throws(ConfigurationError) {
        guard !server.isEmpty else {
            guard let origin = Origin(configuration.origin) else {
                throw ConfigurationError("\"\(configuration.origin)\" is no URL of a server; write https://host:port")
            }
            self = origin
            return
        }
        guard let parsed = ServerObject(server) else {
            throw ConfigurationError("server is a host or a URL without a path, not \"\(server)\"")
        }
        self = Origin(parsed)
    }

    /// The head of a request.
    func request(_ method: HTTPRequest.Method, _ path: String) -> HTTPRequest {
        HTTPRequest(method: method, scheme: self.scheme, authority: self.authority, path: path)
    }

    /// The head of a WebSocket handshake.
    func webSocket(_ path: String, _ query: [(String, String)], cookies: String?) -> HTTPRequest {
        var request = HTTPRequest(
            method: .get, scheme: self.scheme == "https" ? "wss" : "ws", authority: self.authority,
            path: path + "?" + FormEncoding.encode(query))
        if let cookies { request.headerFields[.cookie] = cookies }
        return request
    }

    /// The origin as the session interface wants it: URL-encoded base64, which form encoding does.
    var base64: String { Base64.encode(Array("\(self.scheme)://\(self.authority)".utf8)) }

    /// A request with a form body.
    func form(_ method: HTTPRequest.Method, _ path: String, _ pairs: [(String, String)]) -> Request {
        var request = Request(self.request(method, path), body: Array(FormEncoding.encode(pairs).utf8))
        request.head.headerFields[.contentType] = "application/x-www-form-urlencoded"
        return request
    }
}
