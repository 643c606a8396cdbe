import JSON
import Machines

/// What a skill answers beside payloads: where the session goes, an agent who is wished for, how parts are sent.
enum AnswerVocabulary {
    /// An answer of a function.
    static let answer = DataDeclaration(
        "What a skill answers", "The table that a function of a skill may return in place of what to say.",
        [
            optional("messages", .json, "What to say: a text, a payload, or a list of them."),
            optional("state", .string, "The state of a table of states to go on from."),
            optional("variables", .map(.json), "What the session keeps; over what it had. Any."),
            optional(
                "agent", .either([.boolean, .record(Self.agent.members)]), "Asks for a person; true or what follows."),
            optional("end_session", .boolean, "Whether the session ends."),
        ])

    /// The wish for an agent.
    static let agent = DataDeclaration(
        "A wish for an agent", "The member `agent` of what a skill answers.",
        [
            optional("subject", .string, "What it is about."),
            optional(
                "actions",
                .list(
                    .record([
                        parameter("action", .string, "Its name."), optional("label", .string, "Its words."),
                        optional("description", .string, "What it does."),
                    ])), "What the agent can choose."),
            optional("properties", .map(.json), "The custom properties of the request; any."),
            optional("waiting_message", .string, "What the user sees once an agent has accepted."),
            optional("rejected_message", .json, "What is said if nobody comes: a text, a payload, or a list of them."),
            optional("conclusion_message", .string, "What the bot says after the agent."),
            optional("on", .map(.string), "The next state by outcome: rejected or an action."),
        ])

    /// What every part of an answer may have besides its payload.
    static let delivery = [
        optional("delay", .duration, "The time since the part before."),
        optional("from", .choice(["bot", "agent"]), "Who says it; bot unless given."),
        optional("end_of_turn", .boolean, "Whether the turn ends with it; told by its place unless given."),
        optional("envelope", .map(.json), "Members of the frame around it; any."),
    ]

    private static let typing = [optional("typing", .boolean, "In place of a payload: an agent types or has stopped.")]

    private static let stream = [
        optional("stream", .list(.string), "In place of a payload: a text in pieces."),
        optional("interval", .duration, "The time between pieces; 100 ms unless given."),
    ]

    private static let wrapped = [optional("payload", .json, "The payload, if it does not stand by itself.")]

    /// One thing to say.
    static let part = DataDeclaration(
        "A part of an answer", "A payload with how it is sent, or one of `typing`, `stream` and `payload`.",
        Self.delivery + Self.typing + Self.stream + Self.wrapped)

    /// Returns which member of an answer is not declared or of another kind, or nil if all are as they should be.
    static func problem(inAnswer members: JSONObject) -> String? {
        self.problem(in: members, Self.answer.members)
    }

    /// Returns which member of a part is not declared or of another kind, or nil if all are as they should be.
    static func problem(inPart members: JSONObject) -> String? {
        if members["type"] == nil, let payload = members["payload"]?.object {
            return self.problem(in: members, Self.delivery + Self.wrapped) ?? PayloadVocabulary.problem(inSaid: payload)
        }
        if members["typing"] != nil, members["type"] == nil {
            return self.problem(in: members, Self.delivery + Self.typing)
        }
        if members["stream"] != nil, members["type"] == nil {
            return self.problem(in: members, Self.delivery + Self.stream)
        }
        return MemberKindCheck.problem(in: members, Self.delivery, of: "the answer")
            ?? PayloadVocabulary.problem(inSaid: members, and: Self.delivery)
    }

    private static func problem(in members: JSONObject, _ declared: [ParameterDeclaration]) -> String? {
        NestedMemberCheck().problem(in: members, declared, of: "the answer")
            ?? MemberKindCheck.problem(in: members, declared, of: "the answer")
    }
}
