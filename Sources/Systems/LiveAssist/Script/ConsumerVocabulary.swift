import Machines

/// What scripts can say to a consumer.
enum ConsumerVocabulary {
    private static let agent = Parameter.optionalJSON(
        "agent", "The agent's name or identity; the one who asked last unless given.")
    private static let document = Parameter.integer(
        "document", "The field document of an event; the last one unless given."
    ).optional

    /// All that scripts can ask of a consumer.
    static let commands = CommandSet<ConsumerCommand>(
        Self.own + Self.shared,
        refusals: Dictionary(
            uniqueKeysWithValues: AgentVocabulary.methods.map { method in
                (
                    method.name,
                    "\(method.name) is not a method of a consumer; give the actor role = \"agent\" for it"
                )
            }))

    /// The methods that agents lack, in the order in which they are documented.
    static let ownMethods = Self.own.map(\.method)

    /// The names of the methods that agents have, too.
    static let sharedNames = Set(Self.shared.map(\.method.name))

    private static let own: [CommandDeclaration<ConsumerCommand>] =
        Self.starting + Self.cobrowsing + Self.screen + Self.documents

    private static func active(
        _ declaration: CommandDeclaration<ActiveConsumerCommand>
    ) -> CommandDeclaration<ConsumerCommand> {
        let name = declaration.method.name
        return declaration.mapped { .active($0, name: name) }
    }

    private static let starting: [CommandDeclaration<ConsumerCommand>] = [
        CommandDeclaration(
            "parse_url", Parameter.string("server", "A host or a URL without a path."),
            returns: .record([
                ParameterDeclaration("scheme", .string, "http or https."),
                ParameterDeclaration("host", .string, "The host; IPv6 in brackets."),
                ParameterDeclaration("port", .integer, "The port."),
            ]), summary: "Returns what the vendor's parseURL makes of a server name.", as: { .parseURL($0) }),
        CommandDeclaration(
            "create_short_code", Parameter.string("correlation_id", "A session to bind the code to.").optional,
            summary: "Asks for a short code; `short_code` follows.", as: { .createShortCode(session: $0) }),
        CommandDeclaration(
            "redeem_short_code", Parameter.string("code", "The code."),
            summary: "Asks for the session token and correlation id of a code; `short_code` follows.",
            as: { .redeemShortCode($0) }),
        CommandDeclaration(
            "set_cookie", Parameter.string("name", "Its name."), Parameter.string("value", "Its value."),
            summary: "Keeps a cookie for the WebSocket handshake.", as: { .setCookie(name: $0, value: $1) }),
        CommandDeclaration(
            "start_support",
            Parameter.record(
                "configuration", ClientOptionVocabulary.configuration, "What differs from the actor's options."
            ).optional, summary: "Starts support; `connected` or `error` follows.", as: { .startSupport($0) }),
        Self.active(
            CommandDeclaration("end_support", summary: "Ends support; `terminated` follows.", as: { .endSupport })),
        Self.active(
            CommandDeclaration(
                "reconnect", Parameter.duration("timeout", "How long it may take; no limit unless given.").optional,
                summary: "Opens a lost connection again at once.", as: { .reconnect(limit: $0) })),
        Self.active(
            CommandDeclaration(
                "terminate", Parameter.string("reason", "Why.").optional,
                summary: "Gives up a connection, lost or not.", as: { .terminate(reason: $0) })),
    ]

    private static let cobrowsing: [CommandDeclaration<ConsumerCommand>] = [
        Self.active(
            CommandDeclaration(
                "allow_cobrowse", Self.agent, summary: "Admits an agent, also before it has asked.",
                as: { .answerRequest(isAllowed: true, agent: $0) })),
        Self.active(
            CommandDeclaration(
                "disallow_cobrowse", Self.agent, summary: "Refuses an agent, or sends it away.",
                as: { .answerRequest(isAllowed: false, agent: $0) })),
        CommandDeclaration(
            "pause_cobrowse", summary: "Stops sending the screen for a while.", as: { .pauseCobrowse }),
        CommandDeclaration("resume_cobrowse", summary: "Sends the screen again.", as: { .resumeCobrowse }),
        Self.active(
            CommandDeclaration(
                "take_snapshot", summary: "Sends a screenshot to those who are admitted.", as: { .takeSnapshot })),
    ]

    private static let screen: [CommandDeclaration<ConsumerCommand>] = [
        CommandDeclaration(
            "show_screen",
            Parameter.json(
                "screen",
                "A table of \(ScreenDescription.summary(ScreenDescription.members)); each element is a table of "
                    + "\(ScreenDescription.details(ScreenDescription.elementMembers))"
            ), summary: "Replaces the synthetic screen.", as: { .showScreen($0) }),
        CommandDeclaration(
            "change", Parameter.string("id", "The element."), Parameter.string("value", "Its new value.").optional,
            Parameter.string("permission", "Its new marker; empty for none.").optional,
            summary: "Changes an element; the change goes out half a second later.",
            as: { .change(id: $0, value: $1, permission: $2) }),
        CommandDeclaration(
            "screen", returns: .json, summary: "Returns the screen as the consumer sees it.", as: { .screen }),
        CommandDeclaration(
            "annotations", returns: .list(.json), summary: "Returns what agents have drawn.", as: { .annotations }),
    ]

    private static let documents: [CommandDeclaration<ConsumerCommand>] = [
        Self.active(
            CommandDeclaration(
                "accept_document", Self.document, summary: "Accepts a pushed document.",
                as: { .answerDocument(isAccepted: true, $0) })),
        Self.active(
            CommandDeclaration(
                "reject_document", Self.document, summary: "Rejects a pushed document.",
                as: { .answerDocument(isAccepted: false, $0) })),
        CommandDeclaration(
            "share_document", Parameter.string("url", "Where it is.").optional,
            Parameter.string("data", "Its bytes in base64.").optional,
            Parameter.string("type", "The MIME type of data.").optional, returns: .integer,
            summary: "Shows a document to agents; `document_opened` follows.",
            as: { .shareDocument(url: $0, data: $1, type: $2) }),
    ]

    /// What both roles do.
    private static let shared: [CommandDeclaration<ConsumerCommand>] = [
        Self.active(AgentVocabulary.closeDocument { .closeDocument(id: $0, document: $1) }),
        Self.active(AgentVocabulary.moveMouse { .moveMouse($0) }),
    ]
}
