import HTTPTypes
import Machines

/// One exchange that a client port carries out.
struct ClientExchange {
    let id: ExchangeID
    let isStreamed: Bool

    /// What is asked for: by the machine first, then by redirects.
    private(set) var request: Request

    /// When the machine asked.
    let begin: Instant

    /// The URLs that were asked for, that of the request last.
    private(set) var visited: [String]

    /// Set when the exchange is tried again because a kept connection turned out to be closed.
    var needsNewConnection = false

    /// Creates an exchange that a machine asks for.
    init(id: ExchangeID, request: Request, isStreamed: Bool, begin: Instant) {
        self.id = id
        self.request = request
        self.isStreamed = isStreamed
        self.begin = begin
        self.visited = [Self.url(of: request)]
    }

    /// Goes where a redirect leads.
    mutating func follow(_ request: Request) {
        self.request = request
        self.visited.append(Self.url(of: request))
        self.needsNewConnection = false
    }

    private static func url(of request: Request) -> String {
        let head = request.head
        return "\(head.scheme ?? "")://\(head.authority ?? "")\(head.path ?? "/")"
    }

    /// Whether the request may be sent twice (RFC 9110 section 9.2.2).
    var isIdempotent: Bool {
        switch self.request.head.method {
        case .get, .head, .put, .delete, .options, .trace: true
        default: false
        }
    }
}
