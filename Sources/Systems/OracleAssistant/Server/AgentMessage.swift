import JSON
import Machines

/// The messages between the platform and an agent system, as the vendor's published hand-over adapter has them.
enum AgentMessage {
    /// Why a message of an agent system cannot be used.
    struct Rejection: Error, Hashable {
        /// What is wrong and what to do.
        let text: String
    }

    /// The name of the channel to the agent system; defined here.
    static let channelName = "agents"

    private static let types = ["agentRequestResponse", "agent", "agentLeft", "agentAction"]
    private static let statuses = ["accepted", "delayed", "rejected"]

    /// What a message of an agent system may have; its numbers of sessions and channels have no meaning here.
    static let members = [
        parameter("type", .choice(Self.types), "What it says."),
        optional("status", .choice(Self.statuses), "What becomes of a request, for agentRequestResponse."),
        optional("text", .string, "The words."),
        optional("action", .string, "What the agent chose, for agentAction."),
        optional("channelName", .string, "The channel to the agent system."),
        optional("agentSessionId", .string, "The session of the agent system."),
        optional("channelUserState", .map(.json), "What the agent system knows of the user; any."),
        optional("userId", .string, "The user, if the script does not name one."),
    ]

    /// A message with what is around it.
    private static let envelope = [
        optional("userId", .string, "The user."), parameter("messagePayload", .record(Self.members), "The message."),
    ]

    /// Returns what the platform posts when a skill asks for an agent.
    static func request(
        _ request: JSONObject, of conversation: ServerConversation, channelID: String
    ) -> JSONValue {
        let profile = conversation.profile
        var user = JSONObject()
        user["firstName"] = profile["firstName"] ?? profile["givenName"]
        user["lastName"] = profile["lastName"] ?? profile["surname"]
        user["email"] = profile["email"]
        return [
            "userId": .string(conversation.userID),
            "messagePayload": [
                "type": "agentRequest", "webhookChannelId": .string(channelID), "channelId": .string(channelID),
                "channelName": .string(Self.channelName), "text": request["subject"] ?? "",
                "userProfile": .object(user), "conversationHistory": .array(conversation.record.history),
                "actions": request["actions"] ?? [], "customProperties": request["properties"] ?? [:],
            ],
        ]
    }

    /// Returns what the platform posts when the user has sent the agent away.
    static func ended(userID: String) -> JSONValue {
        ["userId": .string(userID), "messagePayload": ["type": "botConversationEnded"]]
    }

    /// Returns what a message of an agent system asks for, as what an agent does.
    ///
    /// - Parameters:
    ///   - message: A payload, or `{ userId, messagePayload }`.
    ///   - user: The user that the script named, if any.
    static func command(for message: JSONValue, user: JSONValue?) -> Result<AgentCommand, Rejection> {
        let members = message["messagePayload"] == nil ? Self.members : Self.envelope
        if let problem = NestedMemberCheck().problem(in: message.object ?? [:], members, of: "the message") {
            return .failure(Rejection(text: problem))
        }
        let payload = message["messagePayload"]?.object ?? message.object ?? [:]
        let user = user ?? message["userId"]
        let text = payload["text"]?.string
        let type = payload["type"]?.string ?? ""
        switch (type, payload["status"]?.string) {
        case ("agentRequestResponse", "accepted"): return .success(.accept(user: user, greeting: nil))
        case ("agentRequestResponse", "delayed"):
            return .success(.answerRequest(.wait(position: nil), text: text, user: user))
        case ("agentRequestResponse", "rejected"):
            return .success(.answerRequest(.reject, text: text, user: user))
        case ("agentRequestResponse", let status):
            return .failure(
                Rejection(
                    text: "agentRequestResponse needs a status (\(Self.statuses.joined(separator: ", "))), not "
                        + (status ?? "none")))
        case ("agent", _): return .success(.conversation(.say(.text(text ?? "")), user: user, name: "say"))
        case ("agentLeft", _):
            return .success(.conversation(.leave(text: text, state: nil), user: user, name: "leave"))
        case ("agentAction", _):
            let action = payload["action"]?.string ?? ""
            return .success(.conversation(.choose(action), user: user, name: "choose"))
        default:
            return .failure(
                Rejection(
                    text: "an agent system posts a message of one of the types "
                        + "\(Self.types.joined(separator: ", ")), not \"\(type)\""))
        }
    }
}
