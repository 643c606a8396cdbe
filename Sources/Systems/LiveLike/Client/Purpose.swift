/// Why an exchange of the client is under way, and so what its answer means.
enum Purpose: Hashable, Sendable {
    case application
    case profile
    case displayName
    case blockedIDs
    case room(String)
    case subscribe
    case history(room: String, HistoryPage)
    case upload(OutgoingMessage)
    case message(OutgoingMessage)
    case custom(room: String)
    /// Take away the own reaction first, then add another one.
    case removeReaction(room: String, message: String, thenAdd: String?)
    case addReaction(room: String, message: String, reaction: String)
    case call(PendingCall)
    /// The carrier's presence is told something; its answer does not matter.
    case presence

    /// The session object of a room that wants the answer; nil if it is for the member as a whole.
    var session: String? {
        switch self {
        case .room(let room), .history(let room, _), .custom(let room), .removeReaction(let room, _, _),
            .addReaction(let room, _, _):
            room
        case .upload(let message), .message(let message): message.room
        case .application, .profile, .displayName, .blockedIDs, .subscribe, .call, .presence: nil
        }
    }

    /// Whether the server does something for it that is wanted also when nobody hears of it any more.
    var mustArrive: Bool {
        switch self {
        case .room, .history: false
        default: true
        }
    }
}
