import Machines

/// What a part must know of the others at the moment when something happens.
struct ClientMoment: Sendable {
    let now: Instant
    /// The wall-clock time in milliseconds since 1970 UTC.
    let epochMilliseconds: Int64
    /// Where the chat server is, and whose conversation is meant.
    let address: ChannelAddress
    let status: ConnectionStatus
    /// Whether messages go by HTTP requests.
    let isPolling: Bool
    /// Whether a text is coming in pieces.
    let isStreaming: Bool
    /// The token that was used last.
    let token: String?
    /// The thread that is shown.
    let thread: String?

    /// Whether messages can be sent.
    var isOpen: Bool { self.status == .open }
}
