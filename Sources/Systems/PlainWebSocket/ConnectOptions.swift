import HTTPTypes
import JSON
import Machines

/// Where and how a WebSocket client connects.
struct ConnectOptions {
    private var scheme: String
    private var authority: String
    private var path: String
    private var query: [(String, String)] = []
    private var headers = HTTPFields()

    /// Whether messages that arrive are only counted.
    private(set) var countsFrames = false

    /// The sub-protocols to offer, most wanted first.
    private(set) var subprotocols: [String] = []

    /// The options, as scripts give them.
    static let parameters = [
        ParameterDeclaration(
            "path", .string, optional: true, "The path and query of the URL; the target's unless given."),
        ParameterDeclaration("query", .map(.string), optional: true, "Parameters to add to the query."),
        ParameterDeclaration("headers", .map(.string), optional: true, "Headers to send with the handshake."),
        ParameterDeclaration(
            "subprotocols", .list(.string), optional: true, "Sub-protocols to offer, most wanted first."),
        ParameterDeclaration(
            "counts", .boolean, optional: true,
            "Whether messages that arrive are only counted, in the properties frames and bytes, and no events, so that no load test accounts for them one by one: for servers that send much to many; false unless given."
        ),
    ]

    /// Reads the options of a target and of an actor; the actor's win.
    ///
    /// - Throws: ``ConfigurationError`` if the URL or a header cannot be used.
    init(origin: String, target: JSONObject, options: JSONObject) throws(ConfigurationError) {
        guard let separator = origin.firstRange(of: "://") else {
            throw ConfigurationError("the URL \"\(origin)\" has no scheme; write ws://host:port/path")
        }
        let scheme = String(origin[..<separator.lowerBound]).lowercased()
        guard let webSocketScheme = ["ws": "ws", "wss": "wss", "http": "ws", "https": "wss"][scheme] else {
            throw ConfigurationError("the URL \"\(origin)\" is not a WebSocket URL; it begins with ws:// or wss://")
        }
        let rest = origin[separator.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        self.scheme = webSocketScheme
        self.authority = String(rest[..<end])
        self.path = rest[end...].hasPrefix("/") ? String(rest[end...]) : "/" + rest[end...]
        try self.apply(target)
        try self.apply(options)
    }

    /// Returns these options with some replaced.
    func overridden(by options: JSONObject) throws(ConfigurationError) -> ConnectOptions {
        var result = self
        try result.apply(options)
        return result
    }

    private mutating func apply(_ options: JSONObject) throws(ConfigurationError) {
        if let path = options["path"]?.string, let scheme = path.firstRange(of: "://"),
            !path[..<scheme.lowerBound].contains(where: { $0 == "/" || $0 == "?" })
        {
            throw ConfigurationError(
                "path is a path such as /chat, and \"\(path)\" is a whole URL; make it a target of repartee.lua, and name it "
                    + "with { target = … } or --target")
        }
        if let path = options["path"]?.string { self.path = path.hasPrefix("/") ? path : "/" + path }
        for (name, value) in options["query"]?.object ?? [:] { self.query.append((name, Self.text(value))) }
        for (name, value) in options["headers"]?.object ?? [:] {
            guard let field = HTTPField.Name(name) else {
                throw ConfigurationError("\"\(name)\" cannot be the name of an HTTP header")
            }
            self.headers[field] = Self.text(value)
        }
        if let counts = options["counts"]?.bool { self.countsFrames = counts }
        if let offered = options["subprotocols"]?.array { self.subprotocols = offered.compactMap(\.string) }
    }

    private static func text(_ value: JSONValue) -> String {
        value.string ?? value.description
    }

    /// The request that opens the connection.
    var request: HTTPRequest {
        var path = self.path
        if !self.query.isEmpty { path += (path.contains("?") ? "&" : "?") + FormEncoding.encode(self.query) }
        return HTTPRequest(
            method: .get, scheme: self.scheme, authority: self.authority, path: path, headerFields: self.headers)
    }
}
