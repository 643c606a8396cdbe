public import HTTPTypes

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
