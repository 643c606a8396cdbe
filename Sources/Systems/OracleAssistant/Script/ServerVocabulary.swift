import JSON
import Machines

/// What scripts can say to a simulated server and its agents, and what agents observe.
enum ServerVocabulary {
    private static let user = optional("user", .actor, "The user; the only one there is unless given.")
    private static let answer = ScriptType.json
    private static let answerSummary =
        "A text, a payload, or a list of them; each may have delay, from, end_of_turn, stream with interval, or typing."

    /// The options of a server.
    static let options: [ParameterDeclaration] = [
        optional("channel_id", .string, "The channel's identifier."),
        optional("secret", .string, "The key with which tokens are signed."),
        optional("authentication", .boolean, "Whether the channel demands a token; false unless given."),
        optional("max_token_expiration", .duration, "How long a token may live; an hour unless given."),
        optional("session_expiration", .duration, "After how long a silent session is over; a week unless given."),
        optional("enabled", .boolean, "Whether the channel is enabled; true unless given."),
        optional(
            "skill", .function,
            "Called with each message's payload and the session; returns what to say, or { messages, state, variables, "
                + "agent, end_session }. agent asks for a person: { subject, actions, properties, waiting_message, "
                + "rejected_message, conclusion_message, on = states by outcome: rejected or an action }."),
        optional(
            "states",
            .map(
                .record([
                    optional("say", answer, answerSummary),
                    optional("run", .function, "Called on entering, as skill is."),
                    optional("on", .map(.string), "The next state by what the user says or taps; * for anything."),
                    optional("otherwise", answer, "What is said when nothing fits."),
                ])), "A skill as a table of states, which begins in the state start."),
        optional("echo", .boolean, "Whether the skill says what the user said; false unless given."),
        optional("agents", .list(.string), "The names of agents who learn of waiting users."),
        optional("exit_keywords", .list(.string), "The words by which a user sends an agent away."),
        optional("suggestions", .list(.string), "The completions that the skill knows."),
        optional("speech", .list(.json), "What recordings say, first the next: texts, or { text, partials, error }."),
        optional("voices", .list(.json), "The voices that read aloud: { name, culture, default }."),
        optional("refused_types", .list(.string), "The MIME types of files that are refused with 415."),
        optional("faults", .map(.json), "Faults that are switched on from the start; see fault."),
    ]

    /// The methods of a server.
    static let methods: [MethodDeclaration] = [
        MethodDeclaration(
            "make_token", [optional("claims", .map(.json), "Claims to set or replace, such as userId.")],
            returns: .string, "Returns a token as a backend would make it."),
        MethodDeclaration(
            "say", [parameter("message", answer, answerSummary), user], "Says something in place of the skill."),
        MethodDeclaration("send", [parameter("message", answer, answerSummary), user], "The same as say."),
        MethodDeclaration(
            "send_frame", [parameter("frame", .json, "Any value."), user], "Writes a frame as it is."),
        MethodDeclaration(
            "queue",
            [
                parameter("position", .integer, "From 1."), optional("text", .string, "The words."), user,
            ], "Tells the user of the place in the queue (a text with a mark; defined here)."),
        MethodDeclaration(
            "pre_chat", [parameter("form", answer, "A payload of type editForm."), user],
            "Shows a form that stands for the pre-chat form (with a mark; defined here)."),
        MethodDeclaration(
            "unavailable", [parameter("message", answer, answerSummary), user],
            "Tells the user that nobody is there (with a mark; defined here)."),
        MethodDeclaration(
            "survey", [parameter("message", answer, "A text with stars, or a payload of type editForm."), user],
            "Shows a survey (with a mark; defined here)."),
        MethodDeclaration("end_session", [user], "Ends the session unasked."),
        MethodDeclaration("drop", [user], isFault: true, "Drops the user's connections without a close frame."),
        MethodDeclaration(
            "close",
            [
                optional("code", .integer, "The close code; 1001 unless given."),
                optional("reason", .string, "The reason."), user,
            ], isFault: true, "Closes the user's connections."),
        MethodDeclaration(
            "received", [user], returns: .json, "Returns the frames that came from the user's clients, oldest first."),
        MethodDeclaration("profile", [user], returns: .json, "Returns what the user's clients told about the user."),
        MethodDeclaration(
            "fault",
            [
                parameter("name", .choice(ServerFaults.Switch.allCases.map(\.rawValue)), "Which fault."),
                optional("value", .json, "True, false, or the number that the fault takes; true unless given."),
            ], isFault: true, "Switches a fault on or off."),
        MethodDeclaration(
            "hear", [parameter("speech", .json, "A text, or { text, partials, error }.")],
            "Says what the next recording says."),
        MethodDeclaration(
            "enable", [optional("enabled", .boolean, "True unless given.")], "Enables or disables the channel."),
    ]

    /// The agents.
    static let agent = PartyDeclaration(
        name: OracleAssistantSystem.party,
        summary: "A person who takes over from the skill.",
        methods: [
            MethodDeclaration(
                "accept",
                [
                    optional("user", .actor, "The user; the one who waits unless given."),
                    optional("greeting", .string, "The first words."),
                ], returns: .string, "Takes over a conversation and returns the user."),
            MethodDeclaration(
                "say", [parameter("text", .string, "The words."), user], sends: "text", "Says something."),
            MethodDeclaration("send", [parameter("message", answer, answerSummary), user], "Sends any payload."),
            MethodDeclaration(
                "typing", [optional("active", .boolean, "True unless given."), user], "Types, or stops typing."),
            MethodDeclaration(
                "delay",
                [optional("text", .string, "The words."), optional("position", .integer, "The place, from 1."), user],
                "Lets a waiting user wait on; the user sees the words as `queue`."),
            MethodDeclaration(
                "reject", [optional("text", .string, "The words."), user],
                "Tells a waiting user that nobody will come; the user sees the words as `unavailable`."),
            MethodDeclaration(
                "leave",
                [
                    optional("text", .string, "What the bot says then."),
                    optional("state", .string, "The state of the skill's table to go on from."), user,
                ],
                "Hands the conversation back to the skill."),
            MethodDeclaration(
                "choose", [parameter("action", .string, "A key of the skill's agent.on."), user],
                "Hands the conversation back to the skill, which goes on where it said for this action."),
            MethodDeclaration("finish", [user], "Ends the session."),
            MethodDeclaration(
                "post",
                [
                    parameter(
                        "message", .json,
                        "A payload of type agentRequestResponse (status accepted, delayed or rejected), agent, "
                            + "agentLeft or agentAction, or { userId, messagePayload }."), user,
                ], "Does what a message of an agent system does; see the methods above."),
        ],
        events: [
            EventDeclaration(
                .chatWaiting,
                [
                    parameter("user_id", .string, "The user."), optional("subject", .string, "What it is about."),
                    parameter("profile", .json, "What is known of the user."),
                    parameter("history", .list(.json), "What was said: payload, source, createdOn, id."),
                ],
                "A user waits for an agent; those named in the server's option agents learn of it. "
                    + "The raw form is what an agent system gets (agentRequest)."),
            EventDeclaration(
                .message,
                [
                    parameter("user_id", .string, "The user."), parameter("from", .choice(["user"]), "Always user."),
                    parameter("type", .string, "The type of the payload."), optional("text", .string, "The words."),
                    optional("postback", .json, "What went back."), optional("values", .json, "The values of a form."),
                    optional("attachment", .json, "The file."), optional("location", .json, "The place."),
                ], "The user said something."),
            EventDeclaration(
                .typing,
                [
                    parameter("user_id", .string, "The user."),
                    parameter("active", .boolean, "Whether the user types."),
                    optional("text", .string, "What was typed, or ...."),
                ], "The user types or has stopped."),
            EventDeclaration(.chatEnded, [parameter("user_id", .string, "The user.")], "The session has ended."),
        ],
        noise: [
            EventPattern(.chatWaiting), EventPattern(.message), EventPattern(.typing), EventPattern(.chatEnded),
        ])
}
