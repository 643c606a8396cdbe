import Machines

/// The messages of a room that wait for the play head, in the order in which they came.
struct SpoilerQueue: Sendable {
    /// At most this many messages wait: 20 in the vendor's Android SDK, any number in that for iOS; here as many as a
    /// list keeps, which is defined here.
    private let limit: Int
    private var waiting: [ChatMessage] = []

    /// Creates a queue in which nothing waits.
    init(_ options: ClientOptions) {
        self.limit = options.platform == .android ? 20 : options.messageLimit
    }

    var isEmpty: Bool { self.waiting.isEmpty }

    /// Lets a message wait; returns the one that has waited longest if more wait than may, which is shown then.
    mutating func add(_ message: ChatMessage) -> ChatMessage? {
        self.waiting.append(message)
        return self.waiting.count > self.limit ? self.waiting.removeFirst() : nil
    }

    /// Takes a message out that was deleted.
    mutating func remove(_ id: String) { self.waiting.removeAll { $0.id == id } }

    /// Changes the reactions of the message that was published at a token; returns whether it waits.
    mutating func change(_ reaction: ChatMessage.Reaction, isAdded: Bool, at token: TimeToken) -> Bool {
        guard let index = self.waiting.firstIndex(where: { $0.times.token == token }) else { return false }
        self.waiting[index].change(reaction, isAdded: isAdded)
        return true
    }

    /// Hands out the messages that the play head has reached.
    mutating func release(behind playHead: PlayHead?, at now: Instant) -> [ChatMessage] {
        guard !self.waiting.isEmpty else { return [] }
        let waiting = self.waiting
        self.waiting = waiting.filter { playHead?.isBehind($0, at: now) ?? false }
        return waiting.filter { !(playHead?.isBehind($0, at: now) ?? false) }
    }
}
