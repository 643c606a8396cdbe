import JSON
import Machines

/// What scripts can say to an agent; `close_document` and `move_mouse` fit both roles.
enum AgentVocabulary {
    private static let x = Parameter.integer("x", "Pixels from the left.").optional
    private static let y = Parameter.integer("y", "Pixels from the top.").optional
    private static let element = Parameter.string(
        "element",
        "The id of an element, to whose middle it goes instead of to x and y; an agent names one that it sees."
    ).optional

    /// All that scripts can ask of an agent.
    static let commands = CommandSet<AgentCommand>(
        Self.declarations,
        refusals: Dictionary(
            uniqueKeysWithValues: ConsumerVocabulary.ownMethods.map { method in
                (
                    method.name,
                    "\(method.name) is not a method of an agent; give the actor role = \"consumer\" for it"
                )
            }))

    /// The methods, in the order in which they are documented.
    static let methods = Self.declarations.map(\.method)

    private static let declarations: [CommandDeclaration<AgentCommand>] =
        Self.session + Self.drawing + Self.input + Self.documents

    private static func joined(_ declaration: CommandDeclaration<JoinedCommand>) -> CommandDeclaration<AgentCommand> {
        let name = declaration.method.name
        return declaration.mapped { .joined($0, name: name) }
    }

    private static func watching(
        _ declaration: CommandDeclaration<WatchingCommand>
    ) -> CommandDeclaration<AgentCommand> {
        Self.joined(declaration.mapped { .watching($0) })
    }

    private static func touch(_ name: String, _ touch: Touch, _ summary: String) -> CommandDeclaration<AgentCommand> {
        Self.watching(
            CommandDeclaration(
                name, Self.x, Self.y, Self.element, summary: summary,
                as: { .touch(touch, Place(x: $0, y: $1, element: $2)) }))
    }

    private static let session: [CommandDeclaration<AgentCommand>] = [
        CommandDeclaration(
            "log_in", Parameter.string("username", "The name that consumers call as destination."),
            Parameter.string("password", "The password.").optional,
            summary: "Goes on duty for calls; `session_created` or `error` follows.",
            as: { .logIn(username: $0, password: $1) }),
        CommandDeclaration(
            "join", Parameter.string("short_code", "A code that the consumer told.").optional,
            Parameter.string("correlation_id", "The name of the session.").optional,
            Parameter.actor("consumer", "The consumer whose session it is.").optional,
            Parameter.string("session_token", "A token that opens it; made unless given.").optional,
            summary: "Joins a session; `connected` or `error` follows.",
            as: { .join(shortCode: $0, session: $1, consumer: $2, token: $3) }),
        CommandDeclaration(
            "answer_call", summary: "Answers the ringing call and joins its session.", as: { .call(.answer) }),
        CommandDeclaration("reject_call", summary: "Rejects the ringing call.", as: { .call(.reject) }),
        CommandDeclaration("hang_up", summary: "Ends the call.", as: { .call(.hangUp) }),
        Self.joined(CommandDeclaration("leave_session", summary: "Leaves the session.", as: { .leaveSession })),
        Self.joined(
            CommandDeclaration(
                "request_cobrowse", summary: "Asks to see the screen; does nothing while the agent sees it.",
                as: { .requestCobrowse })),
        Self.watching(CommandDeclaration("leave_cobrowse", summary: "Stops watching.", as: { .leaveCobrowse })),
        CommandDeclaration(
            "view", returns: .list(.json), summary: "Returns the elements that the agent sees.", as: { .view }),
        CommandDeclaration(
            "form", returns: .json, summary: "Returns the form that can be filled in, or nil.", as: { .form }),
        Self.joined(
            CommandDeclaration(
                "send_frame", Parameter.string("base64", "The bytes."),
                summary: "Sends any frame, as a broken agent would.", as: { .sendFrame(base64: $0) })),
    ]

    private static let drawing: [CommandDeclaration<AgentCommand>] = [
        Self.watching(
            CommandDeclaration(
                "draw", Parameter.string("path", "An SVG path: M x y L x y …."),
                Parameter.string("color", "#rrggbb; red unless given.").optional,
                Parameter.number("width", "1 to 25; 1 unless given.").optional,
                Parameter.number("opacity", "0 to 1; 1 unless given.").optional, summary: "Draws on the screen.",
                as: { .draw(path: $0, color: $1, width: $2, opacity: $3) })),
        Self.watching(
            CommandDeclaration("clear_annotations", summary: "Clears what was drawn.", as: { .clearAnnotations })),
        Self.touch("point", .point, "Points at a place."),
        Self.watching(
            CommandDeclaration("start_zoom", summary: "Opens the magnifier.", as: { .zoom(isOn: true) })),
        Self.watching(CommandDeclaration("end_zoom", summary: "Closes it.", as: { .zoom(isOn: false) })),
    ]

    private static let input: [CommandDeclaration<AgentCommand>] = [
        Self.touch("click", .click, "Clicks."),
        Self.touch("mouse_down", .mouseDown, "Presses the mouse."),
        Self.touch("mouse_up", .mouseUp, "Releases the mouse."),
        Self.touch("double_click", .doubleClick, "Clicks twice."),
        Self.watching(Self.moveMouse { .touch(.move, $0) }),
        Self.watching(
            CommandDeclaration(
                "type_text", Parameter.string("text", "The text."), Self.x, Self.y, Self.element,
                summary: "Types into a field.", as: { .touch(.type($0), Place(x: $1, y: $2, element: $3)) })),
        Self.watching(
            CommandDeclaration(
                "scroll",
                Parameter<ScrollDirection>(
                    "direction", .choice(ScrollDirection.allCases.map(\.word)), "Down unless given."
                ) { value in
                    ScrollDirection.allCases.first { $0.word == value.string }
                }.optional, summary: "Scrolls by a quarter of the viewport.", as: { .scroll($0) })),
        Self.watching(
            CommandDeclaration(
                "fill_form", Parameter.map("values", .json, "Values by label."), summary: "Fills the form in.",
                as: { .fillForm($0) })),
    ]

    private static let documents: [CommandDeclaration<AgentCommand>] = [
        Self.watching(
            CommandDeclaration(
                "push_document", Parameter.string("url", "Where it is.").optional,
                Parameter.string("data", "Its bytes in base64.").optional,
                Parameter.string("type", "The MIME type of data.").optional,
                Parameter.string("metadata", "Any text for the consumer.").optional, returns: .integer,
                summary: "Pushes a document; `document_result` follows.",
                as: { .pushDocument(DocumentArguments(url: $0, data: $1, type: $2, metadata: $3)) })),
        Self.watching(Self.closeDocument { .closeDocument(id: $0, document: $1) }),
        Self.joined(
            CommandDeclaration(
                "push_link", Parameter.string("url", "The URL."), summary: "Pushes a link.", as: { .pushLink($0) })),
    ]

    // MARK: What both roles do

    /// `move_mouse`, for either role.
    static func moveMouse<Action>(
        as action: @escaping @Sendable (Place) -> Action
    ) -> CommandDeclaration<Action> {
        CommandDeclaration(
            "move_mouse", Self.x, Self.y, Self.element,
            summary: "Moves the mouse; for a consumer the shadow cursor.",
            as: { action(Place(x: $0, y: $1, element: $2)) })
    }

    /// `close_document`, for either role: the agent's number of the document, and the consumer's.
    static func closeDocument<Action>(
        as action: @escaping @Sendable (Int64?, Int64?) -> Action
    ) -> CommandDeclaration<Action> {
        CommandDeclaration(
            "close_document",
            Parameter.integer(
                "id", "The agent's number of it, or the consumer's if the agent has none such; the last unless given."
            ).optional,
            Parameter.integer("document", "The consumer's number of it; the last one unless given.").optional,
            summary: "Closes a document.", as: action)
    }
}
