import JSON
import Machines

/// The names of the events that the service sends over the message carrier.
///
/// Known from the vendor's SDK, which ignores an event with another name.
enum EnvelopeEvent: String, CaseIterable, Hashable, Sendable {
    case messageCreated = "message-created"
    case imageCreated = "image-created"
    case customMessageCreated = "custom-message-created"
    case messageDeleted = "message-deleted"
    case imageDeleted = "image-deleted"
    case messagePinned = "message-pinned"
    case messageUnpinned = "message-unpinned"
    case roomUpdated = "chatroom-updated"
    case roomAdded = "chat-room-add"
    case roomInvitation = "chat-room-invite"
    case profileBlocked = "block-profile"
    case profileUnblocked = "unblock-profile"

    /// Whether this event brings a message.
    var isCreation: Bool {
        switch self {
        case .messageCreated, .imageCreated, .customMessageCreated: true
        default: false
        }
    }

    /// Whether this event takes a message away.
    var isDeletion: Bool { self == .messageDeleted || self == .imageDeleted }

    /// Whether this event comes on a profile's channel, and not on those of a room.
    var isOfProfile: Bool {
        switch self {
        case .roomAdded, .roomInvitation, .profileBlocked, .profileUnblocked: true
        default: false
        }
    }
}

/// What the service wraps its events in: `{"event": …, "payload": {…}}`.
struct Envelope: Hashable, Sendable {
    let event: EnvelopeEvent
    let payload: JSONObject

    /// Creates an envelope.
    init(_ event: EnvelopeEvent, _ payload: JSONObject) {
        self.event = event
        self.payload = payload
    }

    /// Reads the payload of a carried message.
    ///
    /// - Throws: ``FrameProblem`` if it has another form or the event is unknown.
    init(_ value: JSONValue) throws(FrameProblem) {
        guard let name = value["event"]?.string else {
            throw .error(
                .frame("a frame", Misreading("it is \(value.description.shortened(to: 500)), without an event")))
        }
        guard let event = EnvelopeEvent(rawValue: name) else {
            throw .ignored("an unknown event \(name.shortened(to: 500))")
        }
        guard let payload = value["payload"]?.object else {
            throw .error(SDKError("missingPayload", "the event \(name) has no payload that is an object"))
        }
        self.init(event, payload)
    }

    /// The wire form.
    var json: JSONValue { ["event": .string(self.event.rawValue), "payload": .object(self.payload)] }
}
