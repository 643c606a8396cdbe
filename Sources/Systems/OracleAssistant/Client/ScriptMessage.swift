import JSON
import Machines

/// What a script passes to `send`: a text, a payload, a whole message, a tapped action, or news of the user.
enum ScriptMessage: Sendable {
    case message(Outgoing)
    /// A message without payload that has a profile.
    case profile(JSONObject)
    /// A message with neither.
    case invalid

    /// Says that the profile of the user could not be sent.
    static let profileNotSent = ClientAction.fail(
        "ConnectionNone", "The profile was not sent, for the client is not connected.")

    /// Reads the argument.
    ///
    /// - Throws: That it is neither a text nor a table.
    init(_ value: JSONValue) throws(CommandRefusal) {
        if let text = value.string {
            self = .message(.text(text))
            return
        }
        guard let members = value.object else {
            throw CommandRefusal(
                "send takes a text, a payload such as { type = \"text\", text = \"…\" } or a message")
        }
        guard members["profile"] != nil || members["type"] == nil && members["messagePayload"] == nil else {
            self = .message(Outgoing(script: members["messagePayload"]?.object ?? members))
            return
        }
        self = members["profile"]?.object == nil ? .invalid : .profile(members)
    }

    /// What there is to do to send it.
    func actions(_ settings: ClientSettings, isOpen: Bool) -> [ClientAction] {
        switch self {
        case .message(let message): [.send(message)]
        case .profile(let members): [isOpen ? .transmit(settings.profileMessage(members)) : Self.profileNotSent]
        case .invalid: [.fail("ProfileInvalid", "A message without payload needs a table profile.")]
        }
    }
}
