import Machines

/// What scripts can say to the simulated assist server.
enum AssistServerVocabulary {
    static let options = [
        ParameterDeclaration(
            "access", .choice(AssistServer.Access.allCases.map(\.rawValue)), optional: true,
            "Anonymous consumer access; enabled unless given."),
        ParameterDeclaration(
            "call", .choice(GatewayPart.Answer.allCases.map(\.rawValue)), optional: true,
            "What becomes of calls to nobody on duty; answer unless given."),
        ParameterDeclaration("agents", .map(.string), optional: true, "Passwords by user name; anybody unless given."),
        ParameterDeclaration("token_life", .duration, optional: true, "How long tokens live; 1 h unless given."),
        ParameterDeclaration(
            "grace", .duration, optional: true,
            "How long topics outlive the connection of their owner; 60 s unless given."),
        ParameterDeclaration("ring_limit", .duration, optional: true, "How long calls ring; 30 s unless given."),
        ParameterDeclaration("latency", .duration, optional: true, "How late frames go out; 0 unless given."),
    ]

    private static let role = Parameter.choice(
        "role", of: AssistRole.self, "Whose connections; everybody's unless given."
    ).optional

    /// All that scripts can ask of the server.
    static let commands = CommandSet<AssistServerCommand>([
        CommandDeclaration(
            "set_access", Parameter.choice("mode", of: AssistServer.Access.self, "The mode."),
            summary: "Changes anonymous consumer access.", as: { .setAccess($0) }),
        CommandDeclaration(
            "set_call_status", Parameter.choice("status", of: CallStatus.self, "The state."),
            Parameter.choice("error", of: CallError.self, "Why it is error; callFailed unless given.").optional,
            summary: "Sets the state of the last call.", as: { .setCallStatus($0, $1) }),
        CommandDeclaration(
            "swallow_pongs", Parameter.boolean("on", "True unless given.").optional, isFault: true,
            summary: "Leaves pings unanswered.", as: { .swallowPongs($0 ?? true) }),
        CommandDeclaration(
            "refuse_handshakes",
            Parameter.integer("count", in: 0...Int64.max, "How many; 1 unless given, 0 for none any more.").optional,
            Parameter.integer("status", "The HTTP status, 0 never answers; 503 unless given.").optional, isFault: true,
            summary: "Refuses the next topic handshakes.",
            as: { .refuseHandshakes(count: $0 ?? 1, status: $1 ?? 503) }),
        CommandDeclaration(
            "set_latency", Parameter.duration("latency", "How late frames go out."), isFault: true,
            summary: "Delays frames.", as: { .setLatency($0) }),
        CommandDeclaration(
            "drop", Self.role, returns: .integer, isFault: true, summary: "Drops connections; returns how many.",
            as: { .drop($0) }),
        CommandDeclaration(
            "send_frame", Parameter.string("base64", "The bytes."), Self.role,
            summary: "Sends any frame, as a broken server would.", as: { .sendFrame(base64: $0, to: $1) }),
        CommandDeclaration("expire_codes", summary: "Ends the life of all short codes.", as: { .expireCodes }),
    ])

    /// What scripts can read.
    static let properties = [
        PropertyDeclaration(
            "sessions", .list(.json), "`correlation_id`, `uui`, and the numbers of `participants` and `topics` of each."
        ),
        PropertyDeclaration("calls", .integer, "How many calls are under way."),
        PropertyDeclaration(
            "ignored", .integer, "How many frames were ignored: nobody can read them, or the protocol forbids them."),
        PropertyDeclaration(
            "last_handshake", .json,
            "The last handshake that joined a session: `path`, `cookie` and the holder's `metadata`, `auditName` among it."
        ),
    ]
}
