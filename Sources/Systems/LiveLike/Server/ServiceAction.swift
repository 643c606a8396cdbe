import Machines

/// What the parts of the service want done; ``LiveLikeServer`` does it in one place.
enum ServiceAction: Hashable, Sendable {
    /// Answer the call at hand.
    case answer(ServiceAnswer)
    /// Answer the publish at hand with the token of what was published last.
    case confirmPublication
    /// Answer a request that waits on the message carrier, or one that it answers in its own form.
    case respond(ExchangeID, Response)
    /// Do something outside.
    case perform(LiveLikeServer.Effect)
    /// Publish on a channel of the message carrier.
    case publish(Publication)
    /// Publish a message that a client gave to the message carrier itself, if its room takes it.
    case takeDirectly(DirectMessage)
    /// Show a message in no history any more.
    case removeMessage(channel: String, TimeToken)
    /// Make a profile a member without a word.
    case join(room: String, profile: String)
    /// Mute a profile or let it speak again, everywhere unless a room is named.
    case mute(Muting, profile: String, room: String?)
}
