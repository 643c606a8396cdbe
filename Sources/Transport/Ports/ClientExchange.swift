import HTTPTypes
import Machines

/// One exchange that a client port carries out.
struct ClientExchange {
    let id: ExchangeID
    let request: Request
    let isStreamed: Bool

    /// Set when the exchange is tried again because a kept connection turned out to be closed.
    var needsNewConnection = false

    /// Whether the request may be sent twice (RFC 9110 section 9.2.2).
    var isIdempotent: Bool {
        switch self.request.head.method {
        case .get, .head, .put, .delete, .options, .trace: true
        default: false
        }
    }
}
