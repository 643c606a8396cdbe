import JSON
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

/// Something that is published on a channel of the message carrier.
struct Publication: Hashable, Sendable {
    /// A message of a room, which is remembered by its id.
    struct Message: Hashable, Sendable {
        let id: String
        let room: String
        /// The message that it replies to.
        let parent: String?
    }

    let data: JSONValue
    let channel: String
    /// 0 is a message, 3 a message action.
    var type: Int64 = 0
    var publisher = "server"
    var senderID = "server"
    /// What the message is filtered for; empty if it is not.
    var filter = ""
    /// Whether the histories have it.
    var isStored = true
    /// The only profile that sees it; nil for everyone.
    var visibleOnlyTo: String?
    /// The message that this brings, if it brings one.
    var message: Message?

    /// Creates what is published of an event of the service.
    init(_ event: EnvelopeEvent, _ payload: JSONObject, on channel: String) {
        self.init(Envelope(event, payload).json, on: channel)
    }

    /// Creates what is published.
    init(_ data: JSONValue, on channel: String) {
        self.data = data
        self.channel = channel
    }
}

/// A message that a client publishes itself, past the REST interface.
struct DirectMessage: Hashable, Sendable {
    let envelope: Envelope
    let channel: String
    /// Who publishes it, if the request has a valid token.
    let profile: String?
    /// Whether the histories have it, which is so unless the request says otherwise.
    var isStored = true

    /// What is published of it in a room.
    func publication(in room: String, by profile: String, isShadowMuted: Bool) -> Publication {
        var payload = self.envelope.payload
        payload["sender_id"] = .string(profile)
        var publication = Publication(self.envelope.event, payload, on: self.channel)
        publication.publisher = profile
        publication.senderID = profile
        publication.visibleOnlyTo = isShadowMuted ? profile : nil
        publication.isStored = self.isStored
        if self.envelope.event.isCreation, let id = payload["id"]?.string {
            let parent = payload["parent_message_id"]?.string
            publication.message = Publication.Message(id: id, room: room, parent: parent)
        }
        return publication
    }
}
