/// Why a chat ended, as the event stream says it (`EndedReason`).
enum EndedReason: String, CaseIterable, Sendable {
    case unknown, `operator`, visitor
    /// The visitor's connection was lost and did not come back in time.
    case disconnect
}

/// Why a chat ended, as the client reports it (`BCChatEndReason`); the raw value is what scripts match.
enum EndReason: String, CaseIterable, Sendable {
    case undefined, `operator`, visitor, timeout
}
