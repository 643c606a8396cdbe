/// Why no chat is possible (`BCUnavailableReason`).
enum UnavailableReason: String, CaseIterable, Sendable {
    case unknown
    case queueFull = "queue_full"
    case noOperators = "no_operators"
    case visitorBlocked = "visitor_blocked"
    case outsideHours = "outside_hours"
    case unsecure
    /// The check itself failed; only the client says so.
    case error

    /// Reads the wire text; what is not known is ``unknown``.
    init(wireText: String) {
        let reason = Self(rawValue: wireText)
        self = reason == .error ? .unknown : reason ?? .unknown
    }

    /// The key of the text that explains the reason.
    var brandingKey: String {
        switch self {
        case .unknown, .error: "api#unavailable#unavailable"
        case .queueFull: "api#unavailable#unavailable_max_queue"
        case .noOperators: "api#unavailable#no_operators"
        case .visitorBlocked: "api#unavailable#unavailable_blocked"
        case .outsideHours: "api#unavailable#unavailable_hours_operators"
        case .unsecure: "api#unsecure#message"
        }
    }
}
