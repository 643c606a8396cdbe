import JSON
import Machines

/// For whom and where the availability of a chat was asked.
struct AvailabilityQuery: Hashable, Sendable {
    /// The visitor; empty for one without an id.
    let visitorID: String
    /// The department; nil for any.
    let departmentID: String?
}

/// Answers to `getChatAvailability`, which the iOS engine keeps for 60 seconds per visitor.
///
/// That another department is another question is defined here.
struct AvailabilityCache: Sendable {
    /// An answer that is still good.
    struct Entry: Sendable {
        let event: ChatEvent
        let until: Instant
    }

    /// How long an answer is used again.
    static let lifetime: Duration = .seconds(60)

    /// Answers kept; all are dropped when more are asked for, defined here.
    static let limit = 1000

    private var entries: [AvailabilityQuery: Entry] = [:]

    /// The requests that wait for the call that is under way: all are answered by it.
    var waiting: [AvailabilityQuery: [UInt64]] = [:]

    /// The event that answers a request, if a good answer is known.
    func event(for query: AvailabilityQuery, at now: Instant) -> ChatEvent? {
        self.entries[query].flatMap { $0.until > now ? $0.event : nil }
    }

    /// Keeps an answer.
    mutating func keep(_ event: ChatEvent, for query: AvailabilityQuery, at now: Instant) {
        if self.entries.count >= Self.limit { self.entries = [:] }
        self.entries[query] = Entry(event: event, until: now + Self.lifetime)
    }
}
