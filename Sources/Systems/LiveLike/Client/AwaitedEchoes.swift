/// What a member has sent into a room and the carrier has not brought back yet.
///
/// Its echo is the member's own doing; another message in the member's name is one that nobody here has sent.
struct AwaitedEchoes: Sendable {
    private enum Echo: Hashable, Sendable {
        case message(clientID: String)
        /// A custom message goes out without an id of the client.
        case custom(data: String)
    }

    /// At most this many are awaited, since an echo may be lost; the oldest are forgotten.
    private static let limit = 1_000

    private var awaited: [Echo] = []

    /// Notes a message that goes out.
    mutating func sent(clientID: String) { self.note(.message(clientID: clientID)) }

    /// Notes a custom message that goes out.
    mutating func sentCustom(_ data: String) { self.note(.custom(data: data)) }

    private mutating func note(_ echo: Echo) {
        if self.awaited.count >= Self.limit { self.awaited.removeFirst() }
        self.awaited.append(echo)
    }

    /// Takes what a message is the echo of; returns whether it is one.
    mutating func take(_ message: ChatMessage) -> Bool {
        let echo: Echo =
            message.kind == .custom
            ? .custom(data: message.customData ?? "") : .message(clientID: message.clientID ?? "")
        guard let index = self.awaited.firstIndex(of: echo) else { return false }
        self.awaited.remove(at: index)
        return true
    }
}
