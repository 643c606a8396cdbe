import Machines

/// What scripts can ask of the desk and of its agents.
enum ServerVocabulary {
    /// The options of `t:server(boldchat, …)`.
    static let options: [ParameterDeclaration] = [
        .init("access_key", .string, optional: true, "The key that clients must have."),
        .init("agents", .list(.string), optional: true, "Agents who are there from the start."),
        .init(
            "pre_chat", .json, optional: true,
            "The fields of the pre-chat form, `{ pages = { { … }, { … } } }` for several pages, or false for none."),
        .init("post_chat", .json, optional: true, "The post-chat form, written in the same way."),
        .init("unavailable", .json, optional: true, "The fields of the unavailable form, or false for none."),
        .init("departments", .list(.json), optional: true, "`{ id, name, online, languages }` each."),
        .init("languages", .list(.string), optional: true, "The languages that are set up; all 41 unless given."),
        .init("branding", .map(.map(.string)), optional: true, "Texts by language and key, over the built-in ones."),
        .init(
            "window_settings", .map(.json), optional: true, "What the chat window may do, over the built-in settings."),
        .init(
            "hours", .json, optional: true, "`{ from = \"09:00\", to = \"17:30\", days = { 1, 2 } }`, UTC, Monday is 1."
        ),
        .init("open", .boolean, optional: true, "Open or closed whatever the hours say."),
        .init("operators_available", .boolean, optional: true, "Whether operators are there; true unless given."),
        .init("blocked_visitors", .list(.string), optional: true, "Visitor ids that cannot chat."),
        .init("queue", .integer, optional: true, "How many wait already; positions are shown only if given."),
        .init("queue_interval", .duration, optional: true, "After how long the queue moves by one; 5 s unless given."),
        .init(
            "estimated_wait", .duration, optional: true,
            "How long each place in the queue is estimated to take; no wait is shown unless given."),
        .init("queue_limit", .integer, optional: true, "How many may wait; no limit unless given."),
        .init(
            "client_timeout", .duration, optional: true, "After how long a lost visitor is gone; 300 s unless given."),
        .init(
            "answer_timeout", .duration, optional: true,
            "How long a visitor waits for an answer; for ever unless given."),
        .init(
            "heartbeat_interval", .duration, optional: true,
            "How often the stream shows that it lives; 5 s unless given."),
        .init("waiting_message", .string, optional: true, "A system message for each visitor who waits."),
        .init("auto_message", .string, optional: true, "An automatic message for each visitor who waits."),
        .init("secret", .string, optional: true, "What `secured` values must be signed with."),
        .init(
            "require_tls", .boolean, optional: true,
            "Refuse plain HTTP with 403, as the vendor does; false unless given."),
    ]

    private static let to = ParameterDeclaration(
        "to", .actor, optional: true, "Whose chat; the one accepted last unless given.")
    private static let visitor = ParameterDeclaration(
        "visitor", .actor, optional: true, "Whose chat; the newest live one unless given.")
    private static let text = ParameterDeclaration("text", .string, "The text.")

    private static let method = ParameterDeclaration(
        "method", .string,
        "A method of the visitor API, `files`, `poll` (a long poll), `socket` (its opening), `connect` (its greeting), or `*`."
    )
    private static let times = ParameterDeclaration(
        "times", .integer, optional: true, "How many answers; one unless given.")

    /// The methods of the desk.
    static let methods: [MethodDeclaration] = DeskMethod.allCases.map { method in
        let (parameters, result, summary) = Self.parts(method)
        return MethodDeclaration(
            method.rawValue, parameters, returns: result, isFault: Self.faults.contains(method), summary)
    }

    private static let faults: Set<DeskMethod> = [
        .failNext, .breakNext, .delayNext, .blockSockets, .dropSocket, .closeSocket, .sendReset, .sendClosed,
        .setHeartbeats,
    ]

    private static func parts(_ method: DeskMethod) -> ([ParameterDeclaration], ScriptType, String) {
        switch method {
        case .setQueue:
            return ([.init("position", .integer, "How many are ahead of the first.")], .nothing, "Moves the queue.")
        case .open: return ([], .nothing, "Opens the desk whatever the hours say.")
        case .close: return ([], .nothing, "Closes the desk whatever the hours say.")
        case .setHours:
            return (
                [.init("hours", .json, "`{ from = \"09:00\", to = \"17:30\", days = { 1, 2 } }`, UTC.")], .nothing,
                "Sets the opening hours."
            )
        case .setOperators:
            return ([.init("available", .boolean, "Whether operators are there.")], .nothing, "Sets who is there.")
        case .blockVisitor:
            return (
                [
                    .init("visitor_id", .string, "Who; `visitor.visitor_id` names an actor."),
                    .init("blocked", .boolean, optional: true, "False lets the visitor in again."),
                ], .nothing, "Blocks a visitor from new chats."
            )
        case .setDepartment:
            return (
                [
                    .init("id", .string, "The department."),
                    .init("online", .boolean, optional: true, "Whether somebody is there; true unless given."),
                ], .nothing, "Sets a department online or offline; a new one is added."
            )
        case .setForm:
            return (
                [
                    .init("kind", .choice(FormKind.allCases.map(\.rawValue)), "Which form."),
                    .init("fields", .list(.json), optional: true, "Its fields; none for no form."),
                ], .nothing, "Replaces a form for new sessions."
            )
        case .pushSystemMessage: return ([Self.text, Self.visitor], .nothing, "Sends a system message.")
        case .pushAutoMessage: return ([Self.text, Self.visitor], .nothing, "Sends an automatic message.")
        case .offerRecapture:
            return (
                [.init("offered", .boolean, optional: true, "True unless given."), Self.visitor], .nothing,
                "Offers to take the visitor back, with the next ping."
            )
        case .endChat:
            return (
                [
                    .init(
                        "reason", .choice(EndedReason.allCases.map(\.rawValue)), optional: true,
                        "`unknown` unless given."),
                    Self.visitor,
                ], .nothing, "Ends a chat as the server would."
            )
        case .mails:
            return ([], .list(.json), "The mails that would have been sent: `kind`, `from`, `to`, `subject`, `body`.")
        case .sign:
            return (
                [
                    .init("values", .map(.json), "The values that only the customer's server may set."),
                    .init("unsecured", .list(.string), optional: true, "Names that may be sent in the clear."),
                ], .string, "Returns signed values for the `secured` option of a visitor."
            )
        case .inviteActiveAssist: return ([Self.visitor], .nothing, "Asks the visitor to browse together.")
        case .endActiveAssist: return ([Self.visitor], .nothing, "Ends browsing together.")
        case .sendRemoteControl:
            return (
                [.init("command", .choice(["started", "ended"]), "Whether it begins or ends."), Self.visitor], .nothing,
                "Offers or ends remote control."
            )
        case .setVideo:
            return (
                [.init("status", .integer, "The vendor's number, 0 to 9; 2 invites the visitor."), Self.visitor],
                .nothing,
                "Sets the state of the video session."
            )
        case .failNext:
            return (
                [
                    Self.method, .init("message", .string, "The message, which decides the client's error code."),
                    Self.times,
                ],
                .nothing, "Lets the next answers report a failure."
            )
        case .breakNext:
            return (
                [
                    Self.method, .init("how", .choice(["malformed", "status", "drop"]), "What is wrong with them."),
                    Self.times, .init("status", .integer, optional: true, "The HTTP status; 500 unless given."),
                ], .nothing,
                "Spoils the next answers: no JSON, another HTTP status (over a socket an `error` with it), no answer at all."
            )
        case .delayNext:
            return (
                [Self.method, .init("delay", .duration, "How late they come."), Self.times], .nothing,
                "Delays the next answers."
            )
        case .blockSockets:
            return (
                [.init("blocked", .boolean, optional: true, "True unless given.")], .nothing,
                "Refuses WebSockets, as a proxy on the way would."
            )
        case .dropSocket: return ([Self.visitor], .nothing, "Breaks the event stream without a close frame.")
        case .closeSocket: return ([Self.visitor], .nothing, "Closes the socket of the event stream in good order.")
        case .sendReconnect: return ([Self.visitor], .nothing, "Tells the client to connect again.")
        case .sendRedirect: return ([Self.visitor], .nothing, "Tells the client to connect to another URL.")
        case .sendReset: return ([Self.visitor], .nothing, "Tells the client to start the chat again.")
        case .sendClosed: return ([Self.visitor], .nothing, "Tells the client that the stream is closed for good.")
        case .setHeartbeats:
            return ([.init("active", .boolean, "Whether they are sent."), Self.visitor], .nothing, "Stops heartbeats.")
        case .sendEvent:
            return (
                [
                    .init("method", .string, "The event's name on the wire."),
                    .init("params", .json, optional: true, "Its parameters."), Self.visitor,
                ], .nothing, "Sends any event, whether it makes sense or not."
            )
        case .sendText: return ([Self.text, Self.visitor], .nothing, "Sends any text over the socket.")
        case .updateMessage:
            return ([Self.text, Self.visitor], .nothing, "Sends a partial update of the last message: only its text.")
        case .deleteChat: return ([Self.visitor], .nothing, "Says that the record of the chat is gone.")
        case .chats: return ([], .list(.json), "The chats with their state, values and messages.")
        }
    }

    /// The agent whom `desk:agent "Sam"` returns.
    static let agent = PartyDeclaration(
        name: "agent", summary: "An operator who accepts chats and answers visitors.",
        arrival: Command(AgentMethod.signIn.rawValue),
        methods: AgentMethod.allCases.map { method in
            let (parameters, summary) = Self.parts(method)
            return MethodDeclaration(method.rawValue, parameters, sends: method == .say ? "text" : nil, summary)
        },
        events: Self.agentEvents, noise: Self.agentEvents.map { EventPattern($0.kind) })

    private static func parts(_ method: AgentMethod) -> ([ParameterDeclaration], String) {
        switch method {
        case .signIn:
            let members = [ParameterDeclaration("capacity", .integer, optional: true, "How many chats at once.")]
            return ([.init("options", .record(members), optional: true, "How the agent works.")], "Comes to the desk.")
        case .accept:
            return (
                [.init("visitor", .actor, optional: true, "Whom; the longest waiting unless given.")],
                "Accepts a visitor out of the queue; one who does not wait yet is accepted as soon as the chat waits."
            )
        case .typing:
            return (
                [.init("active", .boolean, optional: true, "True unless given."), Self.to], "Types, or stops typing."
            )
        case .say: return ([Self.text, Self.to], "Sends a message; typing stops.")
        case .finish: return ([Self.to], "Ends the chat.")
        case .transfer:
            return ([.init("agent", .string, "The other agent's name."), Self.to], "Gives the chat to another agent.")
        }
    }

    private static let chat: [ParameterDeclaration] = [
        .init("chat_id", .string, "The chat's number."), .init("chat_key", .string, "The chat's key."),
        .init("visitor_id", .string, "Who the visitor is."), .init("name", .string, "The visitor's name."),
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
                .init("id", .string, "The message's number."), .init("from", .string, "`visitor`."), Self.text,
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
