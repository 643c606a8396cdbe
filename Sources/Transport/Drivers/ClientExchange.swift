import HTTPTypes
import Machines

/// One exchange that a client driver carries out.
struct ClientExchange {
    /// Who hears what comes of it.
    enum Purpose: Hashable {
        case machine
        /// Those who wait for a token.
        case token(OAuthGrant)
    }

    let id: ExchangeID
    let isStreamed: Bool

    /// What is asked for: by the machine first, then by redirects.
    private(set) var request: Request

    /// When the machine asked.
    let begin: Instant
    let purpose: Purpose

    /// The head of what was asked for first, before redirects.
    private let first: HTTPRequest

    /// The token that goes with it, if it needs one.
    var token: String?

    /// Whether a first token was not accepted.
    private(set) var hasNewToken = false

    /// The URLs that were asked for, that of the request last.
    private(set) var visited: [String]

    /// Set when the exchange is tried again because a kept connection turned out to be closed.
    var needsNewConnection = false

    /// Creates an exchange that a machine asks for.
    init(
        id: ExchangeID, request: Request, isStreamed: Bool, begin: Instant, for purpose: Purpose = .machine
    ) {
        self.purpose = purpose
        self.first = request.head
        self.id = id
        self.request = request
        self.isStreamed = isStreamed
        self.begin = begin
        self.visited = [Self.url(of: request)]
    }

    /// What it is called in figures.
    var name: String { self.request.name ?? RequestName.template(of: self.first) }

    /// What is asked for now, in words; a query may hold what nobody should see.
    var methodAndPath: String {
        let head = self.request.head
        return "\(head.method.rawValue) \((head.path ?? "/").prefix { $0 != "?" })"
    }

    /// Says who asks.
    mutating func authorize(with credentials: OriginAuthorization.Credentials) {
        switch credentials {
        case .header(let value): self.request.head.headerFields[.authorization] = value
        case .grant(let grant): self.request.handling.grant = grant
        }
    }

    /// Goes where a redirect leads.
    mutating func follow(_ request: Request) {
        self.request = request
        // Another origin is not told the token of the first.
        if request.handling.grant == nil { self.token = nil }
        self.visited.append(Self.url(of: request))
        self.needsNewConnection = false
    }

    /// Begins again with another token.
    mutating func renewToken() {
        self.token = nil
        self.hasNewToken = true
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
