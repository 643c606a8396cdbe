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

    /// Creates a message.
    init(_ payload: JSONObject, kind: Kind, metadata: JSONObject = [:]) {
        self.payload = payload
        self.kind = kind
        self.metadata = metadata
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
