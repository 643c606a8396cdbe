import JSON
import Machines

/// What scripts can say to a simulated server and its agents, and what agents observe.
enum ServerVocabulary {
    /// What scripts can read of a server.
    static let properties = [
        PropertyDeclaration("channel_id", .string, "The id of the channel."),
        PropertyDeclaration("secret", .string, "The secret that tokens of the channel are signed with."),
        PropertyDeclaration("client_auth_enabled", .boolean, "Whether the channel demands a token."),
        PropertyDeclaration("connections", .integer, "How many connections are open."),
        PropertyDeclaration("users", .list(.string), "The ids of the users who have come."),
    ]

    /// What a recording says.
    private static let heard = ScriptType.either([
        .string,
        .record([
            optional("text", .string, "The words in the end; none unless given."),
            optional("partials", .list(.string), "The words on the way; those of the text one by one unless given."),
            optional(
                "error", .choice(RecognitionPart.errorCodes), "The vendor's code of an error in place of words."),
        ]),
    ])

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
            "Called with each message's payload and the session; returns what to say, or { "
                + "\(AnswerVocabulary.answer.members.map(\.name).joined(separator: ", ")) }. agent asks for a person: { "
                + "\(AnswerVocabulary.agent.members.map(\.name).joined(separator: ", ")) }."),
        optional(
            "states",
            .map(
                .record([
                    optional("say", answer, answerSummary),
                    optional("run", .function, "Called on entering, as skill is."),
                    optional("on", .map(.string), "The next state by what the user says or taps; * for anything."),
                    optional("otherwise", answer, "What is said when nothing fits."),
                ])), "A skill as a table of states, which begins in the state start."),
        optional(
            "language_change_resets", .boolean,
            "Whether a user who changes the language begins anew, as the vendor says; true unless given."),
        optional("echo", .boolean, "Whether the skill says what the user said; false unless given."),
        optional("agents", .list(.string), "The names of agents who learn of waiting users."),
        optional("exit_keywords", .list(.string), "The words by which a user sends an agent away."),
        optional("suggestions", .list(.string), "The completions that the skill knows."),
        optional("speech", .list(Self.heard), "What recordings say, first the next."),
        optional(
            "voices",
            .list(
                .record([
                    ParameterDeclaration("name", .string, "What the voice is called."),
                    ParameterDeclaration("culture", .string, "The language it reads, such as en-us."),
                    optional("default", .boolean, "Whether it reads what no other voice fits; false unless given."),
                ])), "The voices that read aloud."),
        optional("refused_types", .list(.string), "The MIME types of files that are refused with 415."),
        optional("faults", .map(.json), "Faults that are switched on from the start; see fault."),
    ]

    /// All that scripts can ask of a server.
    static let commands = CommandSet<ServerCommand>(Self.own)

    /// The methods of a server.
    static let methods = Self.commands.methods

    private static let named = Parameter<JSONValue>(
        "user", .actor, "The user; the only one there is unless given."
    ) {
        $0
    }.optional

    private static func ofChannel(
        _ declaration: CommandDeclaration<ChannelCommand>
    ) -> CommandDeclaration<ServerCommand> { declaration.mapped { .channel($0) } }

    /// What is done with a user, with who that is.
    private typealias OfUser = CommandDeclaration<(act: UserCommand, user: JSONValue?)>

    private static func ofUser(_ declaration: OfUser) -> CommandDeclaration<ServerCommand> {
        let name = declaration.method.name
        return declaration.mapped { .user($0.act, user: $0.user, name: name) }
    }

    private static let own: [CommandDeclaration<ServerCommand>] = [
        Self.ofChannel(
            CommandDeclaration(
                "make_token",
                Parameter.map("claims", .json, "Claims to set or replace: iat, exp, channelId, userId, or any others.")
                    .optional,
                returns: .string, summary: "Returns a token as a backend would make it.",
                as: { .makeToken($0 ?? [:]) })),
        Self.ofUser(
            CommandDeclaration(
                "say", Parameter.json("message", Self.answerSummary), Self.named,
                summary: "Says something in place of the skill.", as: { (.say(.words($0)), $1) })),
        Self.ofUser(
            CommandDeclaration(
                "send", Parameter.json("message", Self.answerSummary), Self.named,
                summary: "The same as say.",
                as: { (.say(.words($0)), $1) })),
        Self.ofUser(
            CommandDeclaration(
                "send_frame", Parameter.json("frame", "Any value."), Self.named,
                summary: "Writes a frame as it is.",
                as: { (.sendFrame($0), $1) })),
        Self.ofUser(
            CommandDeclaration(
                "queue", Parameter.integer("position", in: 1...Int64.max, "From 1."),
                Parameter.string("text", "The words.").optional,
                Self.named,
                summary: "Tells the user of the place in the queue (a text with a mark; defined here).",
                as: { (.say(.queue(position: $0, text: $1)), $2) })),
        Self.ofUser(
            CommandDeclaration(
                "pre_chat", Parameter.json("form", "A payload of type editForm."), Self.named,
                summary: "Shows a form that stands for the pre-chat form (with a mark; defined here).",
                as: { (.say(.preChat($0)), $1) })),
        Self.ofUser(
            CommandDeclaration(
                "unavailable", Parameter.json("message", Self.answerSummary), Self.named,
                summary: "Tells the user that nobody is there (with a mark; defined here).",
                as: { (.say(.unavailable($0)), $1) })),
        Self.ofUser(
            CommandDeclaration(
                "survey", Parameter.json("message", "A text with stars, or a payload of type editForm."),
                Self.named,
                summary: "Shows a survey (with a mark; defined here).", as: { (.say(.survey($0)), $1) })),
        Self.ofUser(
            CommandDeclaration(
                "end_session", Self.named, summary: "Ends the session unasked.", as: { (.endSession, $0) })),
        Self.ofUser(
            CommandDeclaration(
                "drop", Self.named, isFault: true,
                summary: "Drops the user's connections without a close frame.",
                as: { (.drop, $0) })),
        Self.ofUser(
            CommandDeclaration(
                "close", Parameter.integer("code", "The close code; 1001 unless given.").optional,
                Parameter.string("reason", "The reason, at most \(CloseReason.limit) bytes.").optional, Self.named,
                isFault: true,
                summary: "Closes the user's connections.",
                as: { (.close(code: $0 ?? 1001, reason: $1 ?? ""), $2) })),
        Self.ofUser(
            CommandDeclaration(
                "received", Self.named, returns: .json,
                summary: "Returns the frames that came from the user's clients, oldest first.",
                as: { (.received, $0) })),
        Self.ofUser(
            CommandDeclaration(
                "profile", Self.named, returns: .json,
                summary: "Returns what the user's clients told about the user.", as: { (.profile, $0) })),
        Self.ofChannel(
            CommandDeclaration(
                "fault", Parameter.choice("name", of: ServerFaults.Switch.self, "Which fault."),
                Parameter.optionalJSON(
                    "value", "True, false, or the number that the fault takes; true unless given."),
                isFault: true, summary: "Switches a fault on or off.", as: { .fault($0, $1 ?? .bool(true)) }
            )),
        Self.ofChannel(
            CommandDeclaration(
                "hear", Parameter<JSONValue>("speech", Self.heard, "What it says.") { $0 },
                summary: "Says what the next recording says.", as: { .hear($0) })),
        Self.ofChannel(
            CommandDeclaration(
                "files",
                returns: .list(
                    .record([
                        parameter("name", .string, "Its name."), parameter("type", .string, "Its MIME type."),
                        parameter("size", .integer, "How many bytes it has."),
                        parameter("url", .string, "Where clients find it."),
                        parameter("protected", .boolean, "Whether it needs a token."),
                        parameter("base64", .string, "Its bytes; base64.decode makes a string of them."),
                        optional("text", .string, "The same as a text, if they are UTF-8."),
                    ])),
                summary: "Returns the files that users have sent, in the order in which they came.", as: { .files })),
        Self.ofChannel(
            CommandDeclaration(
                "enable", Parameter.boolean("enabled", "True unless given.").optional,
                summary: "Enables or disables the channel.", as: { .enable($0 ?? true) })),
    ]

    /// All that scripts can ask of an agent.
    static let agentCommands = CommandSet<ServerCommand>(
        Self.ofAgents.map { $0.mapped { .agent($0) } })

    /// What is done in a conversation, with whose that is.
    private typealias InConversation = CommandDeclaration<(act: AgentAct, user: JSONValue?)>

    private static func inConversation(_ declaration: InConversation) -> CommandDeclaration<
        AgentCommand
    > {
        let name = declaration.method.name
        return declaration.mapped { .conversation($0.act, user: $0.user, name: name) }
    }

    private static let ofAgents: [CommandDeclaration<AgentCommand>] = [
        CommandDeclaration(
            "accept",
            Parameter<JSONValue>("user", .actor, "The user; the one who waits unless given.") { $0 }
                .optional,
            Parameter.string("greeting", "The first words.").optional, returns: .string,
            summary: "Takes over a conversation and returns the user.",
            as: { .accept(user: $0, greeting: $1) }),
        Self.inConversation(
            CommandDeclaration(
                "say", Parameter.string("text", "The words."), Self.named, sends: "text",
                summary: "Says something.",
                as: { (.say(.text($0)), $1) })),
        Self.inConversation(
            CommandDeclaration(
                "send", Parameter.json("message", Self.answerSummary), Self.named,
                summary: "Sends any payload.",
                as: { (.say(.message($0)), $1) })),
        Self.inConversation(
            CommandDeclaration(
                "typing", Parameter.boolean("active", "True unless given.").optional, Self.named,
                summary: "Types, or stops typing.", as: { (.say(.typing($0 ?? true)), $1) })),
        CommandDeclaration(
            "delay", Parameter.string("text", "The words.").optional,
            Parameter.integer("position", in: 1...Int64.max, "The place, from 1.").optional, Self.named,
            summary: "Lets a waiting user wait on; the user sees the words as `queue`.",
            as: { .answerRequest(.wait(position: $1), text: $0, user: $2) }),
        CommandDeclaration(
            "reject", Parameter.string("text", "The words.").optional, Self.named,
            summary:
                "Tells a waiting user that nobody will come; the user sees the words as `unavailable`.",
            as: { .answerRequest(.reject, text: $0, user: $1) }),
        Self.inConversation(
            CommandDeclaration(
                "leave", Parameter.string("text", "What the bot says then.").optional,
                Parameter.string("state", "The state of the skill's table to go on from.").optional,
                Self.named,
                summary: "Hands the conversation back to the skill.",
                as: { (.leave(text: $0, state: $1), $2) })),
        Self.inConversation(
            CommandDeclaration(
                "choose", Parameter.string("action", "A key of the skill's agent.on."), Self.named,
                summary:
                    "Hands the conversation back to the skill, which goes on where it said for this action.",
                as: { (.choose($0), $1) })),
        Self.inConversation(
            CommandDeclaration("finish", Self.named, summary: "Ends the session.", as: { (.finish, $0) })),
        CommandDeclaration(
            "post",
            Parameter.json(
                "message",
                "A payload of type agentRequestResponse (status accepted, delayed or rejected), agent, "
                    + "agentLeft or agentAction, or { userId, messagePayload }."), Self.named,
            summary: "Does what a message of an agent system does; see the methods above.",
            as: { .post($0, user: $1) }),
    ]

    /// The agents.
    static let agent = PartyDeclaration(
        name: OracleAssistantSystem.party,
        summary: "A person who takes over from the skill.",
        methods: Self.agentCommands.methods,
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
