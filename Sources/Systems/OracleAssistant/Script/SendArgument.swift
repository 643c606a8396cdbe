import JSON
import Machines

/// What a script passes to `send`: a text, a payload, a whole message, a tapped action, or news of the user.
enum SendArgument: Sendable {
    case message(Outgoing)
    /// A message without payload that has a profile.
    case profile(JSONObject)
    /// A message with neither.
    case invalid

    /// What a whole message or news of the user may have; all but the payload, the profile and what is added to the
    /// metadata the client sets itself.
    static let members = [
        optional("messagePayload", .json, "The payload."), optional("profile", .map(.json), "The profile; any."),
        optional("userId", .string, "The user."), optional("msgId", .string, "The message's id."),
        optional("source", .string, "Who says it."),
        optional("sdkMetadata", .map(.json), "Added to the client's; any."),
        optional("threadId", .string, "The thread."), optional("requestId", .string, "The number of the request."),
    ]

    /// Says that the profile of the user could not be sent.
    static let profileNotSent = ClientAction.fail(
        "ConnectionNone", "The profile was not sent, for the client is not connected.")

    /// Says that whether the user types could not be sent.
    static let statusNotSent = ClientAction.fail(
        "ConnectionNone", "The status was not sent, for the client is not connected.")

    /// Reads the argument.
    ///
    /// - Throws: That it is neither a text nor a table, or which member is not declared.
    init(_ value: JSONValue) throws(CommandError) {
        if let text = value.string {
            self = .message(.text(text))
            return
        }
        guard let members = value.object else {
            throw CommandError(
                "send takes a text, a payload such as { type = \"text\", text = \"…\" } or a message")
        }
        if let problem = Self.problem(in: members) { throw CommandError(problem) }
        let profile = members["profile"]?.object
        guard members["profile"] == nil || profile != nil else {
            self = .invalid
            return
        }
        if let payload = members["messagePayload"]?.object {
            let metadata = members["sdkMetadata"]?.object ?? [:]
            self = .message(Outgoing(script: payload, profile: profile, metadata: metadata))
        } else if members["messagePayload"] != nil || members["type"] != nil {
            self = .message(Outgoing(script: members, profile: profile))
        } else {
            self = profile == nil ? .invalid : .profile(members)
        }
    }

    /// Returns which member of a payload, a whole message or news of the user is not declared, or nil if all are.
    static func problem(in members: JSONObject) -> String? {
        guard members["messagePayload"] != nil || members["profile"] != nil else {
            return PayloadVocabulary.problem(in: members)
        }
        return NestedMemberCheck().problem(in: members, Self.members, of: "the message")
            ?? members["messagePayload"]?.object.flatMap { PayloadVocabulary.problem(in: $0) }
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
