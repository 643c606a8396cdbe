import JSON
import Machines

/// The session with the skill: what opens it, and that opening the chat begins another one after its end.
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | any | `initialized` | new | |
/// | any | `userChanged` | new | |
/// | over | `connectAsked` | new | |
/// | over | `chatOpened` | over | connects; sends the first messages |
/// | new, begun | `chatOpened` | unchanged | sends the first messages |
/// | new, over | `firstMessagesDue`, connected, the chat open or messages wanted at once | begun | profile, language, hidden message, device token |
/// | any | `firstMessagesDue` otherwise | unchanged | |
/// | any | `spoken` | unchanged | |
/// | any | `ended` | over | |
struct SessionPart: Sendable {
    enum State: String, CaseIterable, Sendable {
        case new, begun, over
    }

    /// What happens to the session.
    enum Input: Sendable {
        case initialized
        /// Another user takes over, with a session of its own.
        case userChanged
        case connectAsked
        case chatOpened
        case firstMessagesDue(isExpanded: Bool, isOpen: Bool)
        /// The user has said something.
        case spoken
        case ended
    }

    private let settings: ClientSettings
    private(set) var state = State.new

    /// Whether the user has said anything, so that the session is worth closing.
    private(set) var hasSpoken = false

    /// Creates a session of which nothing was sent.
    init(_ settings: ClientSettings) { self.settings = settings }

    /// Takes in what happened.
    mutating func handle(_ input: Input) -> [ClientAction] {
        switch input {
        case .initialized:
            self.state = .new
            return []
        case .userChanged:
            self.state = .new
            self.hasSpoken = false
            return []
        case .connectAsked:
            if self.state == .over { self.state = .new }
            return []
        case .chatOpened: return self.state == .over ? [.connect, .sendFirstMessages] : [.sendFirstMessages]
        case .firstMessagesDue(let isExpanded, let isOpen):
            let isWanted = isExpanded || self.settings.text("initMessageOptions") == "init"
            guard self.state != .begun, isWanted, isOpen, !self.settings.flag("enableHeadless") else { return [] }
            self.state = .begun
            return self.firstMessages
        case .spoken:
            self.hasSpoken = true
            return []
        case .ended:
            self.state = .over
            self.hasSpoken = false
            return []
        }
    }

    /// Profile, language, hidden message and device token, in this order.
    private var firstMessages: [ClientAction] {
        var actions: [ClientAction] = []
        if let profile = self.settings.values["initUserProfile"]?.object {
            actions.append(.transmit(self.settings.profileMessage(profile)))
        }
        actions.append(.announceLanguage)
        switch self.settings.values["initUserHiddenMessage"] {
        case .string(let text):
            actions.append(.send(Outgoing(["type": "text", "text": .string(text)], kind: .hidden)))
        case .object(let message):
            actions.append(.send(Outgoing(message["messagePayload"]?.object ?? message, kind: .hidden)))
        default: break
        }
        if let token = self.settings.text("deviceToken") {
            let frame = ClientFrame.deviceToken(token, deviceType: self.settings.text("deviceType") ?? "ios")
            actions.append(.transmit(frame.json.object ?? [:]))
        }
        return actions
    }
}
