import Machines

/// What the parts of a member want done; ``LiveLikeClient`` does it in one place.
enum MemberAction: Hashable, Sendable {
    case ask(Purpose, Request)
    case emit(MemberEvent)
    case setTimer(MemberKeys.Timer, Duration)
    case cancelTimer(MemberKeys.Timer)
    /// The profile is known: ask for the rooms that wait.
    case askForRooms
    /// Ask for this room, unless its answer is on the way.
    case askForRoom(String)
    /// There is no session: no room can be connected.
    case failRooms(SDKError)
    /// This room cannot be connected.
    case failRoom(String, SDKError)
    /// The channels of a room have changed: start the loop anew.
    case resubscribe
    /// Start the next request of the subscribe loop.
    case subscribe(path: String)
    /// Drop the request of the subscribe loop.
    case cancelSubscription
    /// Hand out what the message carrier brought.
    case deliver([SubscribeReply.Item])
    /// The carrier listens to these channels now.
    case confirm(Set<String>)
    /// The carrier does not let this member listen.
    case deny(SDKError)
    /// Say goodbye to the carrier's presence.
    case leave(channels: [String])
    /// Send a message whose turn it is.
    case send(OutgoingMessage)
    /// The member has blocked somebody, or has ended that.
    case block(String), unblock(String)
}
