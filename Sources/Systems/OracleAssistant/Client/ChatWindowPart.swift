import JSON
import Machines

/// The window of the chat: whether it is open, and how many messages came while it was not.
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | open | `messageShown`, `streamBegan`, `streamShown` | open | |
/// | minimized | `messageShown` | minimized | `unread_changed` |
/// | minimized | `streamBegan` | minimized | |
/// | minimized | `streamShown` | minimized | `unread_changed`, if anything is unread |
/// | minimized | `opened` | open | `unread_changed`, if anything was unread |
/// | any | `allRead` | unchanged | the same |
/// | open | `minimized` | minimized | |
/// | any | `initialized` | as `open_chat_on_load` says | |
/// | any | `sessionEnded` | over: closed, as its chat has ended | |
/// | over | `opened` | open | as of minimized |
/// | over | `connectAsked` | as `open_chat_on_load` says | |
struct ChatWindowPart: Sendable {
    /// What happens to the window.
    enum Input: Sendable {
        case opened, minimized, allRead
        case messageShown
        /// The first piece of a text has come; it is counted, but the vendor's client does not say so.
        case streamBegan
        /// All of a text has come, which is no other message than its first piece.
        case streamShown
        case initialized
        /// The end of a chat collapses its window.
        case sessionEnded
        /// The application connects by itself.
        case connectAsked
    }

    private let opensOnLoad: Bool
    /// Whether there is no window at all, so that nothing counts as unread.
    private let isHeadless: Bool
    /// What stands above the notification of a message.
    private let title: String

    /// Whether the chat is open.
    private(set) var isExpanded: Bool

    /// Whether the window is closed since its chat ended.
    private(set) var isOver = false

    /// How many messages came while it was closed.
    private(set) var unread: Int64 = 0

    /// Reads the configuration.
    init(_ settings: ClientSettings) {
        self.opensOnLoad = settings.flag("openChatOnLoad")
        self.isHeadless = settings.flag("enableHeadless")
        self.title = settings.words("odais_notification_title")
        self.isExpanded = self.opensOnLoad
    }

    /// Takes in what happened.
    mutating func handle(_ input: Input) -> [ClientAction] {
        switch input {
        case .opened:
            self.isExpanded = true
            self.isOver = false
            return self.markAllRead()
        case .minimized: self.isExpanded = false
        case .allRead: return self.markAllRead()
        case .messageShown:
            guard !self.isExpanded, !self.isHeadless else { return [] }
            self.unread += 1
            return [self.event]
        case .streamBegan: if !self.isExpanded, !self.isHeadless { self.unread += 1 }
        case .streamShown: return self.isExpanded || self.unread == 0 ? [] : [self.event]
        case .initialized:
            self.isExpanded = self.opensOnLoad
            self.isOver = false
        case .sessionEnded:
            self.isExpanded = false
            self.isOver = true
        case .connectAsked:
            if self.isOver { self.isExpanded = self.opensOnLoad }
            self.isOver = false
        }
        return []
    }

    private mutating func markAllRead() -> [ClientAction] {
        guard self.unread > 0 else { return [] }
        self.unread = 0
        return [self.event]
    }

    private var event: ClientAction {
        var fields: JSONObject = ["count": .integer(self.unread)]
        if self.unread > 0 { fields["title"] = .string(self.title) }
        return .emit(.unreadChanged, fields)
    }
}
