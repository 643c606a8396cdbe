import HTTPTypes
import JSON
import Machines

/// An answer that a script has prepared: for which requests, with what, and when.
struct Answer: Hashable, Sendable {
    /// What comes after the head.
    enum Content: Hashable, Sendable {
        case whole([UInt8])
        /// One after the other, with a pause before each but the first.
        case pieces([[UInt8]])
    }

    /// How the end of the body is told.
    enum Framing: String, CaseIterable, Sendable {
        case length, chunked, close
    }

    /// At most this many pieces; defined here.
    static let pieceLimit = 100_000

    private let method: HTTPRequest.Method?
    private let path: String
    private let isPrefix: Bool
    private let contains: String?

    /// How many requests it is for; nil for any number.
    var uses: Int64?

    let status: HTTPResponse.Status
    private(set) var headers: HTTPFields
    let content: Content

    /// How long after the request the head is sent.
    let delay: Duration

    /// The pause before each piece but the first, and before a broken stream breaks off.
    let gap: Duration

    let framing: Framing?

    /// After how many pieces the connection is dropped; nil if it is not.
    let dropsAfter: Int64?

    /// Those of RFC 9110 and RFC 5789; what resembles none of them may be a server's own.
    private static let methods = ["CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "TRACE"]

    /// Reads an answer.
    ///
    /// - Throws: ``ConfigurationError`` that names the member that cannot be used.
    init(_ members: JSONObject) throws(ConfigurationError) {
        let words = (members["to"]?.string ?? "*").split(separator: " ")
        guard let last = words.last, words.count <= 2, last.hasPrefix("/") || last == "*" else {
            throw ConfigurationError("to takes a method and a path, such as \"POST /chat\", \"/chat\" or \"/v1/*\"")
        }
        if words.count == 2 {
            guard let method = HTTPRequest.Method(String(words[0])) else {
                throw ConfigurationError("\(words[0]) cannot be a method of HTTP")
            }
            if !Self.methods.contains(method.rawValue),
                let meant = TextDistance.suggestion(for: method.rawValue, among: Self.methods)
            {
                throw ConfigurationError("there is no method \"\(method)\"; did you mean \"\(meant)\"?")
            }
            self.method = method
        } else {
            self.method = nil
        }
        self.isPrefix = last.hasSuffix("*")
        self.path = String(self.isPrefix ? last.dropLast() : last)
        self.contains = members["contains"]?.string
        if let times = members["times"]?.integer {
            guard times > 0 else { throw ConfigurationError("times takes a number from 1, not \(times)") }
            self.uses = times
        }
        let code = members["status"]?.integer ?? 200
        guard let status = HTTPResponse.Status(final: code) else {
            throw ConfigurationError("status takes an HTTP status from 200 to 599, not \(code)")
        }
        self.status = status
        self.delay = try Self.duration(members, "after")
        self.gap = try Self.duration(members, "gap")
        self.framing = members["framing"]?.string.flatMap(Framing.init)
        self.dropsAfter = members["drop_after"]?.integer
        let (content, type) = try Self.content(members)
        self.content = content
        self.headers = try ReplyHead.fields(members, type: type)
        if self.framing == .close { self.headers[.connection] = "close" }
    }

    private static func duration(_ members: JSONObject, _ name: String) throws(ConfigurationError) -> Duration {
        guard let value = members[name] else { return .zero }
        let duration =
            value.string.flatMap { Duration(scriptText: $0) } ?? value.double.flatMap { Duration(scriptSeconds: $0) }
        guard let duration else { throw ConfigurationError("\(name) takes a duration such as \"250ms\"") }
        return duration
    }

    private static func content(_ members: JSONObject) throws(ConfigurationError) -> (Content, type: String?) {
        let given = ["json", "text", "events", "lines", "pieces"].filter { members[$0] != nil }
        guard given.count < 2 else {
            throw ConfigurationError("an answer has one body, not \(given.joined(separator: " and "))")
        }
        guard let name = given.first, let value = members[name] else { return (.whole([]), nil) }
        switch name {
        case "json": return (.whole(JSONWriter.write(value)), "application/json")
        case "text": return (.whole(Array((value.string ?? value.description).utf8)), "text/plain; charset=utf-8")
        default: break
        }
        guard let elements = value.array ?? (value.object?.isEmpty == true ? [] : nil) else {
            throw ConfigurationError("\(name) takes a list")
        }
        guard elements.count <= Self.pieceLimit else {
            throw ConfigurationError("\(name) takes at most \(Self.pieceLimit) elements")
        }
        switch name {
        case "events": return (.pieces(elements.map(EventText.event)), "text/event-stream")
        case "lines": return (.pieces(elements.map(EventText.line)), "application/x-ndjson")
        default: return (.pieces(elements.map { Array(($0.string ?? $0.description).utf8) }), nil)
        }
    }

    /// Whether it is for a request.
    func fits(_ request: HTTPRequest, body: [UInt8]) -> Bool {
        guard self.uses != 0, self.method == nil || self.method == request.method else { return false }
        let path = (request.path ?? "/").prefix { $0 != "?" }
        guard self.isPrefix ? path.hasPrefix(self.path) : path == self.path else { return false }
        guard let wanted = self.contains else { return true }
        return String(decoding: body, as: UTF8.self).contains(wanted)
    }

    /// The pieces in which the body is sent.
    var pieces: [[UInt8]] {
        switch self.content {
        case .whole(let bytes): bytes.isEmpty ? [] : [bytes]
        case .pieces(let pieces): pieces
        }
    }

    /// Whether it is sent at once, as most answers are.
    var isPlain: Bool {
        if case .whole = self.content {
            self.framing != .chunked && self.framing != .close && self.dropsAfter == nil
        } else {
            false
        }
    }

    /// The head of an answer that is sent in pieces.
    var head: HTTPResponse {
        var head = HTTPResponse(status: self.status, headerFields: self.headers)
        if self.framing == .length {
            head.headerFields[.contentLength] = String(self.pieces.reduce(0) { $0 + $1.count })
        }
        return head
    }
}
