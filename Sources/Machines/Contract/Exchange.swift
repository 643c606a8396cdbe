public import HTTPTypes
public import JSON

/// A whole HTTP request: head and body.
///
/// The head's scheme and authority say where it goes (`http`, `desk.test:80`), its path what it asks for.
public struct Request: Hashable, Sendable {
    /// Method, place and header fields; what frames the body is written by the transport, whatever stands here.
    public var head: HTTPRequest

    /// The content, without any framing of the transfer; empty if there is none.
    public var body: [UInt8]

    /// How long the answer may take; the limit of the driver that sends it unless given.
    ///
    /// A request that a server holds until there is news, a long poll, takes as long as the two sides have agreed.
    public var timeLimit: Duration?

    /// What the client does besides sending it; servers ignore it.
    public var handling: RequestHandling

    /// What it is called in figures and reports; by its method and path unless given, see ``RequestName``.
    public var name: String?

    /// Creates a request.
    public init(
        _ head: HTTPRequest, body: [UInt8] = [], timeLimit: Duration? = nil,
        handling: RequestHandling = RequestHandling(), name: String? = nil
    ) {
        self.name = name
        self.head = head
        self.body = body
        self.timeLimit = timeLimit
        self.handling = handling
    }
}

/// A whole HTTP response: head and body.
public struct Response: Hashable, Sendable {
    /// Status and header fields; what frames the body is written by the transport, whatever stands here.
    public var head: HTTPResponse

    /// The content, without any framing of the transfer; empty if there is none.
    public var body: [UInt8]

    /// Creates a response.
    public init(_ head: HTTPResponse, body: [UInt8] = []) {
        self.head = head
        self.body = body
    }

    /// Creates a response with a JSON body.
    ///
    /// - Parameters:
    ///   - json: The body.
    ///   - status: The status; 200 unless given.
    public init(json: JSONValue, status: HTTPResponse.Status = .ok) {
        self.head = HTTPResponse(status: status, headerFields: [.contentType: "application/json; charset=utf-8"])
        self.body = JSONWriter.write(json)
    }

    /// Creates a response with a plain text body.
    public init(text: String, status: HTTPResponse.Status) {
        self.head = HTTPResponse(status: status, headerFields: [.contentType: "text/plain; charset=utf-8"])
        self.body = Array(text.utf8)
    }
}

/// One whole WebSocket message.
public enum WebSocketMessage: Hashable, Sendable {
    /// A text; a WebSocket on which something else came as one is closed (RFC 6455 section 8.1).
    case text(String)
    /// Any bytes; on links also a line that is not UTF-8.
    case binary([UInt8])

    /// The payload as bytes.
    public var bytes: [UInt8] {
        switch self {
        case .text(let text): Array(text.utf8)
        case .binary(let bytes): bytes
        }
    }

    /// Reads the payload as JSON, where it lies.
    ///
    /// - Parameter depth: How deeply arrays and objects may nest.
    /// - Throws: ``JSONSyntaxError`` if it is no JSON.
    public func json(depth: Int = JSONReader.defaultDepth) throws(JSONSyntaxError) -> JSONValue {
        switch self {
        case .text(let text): try JSONReader.read(text, depth: depth)
        case .binary(let bytes): try JSONReader.read(bytes, depth: depth)
        }
    }
}

/// How a WebSocket connection ended (RFC 6455 §7.1.5), or a link over TCP: with 1000 in order, with 1006 otherwise.
public struct WebSocketClosure: Hashable, Sendable {
    /// The status code of the close frame; 1005 if it had none, 1006 if the connection ended without a close frame.
    public let code: UInt16

    /// The reason of the close frame, empty if it had none; for 1006 what the transport saw.
    public let reason: String

    /// Whether a close frame was received.
    public var wasClean: Bool { self.code != 1006 }

    /// Creates a closure.
    public init(code: UInt16, reason: String) {
        self.code = code
        self.reason = reason
    }
}

/// Why an exchange or a connection failed before the peer could answer in its protocol.
public struct TransportFailure: Error, Hashable, Sendable {
    /// The ways in which a transport fails.
    public enum Code: String, Sendable {
        /// Nothing listens there, or the host name is unknown.
        case cannotConnect = "cannot_connect"
        /// The TLS handshake failed.
        case tlsFailed = "tls_failed"
        /// The connection ended before the answer was complete.
        case connectionLost = "connection_lost"
        /// The peer sent bytes that are not the protocol, or more than the limits allow.
        case malformed
        /// The time limit of the exchange passed.
        case timedOut = "timed_out"
        /// No token was given for the request.
        case authorizationFailed = "authorization_failed"
        /// The server redirected where the client does not follow.
        case redirectRefused = "redirect_refused"
        /// The server answered a WebSocket handshake with an ordinary response.
        case upgradeRefused = "upgrade_refused"
        /// The host is not one of those that the target allows (``AllowedHosts``), so nothing was sent.
        case hostRefused = "host_refused"
    }

    /// By what machines and scripts tell failures apart.
    public let code: Code

    /// What happened, and where it helps, what to do; one sentence.
    public let message: String

    /// The HTTP status of a refused upgrade or token, or of a redirect that was not followed.
    public let status: Int?

    /// The beginning of the body of a refused upgrade or token, which often says why.
    public let body: [UInt8]

    /// Creates a failure.
    public init(_ code: Code, _ message: String, status: Int? = nil, body: [UInt8] = []) {
        self.code = code
        self.message = message
        self.status = status
        self.body = body
    }
}
