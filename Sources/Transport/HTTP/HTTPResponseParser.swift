public import HTTPTypes

/// Reads the answers to HTTP/1.1 requests from bytes in any division (RFC 9112).
///
/// Call ``expect(_:)`` before each answer. Interim answers (1xx) are read over, except 101, after whose end the bytes
/// belong to the new protocol.
///
/// | state | input | becomes |
/// |---|---|---|
/// | idle | ``expect(_:)`` | head |
/// | idle | bytes | an error: nobody asked |
/// | head | interim head | head |
/// | head | head complete | body, which may be empty |
/// | body | its end, or that of the connection where the length is not given | idle |
/// | head, body | the connection ends elsewhere | an error |
public struct HTTPResponseParser: Sendable {
    private enum State: Sendable {
        case idle
        case head
        case body
    }

    private var state = State.idle
    private var collector = HTTPHeadCollector()
    private var body: HTTPBodyDecoder
    private var method = HTTPRequest.Method.get
    private var interimCount = 0

    /// How many bytes of ``beginning`` the head under way has.
    private var agreedCount = 0

    /// How a head begins: the empty line need not be there.
    private static let beginning = Array("\r\nHTTP/".utf8)
    private let limits: HTTPLimits

    /// The most interim answers before the final one; defined here.
    private static let interimLimit = 16

    /// Whether the server lets the connection stay after the answer whose head was read last.
    public private(set) var keepsAlive = true

    /// Creates a parser.
    public init(limits: HTTPLimits = HTTPLimits()) {
        self.limits = limits
        self.body = .empty(limits: limits)
    }

    /// Whether a part of the awaited answer has arrived.
    public var hasBegun: Bool {
        switch self.state {
        case .idle: false
        case .head: !self.collector.isEmpty || self.interimCount > 0
        case .body: true
        }
    }

    /// Begins the answer to a request.
    ///
    /// - Parameter method: The method of the request, which decides whether a body follows.
    public mutating func expect(_ method: HTTPRequest.Method) {
        self.method = method
        self.interimCount = 0
        self.agreedCount = 0
        self.state = .head
    }

    /// Takes the next part.
    ///
    /// - Parameters:
    ///   - bytes: What arrived.
    ///   - offset: Where to begin; moved behind what was taken.
    /// - Returns: Nil if more bytes are needed; all were taken then.
    public mutating func next(
        _ bytes: Span<UInt8>, at offset: inout Int
    ) throws(HTTPSyntaxError) -> HTTPResponsePart? {
        switch self.state {
        case .idle:
            guard offset < bytes.count else { return nil }
            throw HTTPSyntaxError("the server sent bytes that no request asked for")
        case .head:
            while true {
                try self.checkBeginning(bytes, offset)
                let head: HTTPResponse?
                switch try self.collector.collect(bytes, at: &offset, hasStartLine: true, limits: self.limits) {
                case nil: return nil
                case .inPlace(let range): head = try self.head(bytes.extracting(range))
                case .collected:
                    let collected = self.collector.take()
                    head = try self.head(collected.span)
                }
                self.agreedCount = 0
                if let head { return .head(head) }
            }
        case .body:
            switch try self.body.next(bytes, at: &offset) {
            case nil: return nil
            case .bytes(let range): return .body(Array(bytes, range))
            case .end(let trailer):
                self.state = .idle
                return .end(trailer)
            }
        }
    }

    /// Takes in that the server's direction of the connection ended.
    ///
    /// - Returns: The end of a body that has no length, or nil if no answer was under way.
    /// - Throws: If an answer is incomplete.
    public mutating func finish() throws(HTTPSyntaxError) -> HTTPResponsePart? {
        switch self.state {
        case .idle: return nil
        case .head:
            throw HTTPSyntaxError(
                self.hasBegun ? "the connection ended within the head" : "the connection ended without an answer")
        case .body:
            guard self.body.mayEnd else { throw HTTPSyntaxError("the connection ended within the body") }
            self.state = .idle
            return .end([:])
        }
    }

    /// Refuses what is no head as soon as that is known: a peer that speaks something else may wait for an answer
    /// itself.
    private mutating func checkBeginning(_ bytes: Span<UInt8>, _ offset: Int) throws(HTTPSyntaxError) {
        let beginning = Self.beginning
        var position = offset
        while self.agreedCount < beginning.count, position < bytes.count {
            if self.agreedCount == 0, bytes[position] == UInt8(ascii: "H") { self.agreedCount = 2 }
            guard bytes[position] == beginning[self.agreedCount] else { throw .notHTTP }
            self.agreedCount += 1
            position += 1
        }
    }

    /// Reads one head; returns nil for an interim one.
    private mutating func head(_ bytes: Span<UInt8>) throws(HTTPSyntaxError) -> HTTPResponse? {
        let line = HTTPHeadReader.startLine(bytes)
        let (status, isVersion11) = try Self.statusLine(bytes.extracting(line))
        guard isVersion11 || status.code != 101 else {
            throw HTTPSyntaxError("HTTP/1.0 has no status 101, which switches protocols (RFC 9110 section 15.2)")
        }
        let (fields, framing) = try HTTPHeadReader.fields(bytes, from: line.upperBound + 2)
        if status.kind == .informational, status.code != 101 {
            self.interimCount += 1
            guard self.interimCount <= Self.interimLimit else {
                throw HTTPSyntaxError("the server sent more than \(Self.interimLimit) interim answers")
            }
            return nil
        }
        try framing.check()
        self.keepsAlive = framing.keepsAlive(isVersion11: isVersion11)
        let hasNoBody = self.method == .head || [101, 204, 304].contains(status.code)
        if hasNoBody {
            self.body = .empty(limits: self.limits)
        } else if let body = try HTTPBodyDecoder.told(by: framing, limits: self.limits) {
            self.body = body
        } else {
            self.keepsAlive = false
            self.body = .untilClose(limits: self.limits)
        }
        self.state = .body
        return HTTPResponse(status: status, headerFields: fields)
    }

    private static func statusLine(
        _ line: Span<UInt8>
    ) throws(HTTPSyntaxError) -> (HTTPResponse.Status, isVersion11: Bool) {
        // "HTTP/1.1 200" and then nothing, or a space and the reason, which may be empty.
        guard line.count >= 12, line[8] == 0x20, line.count == 12 || line[12] == 0x20,
            let code = line.text(9..<12).flatMap({ Int($0) }), 100...999 ~= code, line[9] != 0x2B
        else { throw HTTPSyntaxError("the status line is not a version and a status (RFC 9112 section 4)") }
        let version = line.text(0..<8)
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else {
            throw HTTPSyntaxError("the answer is not of HTTP/1.1 or HTTP/1.0")
        }
        for index in 12..<line.count where !HTTPCharacters.isFieldContent(line[index]) {
            throw HTTPSyntaxError("the reason phrase has a control character (RFC 9112 section 4)")
        }
        let reason = line.count > 13 ? line.text(13..<line.count) ?? "" : ""
        // The types library takes only visible ASCII here; the phrase means nothing, so another one is left out.
        let phrase = reason.utf8.allSatisfy { 0x20...0x7E ~= $0 } ? reason : ""
        return (HTTPResponse.Status(code: code, reasonPhrase: phrase), version == "HTTP/1.1")
    }
}
