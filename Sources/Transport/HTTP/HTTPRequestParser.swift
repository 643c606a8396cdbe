import HTTPTypes

/// Reads HTTP/1.1 requests from bytes in any division (RFC 9112).
///
/// What could be read in two ways is refused: repeated or conflicting lengths, folded fields, bare carriage returns and
/// line feeds, spaces before a colon, sizes that are not plain numbers.
///
/// | state | bytes | becomes |
/// |---|---|---|
/// | head | head complete | body, which may be empty |
/// | body | a piece | body |
/// | body | its end | head of the next request |
/// | any | malformed | the error is thrown; the parser must not be used further |
public struct HTTPRequestParser: Sendable {
    private enum State: Sendable {
        case head
        case body
    }

    private var state = State.head
    private var collector = HTTPHeadCollector()
    private var body: HTTPBodyDecoder
    private let limits: HTTPLimits
    private let scheme: String

    /// Whether the client lets the connection stay after the request whose head was read last.
    public private(set) var keepsAlive = true

    /// Whether the request whose head was read last is of HTTP/1.1, so that its answer may be chunked.
    public private(set) var isVersion11 = true

    /// Creates a parser.
    ///
    /// - Parameters:
    ///   - scheme: What the heads name as their scheme; requests do not say it.
    ///   - limits: When a request is refused.
    public init(scheme: String = "http", limits: HTTPLimits = HTTPLimits()) {
        self.scheme = scheme
        self.limits = limits
        self.body = .empty(limits: limits)
    }

    /// Whether nothing of a next request has arrived.
    public var isIdle: Bool {
        if case .head = self.state { self.collector.isEmpty } else { false }
    }

    /// Takes the next part.
    ///
    /// - Parameters:
    ///   - bytes: What arrived.
    ///   - offset: Where to begin; moved behind what was taken. After an end it points to the next request, or to the
    ///     bytes of another protocol after an upgrade.
    /// - Returns: Nil if more bytes are needed; all were taken then.
    public mutating func next(
        _ bytes: Span<UInt8>, at offset: inout Int
    ) throws(HTTPSyntaxError) -> HTTPRequestPart? {
        switch self.state {
        case .head:
            switch try self.collector.collect(bytes, at: &offset, hasStartLine: true, limits: self.limits) {
            case nil: return nil
            case .inPlace(let range): return .head(try self.head(bytes.extracting(range)))
            case .collected:
                let head = self.collector.take()
                return .head(try self.head(head.span))
            }
        case .body:
            switch try self.body.next(bytes, at: &offset) {
            case nil: return nil
            case .bytes(let range): return .body(Array(bytes, range))
            case .end(let trailer):
                self.state = .head
                return .end(trailer)
            }
        }
    }

    private mutating func head(_ bytes: Span<UInt8>) throws(HTTPSyntaxError) -> HTTPRequest {
        let line = HTTPHeadReader.startLine(bytes)
        let (method, target) = try self.requestLine(bytes.extracting(line))
        let (fields, framing) = try HTTPHeadReader.fields(bytes, from: line.upperBound + 2, leavesOutHost: true)
        try framing.check()
        guard self.isVersion11 || framing.transferCoding == nil else {
            throw HTTPSyntaxError("a request of HTTP/1.0 has Transfer-Encoding (RFC 9112 section 6.1)")
        }
        guard framing.hostCount == 1 || framing.hostCount == 0 && !self.isVersion11 else {
            throw HTTPSyntaxError("a request must have exactly one Host field (RFC 9112 section 3.2)")
        }
        let (authority, path) = Self.split(target)
        self.keepsAlive = framing.keepsAlive(isVersion11: self.isVersion11)
        self.body = try .told(by: framing, limits: self.limits) ?? .empty(limits: self.limits)
        self.state = .body
        return HTTPRequest(
            method: method, scheme: self.scheme, authority: authority ?? framing.host, path: path, headerFields: fields)
    }

    private mutating func requestLine(
        _ line: Span<UInt8>
    ) throws(HTTPSyntaxError) -> (HTTPRequest.Method, String) {
        guard let first = line.firstIndex(of: 0x20, from: 0),
            let second = line.firstIndex(of: 0x20, from: first + 1), second > first + 1,
            line.firstIndex(of: 0x20, from: second + 1) == nil,
            let method = line.text(0..<first).flatMap({ HTTPRequest.Method($0) })
        else {
            throw HTTPSyntaxError("the request line is not a method, a target and a version (RFC 9112 section 3)")
        }
        for index in first + 1..<second where !HTTPCharacters.isTarget(line[index]) {
            throw HTTPSyntaxError("the request target has a character that must be percent-encoded")
        }
        switch line.text(second + 1..<line.count) {
        case "HTTP/1.1": self.isVersion11 = true
        case "HTTP/1.0": self.isVersion11 = false
        case let version?
        where version.hasPrefix("HTTP/") && version.utf8.count == 8:
            throw HTTPSyntaxError("the version \(version) is not supported", status: .httpVersionNotSupported)
        default: throw HTTPSyntaxError("the version of the request is malformed")
        }
        return (method, line.text(first + 1..<second) ?? "/")
    }

    /// Divides a target in absolute form (RFC 9112 section 3.2.2); other forms are the path.
    private static func split(_ target: String) -> (authority: String?, path: String) {
        let lowered = target.prefix(8).lowercased()
        guard let scheme = ["http://", "https://"].first(where: { lowered.hasPrefix($0) }) else {
            return (nil, target)
        }
        let rest = target.dropFirst(scheme.count)
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        let path = rest[end...]
        return (String(rest[..<end]), path.first == "/" ? String(path) : "/" + path)
    }
}
