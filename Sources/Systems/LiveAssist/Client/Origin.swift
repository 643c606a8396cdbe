import HTTPTypes
import JSON
import Machines

/// Where the assist server is.
struct Origin: Hashable, Sendable {
    private let address: WebAddress

    /// Chooses between the target and the property `server`, which must then be readable.
    init(_ configuration: ClientConfiguration, server: String) throws(ConfigurationError) {
        var url: String?
        if !server.isEmpty {
            guard let parsed = ServerObject(server) else {
                throw ConfigurationError("server is a host or a URL without a path, not \"\(server)\"")
            }
            url = "\(parsed.scheme)://\(parsed.authority)"
        }
        self.address = try configuration.serverAddress(url)
    }

    /// The head of a request.
    func request(_ method: HTTPRequest.Method, _ path: String) -> HTTPRequest {
        self.address.at(path: path).request(method)
    }

    /// The head of a WebSocket handshake.
    func webSocket(_ path: String, _ query: [(String, String)], cookies: String?) -> HTTPRequest {
        self.address.at(path: path + "?" + FormEncoding.encode(query))
            .webSocket(headerFields: cookies.map { [.cookie: $0] } ?? [:])
    }

    /// The origin as the session interface wants it: URL-encoded base64, which form encoding does.
    var base64: String { Base64.encode(Array("\(self.address.scheme)://\(self.address.authority)".utf8)) }

    /// A request with a form body.
    func form(_ method: HTTPRequest.Method, _ path: String, _ pairs: [(String, String)]) -> Request {
        var request = Request(self.request(method, path), body: Array(FormEncoding.encode(pairs).utf8))
        request.head.headerFields[.contentType] = "application/x-www-form-urlencoded"
        return request
    }
}
