import JSON
import Machines

/// What stands in the input field, and what an agent learns of it, not too often (chapter "Typing Indicator for
/// User-Agent Conversations").
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | silent | `inputChanged` to some text, which is wanted | typing | sets the timer; `RESPONDING` |
/// | typing | `inputChanged` to some text, which is wanted | typing | sets the timer; `RESPONDING` after the interval |
/// | typing | `inputChanged` to nothing, `textSent`, `silenceElapsed` | silent | cancels the timer; `LISTENING`, if it is wanted |
/// | typing | `inputChanged` to some text, which is not wanted any more | silent | cancels the timer |
/// | silent | `inputChanged` otherwise, `textSent`, `silenceElapsed` | silent | |
/// | any | `placed` | unchanged | |
/// | any | `stopped` | silent | cancels the timer |
struct TypingStatusPart: Sendable {
    /// What happens to the input field.
    enum Input: Sendable {
        /// Whether anybody is to learn of it: an agent, if the view may tell one.
        case inputChanged(String, isWanted: Bool)
        /// The text was sent, which empties the field.
        case textSent(isWanted: Bool)
        /// The user has not touched a key for a while.
        case silenceElapsed(isWanted: Bool)
        /// A text was put in that was not typed, such as recognized speech.
        case placed(String)
        case stopped
    }

    /// The least time between two messages that the user types.
    private let interval: Duration
    /// Whether the agent sees the text.
    private let showsText: Bool
    private var lastSent: Instant?

    /// What the input field holds.
    private(set) var input = ""

    /// Whether somebody has been told that the user types.
    var isTyping: Bool { self.lastSent != nil }

    /// Reads the configuration.
    init(_ settings: ClientSettings) {
        self.interval = settings.span("typingStatusInterval")
        self.showsText = settings.flag("enableAgentSneakPreview")
    }

    /// Takes in what happened.
    mutating func handle(_ input: Input, at now: Instant) -> [ClientAction] {
        switch input {
        case .inputChanged(let text, let isWanted):
            self.input = text
            return text.isEmpty || !isWanted ? self.fallSilent(isWanted) : self.type(at: now)
        case .textSent(let isWanted):
            self.input = ""
            return self.fallSilent(isWanted)
        case .silenceElapsed(let isWanted): return self.fallSilent(isWanted)
        case .placed(let text): self.input = text
        case .stopped:
            self.lastSent = nil
            return [.perform(.cancelTimer(.typing))]
        }
        return []
    }

    /// Returns what tells the other side whether the user types; nothing while the client is not connected.
    static func message(_ status: StatusPayload.Status, text: String, _ moment: ClientMoment) -> [ClientAction] {
        guard moment.isOpen else { return [] }
        let members: JSONObject = [
            "messagePayload": StatusPayload.user(status, text: text).json, "userId": .string(moment.address.userID),
        ]
        let fields: JSONObject = ["active": .bool(status == .responding), "text": .string(text)]
        return [.transmit(members), .emit(.typingSent, fields, raw: .object(members))]
    }

    private var shownText: String { self.showsText ? self.input : "..." }

    private mutating func type(at now: Instant) -> [ClientAction] {
        let timer = ClientAction.perform(.setTimer(.typing, self.interval))
        if let lastSent, now - lastSent < self.interval { return [timer] }
        self.lastSent = now
        return [timer, .sendStatus(.responding, text: self.shownText)]
    }

    private mutating func fallSilent(_ isWanted: Bool) -> [ClientAction] {
        guard self.isTyping else { return [] }
        self.lastSent = nil
        let news: [ClientAction] = isWanted ? [.sendStatus(.listening, text: self.shownText)] : []
        return [.perform(.cancelTimer(.typing))] + news
    }
}
