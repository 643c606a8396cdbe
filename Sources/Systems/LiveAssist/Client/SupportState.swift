/// Where a consumer is; the transitions stand at ``SupportPart``.
enum SupportState: String, Hashable, Sendable {
    case idle
    case creatingSession = "creating_session"
    case calling
    case connecting
    case inSession = "in_session"
    case ended

    /// Whether support has been started and has not ended.
    var isActive: Bool { self != .idle && self != .ended }
}
