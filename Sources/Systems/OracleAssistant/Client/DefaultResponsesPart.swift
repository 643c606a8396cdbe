import Machines

/// What the client says itself while the skill is silent (chapter "Default Client Responses").
///
/// With the greeting timeout G, the interval W and the typing timeout T, counted from the user's message: the greeting
/// at G if the skill has never answered, a request for patience at G + k·W while that is before G + T − 1 s, and an
/// apology at G + T.
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | idle, waiting | `messageSent`, enabled, not with an agent | waiting | sets the timers |
/// | idle, waiting | `messageSent` otherwise | unchanged | |
/// | waiting | `timerFired` of the greeting | waiting | greets, if the skill has never answered; sets the timer of patience |
/// | waiting | `timerFired` of patience | waiting | asks for patience; sets its timer again, if there is time |
/// | waiting | `timerFired` of the apology | idle | apologizes |
/// | waiting | `received`, `stopped` | idle | cancels the timers |
/// | waiting | `connectionClosed` | idle | cancels the timers; hides the typing indicator |
/// | any | `messagesCleared` | unchanged | |
struct DefaultResponsesPart: Sendable {
    /// What there is to say.
    enum Kind: String, CaseIterable, Sendable {
        case greeting, wait, sorry
    }

    /// What happens to the conversation.
    enum Input: Sendable {
        /// The user has said something.
        case messageSent
        case received(Envelope)
        case timerFired(Kind)
        case messagesCleared
        /// No answer can come any more.
        case connectionClosed
        /// The conversation is over.
        case stopped
    }

    private let isEnabled: Bool
    /// G.
    private let greetingTimeout: Duration
    /// W.
    private let waitInterval: Duration
    /// T.
    private let typingTimeout: Duration
    /// Whether the skill has said anything since the start or since the messages were cleared.
    private var hasSkillAnswered = false
    /// Whether the last message was an agent's; agents are not helped out.
    private var isWithAgent = false
    private var sentAt: Instant?

    /// Whether the skill owes an answer.
    var isWaiting: Bool { self.sentAt != nil }

    /// Reads the configuration.
    init(_ settings: ClientSettings) {
        self.isEnabled = settings.flag("enableDefaultClientResponse")
        self.greetingTimeout = settings.span("defaultGreetingTimeout")
        self.waitInterval = settings.span("defaultWaitMessageInterval")
        self.typingTimeout = settings.span("typingStatusTimeout")
    }

    /// Takes in what happened.
    mutating func handle(_ input: Input, at now: Instant) -> [ClientAction] {
        switch input {
        case .messageSent:
            guard self.isEnabled, !self.isWithAgent else { return [] }
            self.sentAt = now
            return [
                .perform(.setTimer(.defaultResponse(.greeting), self.greetingTimeout)),
                .perform(.setTimer(.defaultResponse(.sorry), self.greetingTimeout + self.typingTimeout)),
                .perform(.cancelTimer(.defaultResponse(.wait))),
            ]
        case .received(let envelope):
            let actions = self.stop()
            if envelope.source == .bot, envelope.payload.type?.isDisplayed ?? false { self.hasSkillAnswered = true }
            self.isWithAgent = envelope.source == .agent
            return actions
        case .timerFired(let kind): return self.timerFired(kind, at: now)
        case .messagesCleared:
            self.hasSkillAnswered = false
            return []
        case .connectionClosed:
            // The indicator waits for the apology, which does not come.
            return self.isWaiting ? self.stop() + [.showTyping(false, from: .bot)] : []
        case .stopped: return self.stop()
        }
    }

    private mutating func stop() -> [ClientAction] {
        guard self.isWaiting else { return [] }
        self.sentAt = nil
        return Kind.allCases.map { .perform(.cancelTimer(.defaultResponse($0))) }
    }

    private mutating func timerFired(_ timer: Kind, at now: Instant) -> [ClientAction] {
        guard let sentAt else { return [] }
        switch timer {
        case .greeting: return self.nextWait(after: now, sentAt) + (self.hasSkillAnswered ? [] : [.say(.greeting)])
        case .wait: return self.nextWait(after: now, sentAt) + [.say(.wait)]
        case .sorry:
            self.sentAt = nil
            return [.perform(.cancelTimer(.defaultResponse(.wait))), .say(.sorry)]
        }
    }

    private func nextWait(after now: Instant, _ sentAt: Instant) -> [ClientAction] {
        let end = sentAt + (self.greetingTimeout + self.typingTimeout - .seconds(1))
        guard now + self.waitInterval < end else { return [] }
        return [.perform(.setTimer(.defaultResponse(.wait), self.waitInterval))]
    }
}
