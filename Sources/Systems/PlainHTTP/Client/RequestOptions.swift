import HTTPTypes
import JSON
import Machines

/// Where a request goes, what goes with it, and how its answer is read.
struct RequestOptions: Sendable {
    /// Whether an answer is read as a stream.
    enum Streaming: String, Sendable {
        /// As the content type says.
        case auto
        /// Always as server-sent events.
        case sse
        /// Always as one JSON value a line.
        case ndjson
        /// Never; a whole answer is waited for.
        case none
    }

    private(set) var address: TargetAddress
    private var query: [(name: String, value: String)] = []
    private var headers = HTTPFields()

    /// How long the answer may take until it is whole, a streamed one until its head is there; defined here.
    private(set) var timeout = Duration.seconds(60)

    /// How long a stream may be silent; defined here.
    private(set) var silence = Duration.seconds(30)

    /// The most bytes of a whole body, of one piece of a stream and of a stream's text; defined here.
    private(set) var bodyLimit = 4 << 20

    /// Cookies, redirects and compressed bodies.
    private(set) var handling = RequestHandling()

    private(set) var streaming = Streaming.auto

    /// What the pieces of a stream are to each other; by the format unless given.
    private(set) var mode: StreamMode?

    /// Where the messages stand in a whole answer; the elements of an array, or else the value itself, unless given.
    private(set) var messages: JSONPath?

    /// Where the text stands in a message of a whole answer.
    private(set) var text = Self.defaultText

    /// Where the text stands in a piece of a stream; by the mode unless given.
    private(set) var piece: JSONPath?

    /// The data that ends a stream; by the mode unless given, none if empty.
    private(set) var done: String?

    /// The server-sent event that ends a stream; by the mode unless given, none if empty.
    private(set) var doneEvent: String?

    private static let defaultText = JSONPath.known("$.text")

    /// Reads the options of a target and of an actor; the actor's win.
    ///
    /// - Throws: ``ConfigurationError`` if the URL, a header or a path cannot be used.
    init(origin: String, target: JSONObject, options: JSONObject) throws(ConfigurationError) {
        self.address = try TargetAddress(origin: origin, friends: target["hosts"]?.array?.compactMap(\.string) ?? [])
        try self.apply(target)
        try self.apply(options)
    }

    /// Returns these options with some replaced; headers and parameters of the query are replaced by name.
    ///
    /// - Parameters:
    ///   - url: Where to go instead, if given.
    ///   - options: The members of the options table.
    func overridden(url: String? = nil, by options: JSONObject) throws(ConfigurationError) -> RequestOptions {
        var result = self
        try result.apply(options)
        if let url { try result.address.go(to: url) }
        return result
    }

    private mutating func apply(_ options: JSONObject) throws(ConfigurationError) {
        if let url = options["url"]?.string { try self.address.go(to: url) }
        let query = options["query"]?.object ?? [:]
        self.query.removeAll { query[$0.name] != nil }
        self.query += try FormFields.pairs(query, of: "query").map { (name: $0.0, value: $0.1) }
        for (field, values) in try ScriptHeaders.fields(options["headers"]?.object ?? [:]) {
            self.headers[values: field] = values
        }
        if let header = try RequestAuthorization.header(options) { self.headers[.authorization] = header }
        if let oauth = options["oauth"]?.object {
            self.handling.grant = try OAuthGrant(oauth, from: self.address)
            // What was said before is replaced, whichever of the ways it was.
            self.headers[.authorization] = nil
        }
        self.timeout = try Self.duration(options, "timeout") ?? self.timeout
        self.silence = try Self.duration(options, "silence") ?? self.silence
        if let limit = options["body_limit"]?.integer {
            guard 1...(1 << 30) ~= limit else {
                throw ConfigurationError("body_limit takes a number of bytes from 1 to 1073741824, not \(limit)")
            }
            self.bodyLimit = Int(limit)
        }
        try self.handling.apply(options)
        self.streaming = options["stream"]?.string.flatMap(Streaming.init) ?? self.streaming
        self.mode = options["mode"]?.string.flatMap(StreamMode.init) ?? self.mode
        self.messages = try Self.path(options, "messages") ?? self.messages
        self.text = try Self.path(options, "text") ?? self.text
        self.piece = try Self.path(options, "piece") ?? self.piece
        self.done = options["done"]?.string ?? self.done
        self.doneEvent = options["done_event"]?.string ?? self.doneEvent
    }

    private static func duration(_ options: JSONObject, _ name: String) throws(ConfigurationError) -> Duration? {
        guard let seconds = options[name]?.double else { return nil }
        guard let duration = Duration(scriptSeconds: seconds), duration > .zero else {
            throw ConfigurationError("\(name) takes a duration above zero")
        }
        return duration
    }

    private static func path(_ options: JSONObject, _ name: String) throws(ConfigurationError) -> JSONPath? {
        guard let text = options[name]?.string else { return nil }
        do throws(JSONSyntaxError) { return try JSONPath(text) } catch {
            throw ConfigurationError("\(name) takes a JSON path such as $.choices[0].text; \(text) is none: \(error)")
        }
    }

    /// The headers, with a content type unless one is given.
    private func headers(contentType: String?) -> HTTPFields {
        var headers = self.headers
        if headers[.accept] == nil { headers[.accept] = "*/*" }
        if let contentType, headers[.contentType] == nil { headers[.contentType] = contentType }
        return headers
    }

    /// Returns a request.
    func request(_ method: HTTPRequest.Method, _ content: RequestContent) -> Request {
        var path = self.address.path
        if !self.query.isEmpty {
            path += (path.contains("?") ? "&" : "?") + FormEncoding.encode(self.query.map { ($0.name, $0.value) })
        }
        let head = HTTPRequest(
            method: method, scheme: self.address.scheme, authority: self.address.authority, path: path,
            headerFields: self.headers(contentType: content.type))
        return Request(head, body: content.bytes, timeLimit: self.timeout, handling: self.handling)
    }
}

extension JSONPath {
    /// Returns a path of the program's own, which the tests read.
    static func known(_ text: String) -> JSONPath {
        do throws(JSONSyntaxError) { return try JSONPath(text) } catch {
            preconditionFailure("\(text) is not a path: \(error)")
        }
    }
}
