import JSON
import Machines

/// Tells the agent that the user types, not too often (chapter "Typing Indicator for User-Agent Conversations").
struct TypingThrottle: Sendable {
    /// What to do about a key stroke.
    struct Outcome: Sendable {
        /// The status to send, if any, and the text to send with it.
        var status: (StatusPayload.Status, text: String)?
        var effects: [OracleEffect] = []
    }

    /// The least time between two messages that the user types.
    let interval: Duration

    /// Whether the agent sees the text.
    let showsText: Bool

    /// What the input field holds.
    private(set) var input = ""

    private var lastSent: Instant?

    /// The least interval that the vendor's clients take.
    static let leastInterval = Duration.seconds(3)

    /// Reads the configuration; intervals under three seconds become three seconds.
    init(_ settings: ClientSettings) {
        self.interval = max(settings.span("typingStatusInterval"), Self.leastInterval)
        self.showsText = settings.flag("enableAgentSneakPreview")
    }

    /// The user has changed the text in the input field.
    mutating func inputChanged(to text: String, at now: Instant) -> Outcome {
        self.input = text
        if text.isEmpty { return self.fellSilent() }
        var outcome = Outcome(effects: [.setTimer(.typing, self.interval)])
        if self.lastSent.map({ now - $0 >= self.interval }) ?? true {
            self.lastSent = now
            outcome.status = (.responding, self.showsText ? text : "...")
        }
        return outcome
    }

    /// The user has not touched a key for a while, or has sent the text.
    mutating func fellSilent() -> Outcome {
        guard self.lastSent != nil else { return Outcome() }
        self.lastSent = nil
        return Outcome(
            status: (.listening, self.showsText ? self.input : "..."), effects: [.cancelTimer(.typing)])
    }

    /// Puts a text in the input field that was not typed, such as recognized speech.
    mutating func place(_ text: String) { self.input = text }
}
