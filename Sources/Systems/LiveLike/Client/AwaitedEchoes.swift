/// What a member has sent into a room and the carrier has not brought back yet.
///
/// Its echo is the member's own doing; another message in the member's name is one that nobody here has sent.
struct AwaitedEchoes: Sendable {
    private enum Echo: Hashable, Sendable {
        /// The id that the client gave it, and the one that the service's answer says, which is another only then.
        case message(clientID: String, id: String)
        /// A custom message goes out without an id of the client.
        case custom(data: String)

        /// Whether a message is the echo; the carrier may leave out the id of the client.
        func isBrought(by message: ChatMessage) -> Bool {
            switch self {
            case .custom(let data): message.kind == .custom && data == message.customData ?? ""
            case .message(let clientID, let id):
                message.kind != .custom && (message.clientID.map { $0 == clientID } ?? (message.id == id))
            }
        }
    }

    /// At most this many are awaited, since an echo may be lost; the oldest are forgotten.
    private static let limit = 1_000

    private var awaited: [Echo] = []

    /// Notes a message that goes out.
    mutating func sent(clientID: String) { self.note(.message(clientID: clientID, id: clientID)) }

    /// Notes a custom message that goes out.
    mutating func sentCustom(_ data: String) { self.note(.custom(data: data)) }

    /// Notes the id under which the service took a message, unless its echo has come.
    mutating func accepted(clientID: String, as id: String) {
        guard let index = self.awaited.firstIndex(of: .message(clientID: clientID, id: clientID)) else { return }
        self.awaited[index] = .message(clientID: clientID, id: id)
    }

    private mutating func note(_ echo: Echo) {
        if self.awaited.count >= Self.limit { self.awaited.removeFirst() }
        self.awaited.append(echo)
    }

    /// Takes what a message is the echo of; returns whether it is one.
    mutating func take(_ message: ChatMessage) -> Bool {
        guard let index = self.awaited.firstIndex(where: { $0.isBrought(by: message) }) else { return false }
        self.awaited.remove(at: index)
        return true
    }
}
