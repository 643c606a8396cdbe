import JSON

/// The names of the events that the service sends over the message carrier.
///
/// Known from the vendor's SDK; an event with another name is ignored.
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
    /// - Returns: Nil if it has another form or the event is unknown; such a frame is dropped.
    init?(_ value: JSONValue) {
        guard let event = value["event"]?.string.flatMap(EnvelopeEvent.init), let payload = value["payload"]?.object
        else { return nil }
        self.init(event, payload)
    }

    /// The wire form.
    var json: JSONValue { ["event": .string(self.event.rawValue), "payload": .object(self.payload)] }
}
