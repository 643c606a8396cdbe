import JSON
import Machines

/// One connected room: what the vendor calls a chat session.
///
/// | state | input | → state |
/// |---|---|---|
/// | asking | room resource | subscribing |
/// | subscribing | subscribe answer | loading |
/// | loading | first page of history | connected |
/// | any before connected | failure | gone, with `error` |
/// | any | `disconnect` | gone |
///
/// What arrives before a room is connected joins its list without an event, because the vendor hands out the session
/// object, to which delegates are added, only then.
struct RoomSession: Sendable {
    /// How far connecting a room has come.
    enum State: String, Hashable, Sendable {
        case asking, subscribing, loading, connected
    }

    let id: String
    var state = State.asking
    var resource = RoomResource()
    var messages: MessageList
    var seen: RecentIDs
    /// Ids that a deletion named, also of messages not loaded yet.
    var deleted: RecentIDs
    /// Own messages under way: client id → id in the list.
    var pending: [String: String] = [:]
    var isLoadingHistory = false
    /// Where the next older page begins: the oldest raw item so far.
    var oldestTimeToken: TimeToken?
    var oldestCreatedAt: String?
    /// Whether everything there is has been loaded.
    var isAtStart = false
    /// Messages that wait for the play head, oldest first.
    var spoilers: [ChatMessage] = []
    var avatarURL: String?

    /// Creates a session that has not asked for its room yet.
    init(id: String, limit: Int, avatarURL: String?) {
        self.id = id
        self.messages = MessageList(limit: limit)
        self.seen = RecentIDs(limit: limit)
        self.deleted = RecentIDs(limit: limit)
        self.avatarURL = avatarURL
    }
}
