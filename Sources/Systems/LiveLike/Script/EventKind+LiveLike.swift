import Machines

/// The kinds of events that only LiveLike has.
extension EventKind {
    static let roomUpdated = EventKind("room_updated")
    static let messagePinned = EventKind("message_pinned")
    static let messageUnpinned = EventKind("message_unpinned")
    static let messageReported = EventKind("message_reported")
    static let memberAdded = EventKind("member_added")
    static let invitation = EventKind("invitation")
    static let profileBlocked = EventKind("profile_blocked")
    static let profileUnblocked = EventKind("profile_unblocked")
}
