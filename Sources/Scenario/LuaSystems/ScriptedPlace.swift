import HTTPTypes
import JSON
import Machines

/// Where a client of a system in Lua connects to or sends a request, and with what.
struct ScriptedPlace {
    private let address: TargetAddress

    /// What of the options only HTTP has a place for.
    private let webOptions: [String]
    private let query: [(String, String)]
    private let headers: HTTPFields

    /// The sub-protocols to offer, most wanted first.
    let subprotocols: [String]

    /// Reads the options of `me:open` and `me:request`, checked already.
    ///
    /// - Throws: ``ConfigurationError`` if the URL, a header or a host cannot be used.
    init(_ options: JSONObject, from home: TargetAddress) throws(ConfigurationError) {
        var address = home
        if let url = options["url"]?.string { try address.go(to: url) }
        if let path = options["path"]?.string {
            guard options["url"] == nil || address.path == "/" || !path.hasPrefix("/") else {
                throw ConfigurationError(
                    "there is a path in url, \(address.path), and in path, \(path); give one of them")
            }
            try address.go(to: path)
        }
        self.address = address
        self.webOptions = ["path", "query", "headers", "token", "basic", "subprotocols", "compression"].filter {
            options[$0] != nil
        }
        self.query = try FormFields.pairs(options["query"]?.object ?? [:], of: "query")
        var headers = HTTPFields()
        for (field, values) in try ScriptHeaders.fields(options["headers"]?.object ?? [:]) {
            headers[values: field] = values
        }
        if let header = try RequestAuthorization.header(options) { headers[.authorization] = header }
        self.headers = headers
        self.subprotocols = options["subprotocols"]?.array?.compactMap(\.string) ?? []
        let limit = options["timeout"]?.double.flatMap(Duration.init(scriptSeconds:))
        self.webSocketOptions = WebSocketOptions(
            offersCompression: options["compression"]?.bool ?? true,
            timeLimit: limit.map { .init(zeroIsNone: $0) } ?? .standard)
    }

    private var path: String {
        guard !self.query.isEmpty else { return self.address.path }
        return self.address.path + (self.address.path.contains("?") ? "&" : "?") + FormEncoding.encode(self.query)
    }

    /// Compression and the time limit of a WebSocket.
    let webSocketOptions: WebSocketOptions

    /// Whether it is the place of a link over TCP.
    var isLink: Bool { self.address.isLink }

    /// Returns a link over TCP to this place.
    ///
    /// - Throws: ``ConfigurationError`` if an option was given that belongs to HTTP.
    func link(_ framing: LinkFraming) throws(ConfigurationError) -> LinkRequest {
        guard self.webOptions.isEmpty else {
            throw ConfigurationError(
                "a link over TCP has no \(self.webOptions.joined(separator: " and no ")); leave "
                    + (self.webOptions.count == 1 ? "it out" : "them out")
                    + ", or leave `frames` out to open a WebSocket")
        }
        return LinkRequest(
            authority: self.address.authority, isSecure: self.address.scheme == "https", framing: framing,
            timeLimit: self.webSocketOptions.timeLimit)
    }

    /// The head of a WebSocket handshake.
    var webSocket: HTTPRequest {
        HTTPRequest(
            method: .get, scheme: self.address.webSocketScheme, authority: self.address.authority, path: self.path,
            headerFields: self.headers)
    }

    /// Returns a request with its body: `json`, `form`, `body`, `base64` or `multipart`.
    ///
    /// - Throws: ``ConfigurationError`` if the method cannot be used, or two bodies were given.
    func request(_ options: JSONObject) throws(ConfigurationError) -> Request {
        guard !self.isLink else {
            throw ConfigurationError("a request needs the URL of an HTTP server, not that of a link over TCP")
        }
        var headers = self.headers
        let bodies = ["json", "form", "body", "base64", "multipart"].filter { options[$0] != nil }
        guard bodies.count <= 1 else {
            throw ConfigurationError("a request has one body, not both \(bodies.joined(separator: " and "))")
        }
        var body: [UInt8] = []
        var type: String?
        if let json = options["json"] {
            body = JSONWriter.write(json)
            type = "application/json"
        } else if let form = options["form"]?.object {
            body = Array(FormEncoding.encode(try FormFields.pairs(form, of: "form")).utf8)
            type = "application/x-www-form-urlencoded"
        } else if let text = options["body"]?.string {
            body = Array(text.utf8)
            type = "text/plain; charset=utf-8"
        } else if let text = options["base64"]?.string {
            guard let bytes = Base64.decode(text) else {
                throw ConfigurationError("base64: the body is not base64 (RFC 4648 section 4)")
            }
            body = bytes
            type = "application/octet-stream"
        } else if let parts = options["multipart"]?.array {
            let form = try MultipartForm(script: parts)
            body = form.body
            type = form.type
        }
        if let type, headers[.contentType] == nil { headers[.contentType] = type }
        if headers[.accept] == nil { headers[.accept] = "*/*" }
        let name = options["method"]?.string ?? (bodies.isEmpty ? "GET" : "POST")
        guard let method = HTTPRequest.Method(RequestMethodName.sent(for: name)) else {
            throw ConfigurationError("\"\(name)\" cannot be the method of a request")
        }
        let timeLimit = options["timeout"]?.double.flatMap(Duration.init(scriptSeconds:))
        guard timeLimit != .zero else { throw ConfigurationError("timeout takes a duration above zero") }
        let head = HTTPRequest(
            method: method, scheme: self.address.scheme, authority: self.address.authority, path: self.path,
            headerFields: headers)
        var handling = RequestHandling()
        try handling.apply(options)
        if let oauth = options["oauth"]?.object { handling.grant = try OAuthGrant(oauth, from: self.address) }
        return Request(
            head, body: body, timeLimit: timeLimit, handling: handling, name: try RequestName.name(options))
    }
}
