import JSON

/// A message on its way to the server, before the delegates have seen it.
struct Outgoing: Hashable, Sendable {
    /// What the client does beside sending it.
    enum Kind: Hashable, Sendable {
        /// The user's own words or place: shown, offered to `before_send`.
        case visible
        /// A tapped action: shown by its label, offered to `before_send_postback`.
        case postback(action: JSONObject)
        /// A filled form: not shown, offered to `before_send`.
        case form
        /// A message that nobody sees: no delegate.
        case hidden
        /// An event or context that is no turn of the user: no delegate.
        case event
        /// The end of the session.
        case close
    }

    /// The payload.
    var payload: JSONObject
    /// What the client does beside sending it.
    let kind: Kind

    /// Members to add to the metadata of this message.
    var metadata: JSONObject = [:]

    /// News of the user that go along; nil for none.
    var profile: JSONObject?

    /// Creates a message.
    init(_ payload: JSONObject, kind: Kind, metadata: JSONObject = [:]) {
        self.payload = payload
        self.kind = kind
        self.metadata = metadata
    }

    /// Creates a text of the user.
    static func text(_ text: String) -> Outgoing {
        Outgoing(["type": "text", "text": .string(text)], kind: .visible)
    }

    /// Creates an event for the skill.
    static func event(_ event: SkillEvent) -> Outgoing {
        var payload: JSONObject = [
            "type": "inboundEvent", "eventType": .string(event.type),
            "eventVersion": .string(event.version ?? "1.0"), "eventData": event.data ?? .object([:]),
        ]
        payload["contextProperties"] = event.context
        return Outgoing(payload, kind: .event)
    }

    /// Creates news of where in an application the user is.
    static func context(_ context: String, more: JSONObject?) -> Outgoing {
        var payload: JSONObject = [
            "type": "updateApplicationContextCommand", "source": "chatWindow", "context": .string(context),
        ]
        for (member, value) in more ?? [:] { payload[member] = value }
        return Outgoing(payload, kind: .event)
    }

    /// Creates the message that a payload made by a script stands for, which may take news of the user along.
    init(script payload: JSONObject, profile: JSONObject?, metadata: JSONObject = [:]) {
        var message = payload
        // An action that was tapped is said by its label.
        if payload["type"]?.string == "postback", payload["text"] == nil, let label = payload["label"] {
            message["label"] = nil
            message["text"] = label
        }
        let kind: Kind =
            switch Payload(members: payload).type {
            case .postback: .postback(action: payload)
            case .formSubmission: .form
            case .inboundEvent, .updateApplicationContextCommand, .status: .event
            case .closeSession: .close
            default: .visible
            }
        self.init(message, kind: kind, metadata: metadata)
        self.profile = profile
    }

    /// Whether the skill is expected to answer.
    var isTurn: Bool {
        switch self.kind {
        case .visible, .postback, .form, .hidden: true
        case .event, .close: false
        }
    }

    /// Whether it makes the actions of earlier messages past ones.
    var usesUpActions: Bool { self.isTurn && self.kind != .hidden }

    /// Whether the view shows it.
    var isShown: Bool {
        switch self.kind {
        case .visible: true
        case .postback: !PostbackPayload(members: self.payload).isHidden
        case .form, .hidden, .event, .close: false
        }
    }
}
