import JSON
import Machines

/// The window of the chat: whether it is open, and how many messages came while it was not.
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | open | `messageShown`, `streamBegan` | open | |
/// | minimized | `messageShown` | minimized | `unread_changed` |
/// | minimized | `streamBegan` | minimized | |
/// | minimized | `opened` | open | `unread_changed`, if anything was unread |
/// | any | `allRead` | unchanged | the same |
/// | open | `minimized` | minimized | |
/// | any | `sessionChanged` | as `open_chat_on_load` says | |
struct ChatWindowPart: Sendable {
    /// What happens to the window.
    enum Input: Sendable {
        case opened, minimized, allRead
        case messageShown
        /// The first piece of a text has come; it is counted, but the vendor's client does not say so.
        case streamBegan
        /// The session begins or ends.
        case sessionChanged
    }

    private let opensOnLoad: Bool
    /// Whether there is no window at all, so that nothing counts as unread.
    private let isHeadless: Bool

    /// Whether the chat is open.
    private(set) var isExpanded: Bool

    /// How many messages came while it was closed.
    private(set) var unread: Int64 = 0

    /// Reads the configuration.
    init(_ settings: ClientSettings) {
        self.opensOnLoad = settings.flag("openChatOnLoad")
        self.isHeadless = settings.flag("enableHeadless")
        self.isExpanded = self.opensOnLoad
    }

    /// Takes in what happened.
    mutating func handle(_ input: Input) -> [ClientAction] {
        switch input {
        case .opened:
            self.isExpanded = true
            return self.markAllRead()
        case .minimized: self.isExpanded = false
        case .allRead: return self.markAllRead()
        case .messageShown:
            guard !self.isExpanded, !self.isHeadless else { return [] }
            self.unread += 1
            return [self.event]
        case .streamBegan: if !self.isExpanded, !self.isHeadless { self.unread += 1 }
        case .sessionChanged: self.isExpanded = self.opensOnLoad
        }
        return []
    }

    private mutating func markAllRead() -> [ClientAction] {
        guard self.unread > 0 else { return [] }
        self.unread = 0
        return [self.event]
    }

    private var event: ClientAction { .emit(.unreadChanged, ["count": .integer(self.unread)]) }
}
