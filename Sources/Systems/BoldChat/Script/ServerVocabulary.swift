import JSON
import Machines

/// What scripts can ask of the desk and of its agents.
enum ServerVocabulary {
    /// What scripts can read of the account; its chats and mails are given by methods.
    static let properties = [
        PropertyDeclaration("access_key", .string, "The key that clients need."),
        PropertyDeclaration("agents", .list(.string), "The names of the agents who are there."),
        PropertyDeclaration(
            "waiting", .list(.json), "The chats that no agent has accepted yet, as `chats` gives them."),
    ]

    private static func names(_ names: [String]) -> String { names.map { "`\($0)`" }.joined(separator: ", ") }

    /// Which languages have texts, for people.
    private static let languageSummary: String = {
        let own = BrandingTranslations.all.keys.sorted()
        let borrowed = LanguageList.all.filter { Branding.source(of: $0) != nil && !own.contains($0) }
        let shared = borrowed.map { "\($0) those of \(Branding.source(of: $0) ?? "")" }.joined(separator: ", ")
        return "The languages that are set up; all 41 and en-US unless given. Texts of their own have "
            + "\(own.joined(separator: ", ")); \(shared); every text that a language lacks is English. A language code "
            + "without a country is the first one set up with it; a language that is not set up is en-US."
    }()

    private static let department: [ParameterDeclaration] = [
        .init("id", .string, "What names it."),
        .init("name", .string, optional: true, "What visitors see; the id unless given."),
        .init("online", .boolean, optional: true, "Whether somebody is there; true unless given."),
        .init("languages", .list(.string), optional: true, "The languages it is for; all unless given."),
    ]

    private static let hours: [ParameterDeclaration] = [
        .init("from", .string, "When the desk opens, `HH:MM` in UTC."),
        .init("to", .string, "When it closes; before `from` on the day after."),
        .init("days", .list(.integer), optional: true, "When it opens, Monday is 1; every day unless given."),
    ]

    /// The options of `t:server(boldchat, …)`.
    static let options: [ParameterDeclaration] = [
        .init("access_key", .string, optional: true, "The key that clients must have."),
        .init("agents", .list(.string), optional: true, "Agents who are there from the start."),
        .init(
            "pre_chat", .json, optional: true,
            "The fields of the pre-chat form, `{ pages = { { … }, { … } } }` for several pages, or false for none. A field is a "
                + "table of \(Self.names(FormDefinition.members)): `key` names it, `type` is one of "
                + "\(Self.names(FormFieldType.allCases.map(\.rawValue))) (`text` unless given). `options` is a list of texts or of "
                + "tables of \(Self.names(FormDefinition.optionMembers))."),
        .init("post_chat", .json, optional: true, "The post-chat form, written in the same way."),
        .init("unavailable", .json, optional: true, "The fields of the unavailable form, or false for none."),
        .init("departments", .list(.record(Self.department)), optional: true, "What visitors can choose from."),
        .init("languages", .list(.string), optional: true, Self.languageSummary),
        .init(
            "branding", .map(.map(.string)), optional: true,
            "Texts by language and key, over the built-in ones; keys that begin with `api#` are the vendor's, others may "
                + "be any that a form names."),
        .init(
            "window_settings", .record(Account.windowSettingMembers), optional: true,
            "What the chat window may do; true unless given."),
        .init("hours", .record(Self.hours), optional: true, "When the desk is open; always unless given."),
        .init("open", .boolean, optional: true, "Open or closed whatever the hours say."),
        .init("operators_available", .boolean, optional: true, "Whether operators are there; true unless given."),
        .init("blocked_visitors", .list(.string), optional: true, "Visitor ids that cannot chat."),
        .init(
            "queue", .integer, optional: true, in: Self.places,
            "How many wait already; positions are shown only if given."),
        .init(
            "queue_interval", .duration, optional: true, atLeast: .milliseconds(1),
            "After how long the queue moves by one; 5 s unless given."),
        .init(
            "estimated_wait", .duration, optional: true,
            "How long each place in the queue is estimated to take; no wait is shown unless given."),
        .init("queue_limit", .integer, optional: true, in: Self.places, "How many may wait; no limit unless given."),
        .init(
            "client_timeout", .duration, optional: true,
            "After how long a lost visitor is gone, in whole seconds; 300 s unless given, never with 0, as the vendor has "
                + "it (the browser window then takes its own 300 s)."),
        .init(
            "answer_timeout", .duration, optional: true,
            "How long a visitor waits for an answer, in whole seconds; for ever unless given, and with 0, as the vendor has "
                + "it."),
        .init(
            "heartbeat_interval", .duration, optional: true, atLeast: .milliseconds(1),
            "How often the stream shows that it lives; 5 s unless given."),
        .init("waiting_message", .string, optional: true, "A system message for each visitor who waits."),
        .init("auto_message", .string, optional: true, "An automatic message for each visitor who waits."),
        .init("secret", .string, optional: true, "What `secured` values must be signed with."),
        .init(
            "require_tls", .boolean, optional: true,
            "Refuse plain HTTP with 403, as the vendor does; false unless given."),
    ]

    /// What a place in the queue can be; the most is defined here.
    private static let places: ClosedRange<Int64> = 0...1_000_000

    private static let to = Parameter.actor("to", "Whose chat; the one accepted last unless given.").optional
    private static let visitor = Parameter.actor("visitor", "Whose chat; the newest live one unless given.").optional
    private static let text = Parameter.string("text", "The text.")

    private static let method = Parameter.string(
        "method",
        "A method of the visitor API, `files`, `poll` (a long poll), `socket` (its opening), `connect` (its greeting), or `*`."
    )
    private static let times = Parameter.integer("times", in: 1...Int64.max, "How many answers; one unless given.")
        .optional

    /// All that scripts can ask of the desk.
    static let commands = CommandSet<DeskCommand>(
        Self.accountFirst + Self.messages + Self.records + Self.extras + Self.orders + Self.streamFaults)

    /// The methods of the desk.
    static let methods = Self.commands.methods

    private static func account(_ declaration: CommandDeclaration<AccountCommand>) -> CommandDeclaration<DeskCommand> {
        declaration.mapped { .account($0) }
    }

    /// What is done with a chat, with whose it is.
    private typealias OfChat = CommandDeclaration<(command: ChatCommand, visitor: JSONObject?)>

    private static func ofChat(_ declaration: OfChat) -> CommandDeclaration<DeskCommand> {
        declaration.mapped { .chat($0.command, visitor: $0.visitor) }
    }

    private static let accountFirst: [CommandDeclaration<DeskCommand>] = [
        Self.account(
            CommandDeclaration(
                "set_queue", Parameter.integer("position", in: Self.places, "How many are ahead of the first."),
                summary: "Moves the queue.", as: { .setQueue(position: $0) })),
        Self.account(
            CommandDeclaration(
                "dismiss_queue",
                Parameter.choice("reason", of: EndedReason.self, "`operator` unless given.").optional,
                summary:
                    "Sends everybody away who waits: their chats end for that reason, as visitors are told. Refused if nobody waits.",
                as: { .dismissQueue($0 ?? .operator) })),
        Self.account(
            CommandDeclaration("open", summary: "Opens the desk whatever the hours say.", as: { .set(.open(true)) })),
        Self.account(
            CommandDeclaration(
                "close", summary: "Closes the desk whatever the hours say; who waits already stays in the queue.",
                as: { .set(.open(false)) })),
        Self.account(
            CommandDeclaration(
                "set_hours",
                Parameter.record("hours", Self.hours, "When the desk is open."),
                summary: "Sets the opening hours.", as: { .set(.hours($0)) })),
        Self.account(
            CommandDeclaration(
                "set_operators", Parameter.boolean("available", "Whether operators are there."),
                summary: "Sets who is there; who waits already stays in the queue.", as: { .set(.operators($0)) })),
        Self.account(
            CommandDeclaration(
                "block_visitor", Parameter.string("visitor_id", "Who; `visitor.visitor_id` names an actor."),
                Parameter.boolean("blocked", "False lets the visitor in again.").optional,
                summary: "Blocks a visitor from new chats.", as: { .set(.blocked(id: $0, $1 ?? true)) })),
        Self.account(
            CommandDeclaration(
                "set_department", Parameter.string("id", "The department."),
                Parameter.boolean("online", "Whether somebody is there; true unless given.").optional,
                summary: "Sets a department online or offline; a new one is added.",
                as: { .set(.department(id: $0, isOnline: $1 ?? true)) })),
        Self.account(
            CommandDeclaration(
                "set_form", Parameter.choice("kind", of: FormKind.self, "Which form."),
                Parameter<[JSONValue]>("fields", .list(.json), "Its fields; none for no form.") { $0.array }.optional,
                summary: "Replaces a form for new sessions.", as: { .set(.form($0, fields: $1)) })),
    ]

    private static let messages: [CommandDeclaration<DeskCommand>] = [
        Self.ofChat(
            CommandDeclaration(
                "push_system_message", Self.text, Self.visitor, summary: "Sends a system message.",
                as: { (.pushSystemMessage($0), $1) })),
        Self.ofChat(
            CommandDeclaration(
                "push_auto_message", Self.text, Self.visitor, summary: "Sends an automatic message.",
                as: { (.pushAutoMessage($0), $1) })),
        Self.ofChat(
            CommandDeclaration(
                "offer_recapture", Parameter.boolean("offered", "True unless given.").optional, Self.visitor,
                summary: "Offers to take the visitor back, with the next ping.",
                as: { (.offerRecapture($0 ?? true), $1) })),
        Self.ofChat(
            CommandDeclaration(
                "end_chat", Parameter.choice("reason", of: EndedReason.self, "`unknown` unless given.").optional,
                Self.visitor, summary: "Ends a chat as the server would.", as: { (.end($0 ?? .unknown), $1) })),
    ]

    private static let records: [CommandDeclaration<DeskCommand>] = [
        Self.account(
            CommandDeclaration(
                "mails", returns: .list(.json),
                summary: "The mails that would have been sent: `kind`, `from`, `to`, `subject`, `body`.",
                as: { .mails })),
        Self.account(
            CommandDeclaration(
                "chats", returns: .list(.json), summary: "The chats with their state, values and messages.",
                as: { .chats })),
        Self.account(
            CommandDeclaration(
                "sign", Parameter.map("values", .json, "The values that only the customer's server may set."),
                Parameter.strings("unsecured", "Names that may be sent in the clear.").optional, returns: .string,
                summary: "Returns signed values for the `secured` option of a visitor.",
                as: { .sign($0, unsecured: $1 ?? []) })),
    ]

    private static let extras: [CommandDeclaration<DeskCommand>] = [
        Self.ofChat(
            CommandDeclaration(
                "invite_active_assist", Self.visitor, summary: "Asks the visitor to browse together.",
                as: { (.inviteActiveAssist, $0) })),
        Self.ofChat(
            CommandDeclaration(
                "end_active_assist", Self.visitor, summary: "Ends browsing together.",
                as: { (.endActiveAssist, $0) })),
        Self.ofChat(
            CommandDeclaration(
                "send_remote_control",
                Parameter.choice("command", of: RemoteControlCommand.self, "Whether it begins or ends."),
                Self.visitor, summary: "Offers or ends remote control.", as: { (.sendRemoteControl($0), $1) })),
        Self.ofChat(
            CommandDeclaration(
                "set_video",
                Parameter.integer("status", in: 0...9, "The vendor's number, 0 to 9; 2 invites the visitor."),
                Self.visitor, summary: "Sets the state of the video session.",
                as: { (.setVideo(status: $0), $1) })),
    ]

    private static let orders: [CommandDeclaration<DeskCommand>] = [
        Self.account(
            CommandDeclaration(
                "fail_next", Self.method,
                Parameter.string("message", "The message, which decides the client's error code."), Self.times,
                isFault: true, summary: "Lets the next answers report a failure.",
                as: { .order(.message($1), method: $0, times: $2) })),
        Self.account(
            CommandDeclaration(
                "break_next", Self.method, Parameter.choice("how", of: BrokenAnswer.self, "What is wrong with them."),
                Self.times, Parameter.integer("status", "The HTTP status; 500 unless given.").optional, isFault: true,
                summary:
                    "Spoils the next answers: no JSON, another HTTP status (over a socket an `error` with it), no answer at all.",
                as: { method, how, times, status in
                    let fault: Fault =
                        switch how {
                        case .malformed: .malformed
                        case .status: .status(Int(clamping: status ?? 500))
                        case .drop: .drop
                        }
                    return .order(fault, method: method, times: times)
                })),
        Self.account(
            CommandDeclaration(
                "delay_next", Self.method, Parameter.duration("delay", "How late they come."), Self.times,
                isFault: true, summary: "Delays the next answers.",
                as: { .order(.delay($1), method: $0, times: $2) })),
        Self.account(
            CommandDeclaration(
                "block_sockets", Parameter.boolean("blocked", "True unless given.").optional, isFault: true,
                summary: "Refuses WebSockets, as a proxy on the way would.", as: { .blockSockets($0 ?? true) })),
    ]

    private static func fault(
        _ name: String, _ fault: StreamFault, isFault: Bool = false, _ summary: String
    ) -> CommandDeclaration<DeskCommand> {
        Self.ofChat(
            CommandDeclaration(
                name, Self.visitor, isFault: isFault, summary: summary, as: { (.misbehave(fault), $0) }))
    }

    private static let streamFaults: [CommandDeclaration<DeskCommand>] = [
        Self.fault("drop_socket", .dropSocket, isFault: true, "Breaks the event stream without a close frame."),
        Self.fault("close_socket", .closeSocket, isFault: true, "Closes the socket of the event stream in good order."),
        Self.fault("send_reconnect", .sendReconnect, "Tells the client to connect again."),
        Self.fault("send_redirect", .sendRedirect, "Tells the client to connect to another URL."),
        Self.fault("send_reset", .sendReset, isFault: true, "Tells the client to start the chat again."),
        Self.fault("send_closed", .sendClosed, isFault: true, "Tells the client that the stream is closed for good."),
        Self.ofChat(
            CommandDeclaration(
                "set_heartbeats", Parameter.boolean("active", "Whether they are sent."), Self.visitor, isFault: true,
                summary: "Stops heartbeats.", as: { (.misbehave(.setHeartbeats($0)), $1) })),
        Self.ofChat(
            CommandDeclaration(
                "send_event", Parameter.string("method", "The event's name on the wire."),
                Parameter.optionalJSON("params", "Its parameters."), Self.visitor,
                summary: "Sends any event, whether it makes sense or not.",
                as: { (.misbehave(.sendEvent(method: $0, $1?.object ?? [:])), $2) })),
        Self.ofChat(
            CommandDeclaration(
                "send_text", Self.text, Self.visitor, summary: "Sends any text over the socket.",
                as: { (.misbehave(.sendText($0)), $1) })),
        Self.ofChat(
            CommandDeclaration(
                "update_message", Self.text, Self.visitor,
                summary: "Sends a partial update of the last message: only its text.",
                as: { (.misbehave(.updateMessage($0)), $1) })),
        Self.fault("delete_chat", .deleteChat, "Says that the record of the chat is gone."),
    ]

    /// All that scripts can ask of an agent.
    static let agentCommands = CommandSet<DeskCommand>(Self.ofAgents.map { $0.mapped { .agent($0) } })

    private static let ofAgents: [CommandDeclaration<AgentCommand>] = [
        CommandDeclaration(
            Self.arrival,
            Parameter.record(
                "options",
                [
                    ParameterDeclaration(
                        "capacity", .integer, optional: true, in: 0...Int64.max, "How many chats at once.")
                ],
                "How the agent works."
            ).optional, summary: "Comes to the desk.", as: { .signIn($0) }),
        CommandDeclaration(
            "accept", Parameter.actor("visitor", "Whom; the longest waiting unless given.").optional,
            summary:
                "Accepts a visitor out of the queue, and hears what was said there; one who does not wait yet is accepted as "
                + "soon as the chat waits.",
            as: { .accept($0) }),
        CommandDeclaration(
            "join", Parameter.actor("visitor", "Whose chat."),
            summary:
                "Comes into a chat that another agent has accepted; both hear the visitor, can write and are seen to type.",
            as: { .join($0) }),
        CommandDeclaration(
            "typing", Parameter.boolean("active", "True unless given.").optional, Self.to,
            summary: "Types, or stops typing.", as: { .chat(.typing($0 ?? true), visitor: $1) }),
        CommandDeclaration(
            "say", Self.text, Self.to, sends: "text", summary: "Sends a message; typing stops.",
            as: { .chat(.say($0), visitor: $1) }),
        CommandDeclaration("finish", Self.to, summary: "Ends the chat.", as: { .chat(.finish, visitor: $0) }),
        CommandDeclaration(
            "transfer", Parameter.string("agent", "The other agent's name."), Self.to,
            summary: "Gives the chat to another agent of the desk.", as: { .chat(.transfer(to: $0), visitor: $1) }),
    ]

    /// What an agent does whom a script names for the first time.
    private static let arrival = "sign_in"

    /// The agent whom `desk:agent "Sam"` returns.
    static let agent = PartyDeclaration(
        name: "agent", summary: "An operator who accepts chats and answers visitors.",
        arrival: Command(Self.arrival), methods: Self.agentCommands.methods,
        events: Self.agentEvents, noise: Self.agentEvents.map { EventPattern($0.kind) })

    private static let chat: [ParameterDeclaration] = [
        .init("chat_id", .string, "The chat's number."), .init("chat_key", .string, "The chat's key."),
        .init("visitor_id", .string, "Who the visitor is."), .init("name", .string, "The visitor's name."),
        .init("reference", .string, optional: true, "The customer reference that was preset or told."),
        .init("information", .string, optional: true, "The customer information that was preset or told."),
    ]

    private static let agentEvents: [EventDeclaration] = [
        EventDeclaration(
            .chatWaiting,
            Self.chat + [
                .init("question", .string, optional: true, "What the visitor asked first."),
                .init("from_agent", .string, optional: true, "Who gave the chat away."),
            ], "A visitor waits, or a chat was given to this agent."),
        EventDeclaration(
            .message,
            Self.chat + [
                .init("id", .string, "The message's number."), .init("from", .string, "`visitor`."),
                Self.text.declaration,
            ], "The visitor has written."),
        EventDeclaration(
            .typing, Self.chat + [.init("active", .boolean, "Whether the visitor types.")],
            "The visitor types or has stopped."),
        EventDeclaration(
            .attachmentUploaded,
            Self.chat + [
                .init("file", .string, "The file's name."), .init("token", .string, "The server's name for it."),
            ],
            "The visitor has sent a file."),
        EventDeclaration(.cobrowseActive, Self.chat, "The visitor browses along."),
        EventDeclaration(.cobrowseRejected, Self.chat, "The visitor does not want to browse together."),
        EventDeclaration(.cobrowseEnded, Self.chat, "The visitor has ended browsing together."),
        EventDeclaration(
            .remoteControl,
            Self.chat + [.init("answer", .choice(["accepted", "declined", "unsupported"]), "The answer.")],
            "The visitor has answered an offer of remote control."),
        EventDeclaration(
            .videoChanged,
            Self.chat + [
                .init("status", .integer, "The vendor's number."), .init("state", .string, "What it means."),
            ], "The state of a video session."),
        EventDeclaration(
            .chatEnded,
            Self.chat + [.init("reason", .choice(EndedReason.allCases.map(\.rawValue)), "Why.")],
            "A chat of this agent, or one that waited, is over."),
    ]
}
