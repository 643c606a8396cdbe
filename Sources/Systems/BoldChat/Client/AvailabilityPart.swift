import JSON
import Machines

/// For whom and where the availability of a chat was asked.
struct AvailabilityQuery: Hashable, Sendable {
    /// The visitor; empty for one without an id.
    let visitorID: String
    /// The department; nil for any.
    let departmentID: String?
}

/// Whether a chat is possible, asked without creating one.
///
/// The iOS engine keeps an answer for 60 seconds per visitor, and one call answers all requests of the same time; that
/// another department is another question is defined here. The browser window asks each time.
///
/// | state of a question | input | → state | actions |
/// |---|---|---|---|
/// | unknown | `asked` | asked | `getChatAvailability` |
/// | asked | `asked` | asked | answers with the number of the call under way |
/// | known | `asked` | known | the event that is kept |
/// | asked | `answered` by the server | known | `available`, `unavailable` or `error`, once for each request |
/// | asked | `answered` by no one | unknown | `error`, once for each request |
/// | asked | `withdrawn`, others wait | asked | answers that there was such a request |
/// | asked | `canceled` | unknown | |
/// | known | 60 seconds | unknown | |
struct AvailabilityPart: Sendable {
    /// What happens to a question.
    enum Input: Sendable {
        /// A script asks; the number of the call under way for the same question, if there is one, and the number that
        /// another call would have.
        case asked(AvailabilityQuery, underWay: UInt64?, next: UInt64)
        case answered(AvailabilityQuery, CallOutcome)
        /// One of the requests that wait for a call is taken back; no action if no other waits for it.
        case withdrawn(UInt64)
        /// The call was dropped.
        case canceled(AvailabilityQuery)
    }

    /// An answer that is still good.
    private struct Entry: Sendable {
        let event: ChatEvent
        let until: Instant
    }

    /// How long an answer is used again.
    static let lifetime: Duration = .seconds(60)

    /// Answers kept; all are dropped when more are asked for, defined here.
    static let limit = 1000

    private let habits: AvailabilityHabits
    private var entries: [AvailabilityQuery: Entry] = [:]

    /// The call that a question waits for, and how many requests wait for it.
    private var waiting: [AvailabilityQuery: (call: UInt64, count: Int)] = [:]

    /// Creates a part that knows nothing.
    init(_ profile: Profile) {
        self.habits = profile.availability
    }

    private func event(for query: AvailabilityQuery, at now: Instant) -> ChatEvent? {
        self.entries[query].flatMap { $0.until > now ? $0.event : nil }
    }

    /// Takes in what happened.
    mutating func handle(_ input: Input, at now: Instant) -> [ClientAction] {
        switch input {
        case .asked(let query, let underWay, let next): return self.ask(query, underWay, next, at: now)
        case .answered(let query, let outcome): return self.answered(query, outcome, at: now)
        case .withdrawn(let number):
            guard let query = self.waiting.first(where: { $0.value.call == number && $0.value.count > 1 })?.key else {
                return []
            }
            self.waiting[query]?.count -= 1
            return [.answer(.done(true))]
        case .canceled(let query):
            self.waiting[query] = nil
            return []
        }
    }

    private mutating func ask(
        _ query: AvailabilityQuery, _ underWay: UInt64?, _ next: UInt64, at now: Instant
    ) -> [ClientAction] {
        if self.habits.areAnswersKept {
            if let event = self.event(for: query, at: now) { return [.perform(.emit(event))] }
            if let underWay {
                self.waiting[query, default: (underWay, 0)].count += 1
                return [.answer(.done(.integer(Int64(underWay))))]
            }
            self.waiting[query] = (next, 1)
        }
        var parameters: [(String, String)] = []
        if !query.visitorID.isEmpty { parameters.append((self.habits.visitorParameter, query.visitorID)) }
        if let department = query.departmentID { parameters.append(("DepartmentID", department)) }
        return [.call(.availability(query), .getChatAvailability, parameters)]
    }

    private mutating func answered(
        _ query: AvailabilityQuery, _ outcome: CallOutcome, at now: Instant
    ) -> [ClientAction] {
        let requests = self.waiting.removeValue(forKey: query)?.count ?? 1
        let event = Self.event(of: outcome)
        // A failure of the network says nothing about the account, so it is not kept.
        if case .answered = outcome, self.habits.areAnswersKept {
            if self.entries.count >= Self.limit { self.entries = [:] }
            self.entries[query] = Entry(event: event, until: now + Self.lifetime)
        }
        return Array(repeating: .perform(.emit(event)), count: requests)
    }

    private static func event(of outcome: CallOutcome) -> ChatEvent {
        switch outcome {
        case .answered(let answer) where answer.isSuccess && answer.members.truth("Available"):
            return ChatEvent(.available, raw: answer.body)
        case .answered(let answer) where answer.isSuccess:
            let reason = answer.unavailableReason ?? .unknown
            return ChatEvent(.unavailable, ["reason": .string(reason.rawValue)], raw: answer.body)
        case .answered(let answer):
            let code = ErrorCode(availabilityMessage: answer.message)
            return ClientEvents.error(
                code, .availability, operation: "check_availability", message: answer.message, raw: answer.body)
        case .unreadable(let answer, let detail):
            return ClientEvents.error(
                .malformedAnswer, .availability, operation: "check_availability", message: detail, raw: answer.body)
        case .failed(let code, let detail):
            return ClientEvents.error(code, .availability, operation: "check_availability", message: detail)
        }
    }
}
