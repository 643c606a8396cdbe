import Machines

/// What the client says itself while the skill is silent (chapter "Default Client Responses").
///
/// With the greeting timeout G, the interval W and the typing timeout T, counted from the user's message: the greeting
/// at G if the skill has never answered, a request for patience at G + k·W while that is before G + T − 1 s, and an
/// apology at G + T.
struct DefaultResponses: Sendable {
    /// What there is to say.
    enum Kind: String, CaseIterable, Sendable {
        case greeting, wait, sorry
    }

    /// What a fired timer means.
    struct Outcome: Sendable {
        /// What is to be said, if anything.
        let kind: Kind?
        let effects: [OracleEffect]
    }

    /// Whether the client says anything itself.
    let isEnabled: Bool
    /// G.
    let greetingTimeout: Duration
    /// W.
    let waitInterval: Duration
    /// T.
    let typingTimeout: Duration

    /// Whether the skill has said anything since the start or since the messages were cleared.
    var hasSkillAnswered = false

    /// Whether the last message was an agent's; agents are not helped out.
    var isWithAgent = false

    private var sentAt: Instant?

    /// Reads the configuration.
    init(_ settings: ClientSettings) {
        self.isEnabled = settings.flag("enableDefaultClientResponse")
        self.greetingTimeout = settings.span("defaultGreetingTimeout")
        self.waitInterval = settings.span("defaultWaitMessageInterval")
        self.typingTimeout = settings.span("typingStatusTimeout")
    }

    /// The user has said something.
    mutating func messageSent(at now: Instant) -> [OracleEffect] {
        guard self.isEnabled, !self.isWithAgent else { return [] }
        self.sentAt = now
        return [
            .setTimer(.defaultResponse(.greeting), self.greetingTimeout),
            .setTimer(.defaultResponse(.sorry), self.greetingTimeout + self.typingTimeout),
            .cancelTimer(.defaultResponse(.wait)),
        ]
    }

    /// Anything has come from the server, or the conversation is over.
    mutating func stop() -> [OracleEffect] {
        guard self.sentAt != nil else { return [] }
        self.sentAt = nil
        return Kind.allCases.map { .cancelTimer(.defaultResponse($0)) }
    }

    /// A timer ran out.
    mutating func timerFired(_ timer: Kind, at now: Instant) -> Outcome {
        guard let sentAt = self.sentAt else { return Outcome(kind: nil, effects: []) }
        switch timer {
        case .greeting:
            return Outcome(
                kind: self.hasSkillAnswered ? nil : .greeting, effects: self.nextWait(after: now, sentAt))
        case .wait: return Outcome(kind: .wait, effects: self.nextWait(after: now, sentAt))
        case .sorry:
            self.sentAt = nil
            return Outcome(kind: .sorry, effects: [.cancelTimer(.defaultResponse(.wait))])
        }
    }

    private func nextWait(after now: Instant, _ sentAt: Instant) -> [OracleEffect] {
        let end = sentAt + (self.greetingTimeout + self.typingTimeout - .seconds(1))
        return now + self.waitInterval < end
            ? [.setTimer(.defaultResponse(.wait), self.waitInterval)] : []
    }
}
