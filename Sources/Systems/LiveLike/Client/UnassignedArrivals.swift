import JSON

/// Messages in the member's name, without an id of a client, that came while an own one had no answer yet, and what
/// came for them: whether one of them is its echo only the id of the answer tells.
struct UnassignedArrivals: Sendable {
    /// What waits for the answer.
    enum Arrival: Sendable {
        case message(ChatMessage, raw: JSONValue)
        case reaction(MessageAction, by: String, raw: JSONValue)
    }

    /// At most this many messages wait; further ones are somebody else's, which is defined here.
    private static let messageLimit = 100

    /// At most this many reactions wait; further ones find no message, which is defined here.
    private static let reactionLimit = 1_000

    private var arrivals: [Arrival] = []
    private var tokens: Set<TimeToken> = []
    private var messageCount = 0

    /// Whether no further message is taken.
    var isFull: Bool { self.messageCount >= Self.messageLimit }

    /// Takes a message that an answer may name.
    mutating func add(_ message: ChatMessage, raw: JSONValue) {
        self.messageCount += 1
        if let token = message.times.token { self.tokens.insert(token) }
        self.arrivals.append(.message(message, raw: raw))
    }

    /// Takes a reaction to one of the messages; returns whether it is one.
    mutating func add(_ reaction: MessageAction, by publisher: String, raw: JSONValue) -> Bool {
        guard self.tokens.contains(reaction.messageTimeToken),
            self.arrivals.count - self.messageCount < Self.reactionLimit
        else { return false }
        self.arrivals.append(.reaction(reaction, by: publisher, raw: raw))
        return true
    }

    /// Hands out all that has waited, in the order in which it came.
    mutating func takeAll() -> [Arrival] {
        defer { self = Self() }
        return self.arrivals
    }
}
