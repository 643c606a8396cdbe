import HTTPTypes
import JSON
import Machines

/// Where and how a WebSocket client connects.
struct ConnectOptions {
    private var address: TargetAddress
    private var query: [(String, String)] = []
    private var headers = HTTPFields()

    /// Whether messages that arrive are only counted.
    private(set) var countsFrames = false

    /// The sub-protocols to offer, most wanted first.
    private(set) var subprotocols: [String] = []

    /// Compression and the time limit.
    private(set) var webSocket = WebSocketOptions()

    /// The options, as scripts give them.
    static let parameters = [
        ParameterDeclaration(
            "url", .string, optional: true,
            "The URL or path to connect to; the target's unless given. Other hosts than the target's and this machine must stand in its settings: `settings = { hosts = { … } }`."
        ),
        ParameterDeclaration(
            "path", .string, optional: true, "The path and query of the URL; the target's unless given."),
        ParameterDeclaration(
            "query", .map(.json), optional: true,
            "Parameters to add to the query, each with a value or a list of values."),
        ParameterDeclaration(
            "headers", ScriptHeaders.type, optional: true,
            "Headers to send with the handshake, each with a value or a list of values."),
        ParameterDeclaration(
            "subprotocols", .list(.string), optional: true, "Sub-protocols to offer, most wanted first."),
        ParameterDeclaration(
            "compression", .boolean, optional: true,
            "Whether the compression of messages is offered (permessage-deflate, RFC 7692); true unless given."),
        ParameterDeclaration(
            "timeout", .duration, optional: true,
            "How long the connection and its handshake may take together, 0 for as long as it takes; 30s unless given."),
        ParameterDeclaration(
            "counts", .boolean, optional: true,
            "Whether messages that arrive are only counted, in the properties frames and bytes, and no events, so that no load test accounts for them one by one: for servers that send much to many; false unless given."
        ),
    ]

    /// Reads the options of a target and of an actor; the actor's win.
    ///
    /// - Throws: ``ConfigurationError`` if the URL or a header cannot be used.
    init(origin: String, target: JSONObject, options: JSONObject) throws(ConfigurationError) {
        self.address = try TargetAddress(origin: origin, friends: target["hosts"]?.array?.compactMap(\.string) ?? [])
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
        if let url = options["url"]?.string { try self.address.go(to: url) }
        if let path = options["path"]?.string {
            if let scheme = path.firstRange(of: "://"),
                !path[..<scheme.lowerBound].contains(where: { $0 == "/" || $0 == "?" })
            {
                throw ConfigurationError(
                    "path is a path such as /chat, and \"\(path)\" is a whole URL; give it as url, or make it a target of "
                        + "repartee.lua and name it with { target = … } or --target")
            }
            try self.address.go(to: path.hasPrefix("/") ? path : "/" + path)
        }
        self.query += try FormFields.pairs(options["query"]?.object ?? [:], of: "query")
        for (field, values) in try ScriptHeaders.fields(options["headers"]?.object ?? [:]) {
            self.headers[values: field] = values
        }
        self.webSocket.offersCompression = options["compression"]?.bool ?? self.webSocket.offersCompression
        if let seconds = options["timeout"]?.double {
            guard let limit = Duration(scriptSeconds: seconds) else {
                throw ConfigurationError("timeout takes a duration, or 0 for none")
            }
            self.webSocket.timeLimit = OpeningLimit(zeroIsNone: limit)
        }
        if let counts = options["counts"]?.bool { self.countsFrames = counts }
        if let offered = options["subprotocols"]?.array { self.subprotocols = offered.compactMap(\.string) }
    }

    /// The request that opens the connection.
    var request: HTTPRequest {
        var path = self.address.path
        if !self.query.isEmpty { path += (path.contains("?") ? "&" : "?") + FormEncoding.encode(self.query) }
        return HTTPRequest(
            method: .get, scheme: self.address.webSocketScheme, authority: self.address.authority, path: path,
            headerFields: self.headers)
    }
}
