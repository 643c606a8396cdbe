import ChatCore
import JSON

/// Answers to `getChatAvailability`, which the iOS engine keeps for 60 seconds per visitor.
struct AvailabilityCache: Sendable {
    /// An answer that is still good.
    struct Entry: Sendable {
        let event: ChatEvent
        let until: Instant
    }

    /// How long an answer is used again.
    static let lifetime: Duration = .seconds(60)

    /// Answers kept; all are dropped when more visitors are asked for, defined here.
    static let limit = 1000

    private var entries: [String: Entry] = [:]

    /// How many requests wait for the call that is under way, per visitor: all are answered by it.
    var waiting: [String: [UInt64]] = [:]

    /// The event that answers a request, if a good answer is known.
    func event(for visitorID: String, at now: Instant) -> ChatEvent? {
        self.entries[visitorID].flatMap { $0.until > now ? $0.event : nil }
    }

    /// Keeps an answer.
    mutating func keep(_ event: ChatEvent, for visitorID: String, at now: Instant) {
        if self.entries.count >= Self.limit { self.entries = [:] }
        self.entries[visitorID] = Entry(event: event, until: now + Self.lifetime)
    }
}
