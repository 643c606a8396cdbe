import JSON
import Machines

/// What scripts can ask of a visitor and read from one.
enum ClientVocabulary {
    private static let creation: [ParameterDeclaration] = [
        ParameterDeclaration(
            "language", .string, optional: true, "ISO 639-1, optionally with a country: `de-DE`; `en-US` unless given."),
        ParameterDeclaration(
            "visitor_id", .string, optional: true, "Who the visitor is; the server assigns an id unless given."),
        ParameterDeclaration(
            "skip_pre_chat", .boolean, optional: true, "Start without the pre-chat form; false unless given."),
        ParameterDeclaration(
            "external", .map(.json), optional: true,
            "Presets for form fields: language, department, first_name, name, last_name, phone, email, initial_question, "
                + "reference, information, overall, knowledge, responsiveness, professionalism (numbers), comments, CustomUrl, "
                + "custom_…. `language` is the language of the session too."
        ),
        ParameterDeclaration("secured", .string, optional: true, "The signed values of a secured chat."),
    ]

    /// The options of `t:actor(boldchat, …)`.
    static let options: [ParameterDeclaration] =
        Self.creation + [
            ParameterDeclaration(
                "access_key", .string, optional: true, "The account's key; the target's unless given."),
            ParameterDeclaration(
                "profile", .choice(Profile.all.map(\.name)), optional: true,
                "Which generation of the vendor's client to be; `ios` unless given."),
            ParameterDeclaration(
                "link", .choice(["web_socket", "long_poll"]), optional: true,
                "How to receive events; `web_socket` unless given."),
            ParameterDeclaration(
                "view_settings",
                .record(
                    ScreenTemplate.allCases.map {
                        ParameterDeclaration(
                            $0.rawValue, .string, optional: true,
                            "In place of `\($0.standardName)`, with the file's owner `\($0.owner)`.")
                    } + [
                        ParameterDeclaration(
                            ViewSettings.historyPageSetting, .string, optional: true,
                            "The page of the history; `screen.chat.chatHistoryHtmlName` reads it.")
                    ]), optional: true,
                "Names of templates by the vendor's settings, such as `chatViewXibName`, without `.xib`. A handler for the "
                    + "insertion of messages (`chatViewEventHandler`) is code of an application and has no counterpart: "
                    + "`screen.chat.chatHistoryWebView` has the messages."),
            ParameterDeclaration(
                "disconnected_outlets", .list(.string), optional: true,
                "Outlets that the templates leave unconnected, such as `endChatButton`, or of one template "
                    + "`ratingCellXibName.titleLabel`: what they do is missing. The reference lists them."),
            ParameterDeclaration(
                "connect_end_chat_pressed", .boolean, optional: true,
                "Whether the template connects the action `endChatPressed`, which the vendor's does not; `endChatButton` "
                    + "ends the chat in any case. False unless given."),
            ParameterDeclaration(
                "submit_cell", .boolean, optional: true, "Whether forms end with a submit button; true unless given."),
            ParameterDeclaration(
                "quirks",
                .record(Quirk.allCases.map { ParameterDeclaration($0.rawValue, .boolean, optional: true, $0.summary) }),
                optional: true,
                "Mistakes of the vendor's iOS engine to switch off (or on), by name; the profile `ios` has all, `html` none."
            ),
        ]

    private static let values = Parameter.map("values", .json, "The values by the keys of the fields.")

    private static let invitation = Parameter.string(
        "id", "The session's id; that of the last invitation unless given."
    ).optional

    /// All that scripts can ask of a visitor.
    static let commands = CommandSet<VisitorCommand>(Self.session + Self.invitations + Self.window)

    /// The methods of a visitor.
    static let methods = Self.commands.methods

    private static func submit(
        _ name: String, _ kind: FormKind, summary: String
    ) -> CommandDeclaration<VisitorCommand> {
        CommandDeclaration(name, Self.values, returns: .integer, summary: summary, as: { .submit(kind, $0) })
    }

    private static let session: [CommandDeclaration<VisitorCommand>] = [
        CommandDeclaration(
            "create_chat", Parameter.record("options", Self.creation, "Replaces the options of the actor.").optional,
            returns: .integer,
            summary: "Begins a chat session; answered by `pre_chat`, `unavailable`, `chat_started` or `error`. "
                + "Returns the number of the request.", as: { .createChat($0) }),
        Self.submit(
            "submit_pre_chat", .preChat,
            summary: "Submits the pre-chat form; answered by `chat_started`, `unavailable`, `form_invalid` or `error`."
        ),
        Self.submit(
            "submit_post_chat", .postChat,
            summary:
                "Submits the post-chat form; answered by `form_submitted` and `ended`, `form_invalid` or `error`."),
        Self.submit(
            "submit_unavailable", .unavailable,
            summary:
                "Submits the unavailable form; answered by `form_submitted` and `ended`, `form_invalid` or `error`."),
        CommandDeclaration(
            "say", Parameter.string("text", "What to say."), returns: .string, sends: "text",
            summary:
                "Sends a message; answered by `message_sent`, by `error` (-203) once the chat has ended, or by "
                + "`call_ignored` in the background. Returns the message's id.", as: { .say($0) }),
        CommandDeclaration(
            "typing", Parameter.boolean("active", "Whether the visitor types; true unless given.").optional,
            summary: "Tells the agent that the visitor types or stops; answered by `typing_sent`, by `error` (-203) "
                + "once the chat has ended, or by `call_ignored` in the background.",
            as: { .typing($0 ?? true) }),
        CommandDeclaration(
            "finish", summary: "Ends the chat; answered by `post_chat`, `ended` or `error` (-203 once it has ended).",
            as: { .finish }),
        CommandDeclaration(
            "cancel_chat",
            summary: "Leaves the queue for the unavailable form; answered by `unavailable` or `error` (-203 once the "
                + "chat has ended).",
            as: { .cancelChat }),
        CommandDeclaration(
            "email_history", Parameter.string("address", "An e-mail address."), returns: .integer,
            summary: "Asks for the transcript at the end of the chat; answered by `transcript_requested` or `error`.",
            as: { .emailHistory(address: $0) }),
        CommandDeclaration(
            "change_language", Parameter.string("language", "ISO 639-1, optionally with a country."),
            returns: .integer,
            summary:
                "Changes the language of the session; answered by `language_changed` or `error`, by nothing if it is the same. "
                + "Before a session it is that of the next one (profile `ios`).",
            as: { .changeLanguage($0) }),
        CommandDeclaration(
            "check_availability",
            Parameter.record(
                "options",
                [
                    ParameterDeclaration(
                        "visitor_id", .string, optional: true, "For whom; the visitor's own id unless given."),
                    ParameterDeclaration("department_id", .string, optional: true, "In which department."),
                ], "For whom and where."
            ).optional, returns: .integer,
            summary:
                "Asks whether a chat is possible; answered by `available`, `unavailable` or `error`. The iOS client keeps "
                + "an answer for 60 seconds per visitor and department.", as: { .checkAvailability($0) }),
        CommandDeclaration(
            "cancel_request", Parameter.integer("request", "The number that the method returned."),
            returns: .boolean,
            summary: "Drops a request that is under way: nothing answers it. Returns whether it was under way.",
            as: { .cancelRequest($0) }),
        CommandDeclaration(
            "suspend",
            summary: "Puts the client into the background: timers stop, answers are held back, and what is said and "
                + "typed is lost (`call_ignored`).",
            as: { .suspend }),
        CommandDeclaration("resume", summary: "Brings the client back from the background.", as: { .resume }),
        CommandDeclaration(
            "send_file", Parameter.string("name", "The file's name."), Parameter.string("content", "What is in it."),
            Parameter.string("type", "The media type; `text/plain` unless given.").optional, returns: .integer,
            summary: "Sends a file; answered by `attachment_uploaded` or `error`.",
            as: { .sendFile(name: $0, content: $1, type: $2) }),
    ]

    private static func answer(
        _ name: String, _ method: RESTMethod, summary: String
    ) -> CommandDeclaration<VisitorCommand> {
        CommandDeclaration(name, Self.invitation, summary: summary, as: { .answerInvitation(method, id: $0) })
    }

    private static let invitations: [CommandDeclaration<VisitorCommand>] = [
        Self.answer(
            "accept_active_assist", .acceptActiveAssist, summary: "Lets the agent browse along (profile `html`)."),
        Self.answer(
            "decline_active_assist", .declineActiveAssist, summary: "Declines to browse together (profile `html`)."),
        Self.answer("cancel_active_assist", .cancelActiveAssist, summary: "Ends browsing together (profile `html`)."),
        Self.answer(
            "accept_remote_control", .acceptRemoteControlSession,
            summary: "Lets the agent control the device (profile `html`)."),
        CommandDeclaration(
            "decline_remote_control", Self.invitation,
            Parameter.boolean("unsupported", "Whether the device cannot be controlled; false unless given.").optional,
            summary: "Declines remote control (profile `html`).",
            as: { id, isUnsupported in
                .answerInvitation(
                    isUnsupported ?? false
                        ? .declineRemoteControlSessionForUnsupportedOs : .declineRemoteControlSession, id: id)
            }),
        CommandDeclaration(
            "accept_video", summary: "Accepts a video session (profile `html`).",
            as: { .answerInvitation(.acceptVideoSession, id: nil) }),
        CommandDeclaration(
            "decline_video", summary: "Declines a video session (profile `html`).",
            as: { .answerInvitation(.declineVideoSession, id: nil) }),
    ]

    private static func inquiry(
        _ name: String, _ method: RESTMethod, about: String? = nil, summary: String
    ) -> CommandDeclaration<VisitorCommand> {
        CommandDeclaration(
            name, returns: .integer, summary: summary, as: { .ask(method, operation: name, about: about) })
    }

    private static let window: [CommandDeclaration<VisitorCommand>] = [
        CommandDeclaration(
            "reload",
            summary:
                "Loads the page again (profile `html`): the window comes back into the chat; answered by `chat_started`, "
                + "`ended` or `error`.", as: { .reload }),
        Self.inquiry(
            "get_departments", .getDepartments,
            summary: "Asks for the departments; answered by `completed` or `error`."),
        Self.inquiry(
            "get_video_url", .getVendorVideoSessionVisitorUrl, about: "the video session",
            summary: "Asks where the video session is (profile `html`); answered by `completed` or `error`."),
        Self.inquiry(
            "support_video", .markChatAsVideoSupported, about: "video",
            summary:
                "Tells the server that this browser can show video (profile `html`); answered by `completed` or `error`."
        ),
        CommandDeclaration(
            "screen_press",
            Parameter.string(
                "control", "An outlet such as `sendButton` (see controls of `screen_press`), or the key of a field."),
            Parameter.optionalJSON("value", "The choice of a picker, the stars of a rating, an e-mail address."),
            returns: .json,
            summary:
                "Presses a button of the headless screen or taps a cell, as a person would; what is not shown is refused. "
                + "`emailChatHistoryButton` without a value opens an alert, answered by `emailAlertSend` or "
                + "`emailAlertCancel`.",
            as: { .press(control: $0, $1) }),
        CommandDeclaration(
            "screen_type", Parameter.string("control", "`inputTextView`, `emailAlert`, or the key of a field."),
            Parameter.string("text", "What stands there afterwards."), summary: "Types into the headless screen.",
            as: { .type(control: $0, $1) }),
        CommandDeclaration(
            "screen_html", returns: .string, summary: "Returns the headless screen as a fragment of HTML.",
            as: { .screenHTML }),
        CommandDeclaration(
            "end_session", summary: "Ends the session at once; nothing more is reported of it.",
            as: { .endSession }),
    ]

    /// What a scenario need not expect: what only confirms the visitor's own acts, and what ends by itself.
    static let noise: [EventPattern] = [
        EventPattern(.sessionCreated), EventPattern(.chatStarted), EventPattern(.connected), EventPattern(.accepted),
        EventPattern(.agentJoined), EventPattern(.agentLeft), EventPattern(.messageSent), EventPattern(.typingSent),
        EventPattern(.formSubmitted), EventPattern(.transcriptRequested), EventPattern(.callRepeated),
        EventPattern(.callIgnored), EventPattern(.eventIgnored),
        EventPattern(.typing, ["active": false]),
        // The server repeats to the visitor what the visitor has said.
        EventPattern(.message, ["from": "visitor"]),
        // `unavailable` has said it already.
        EventPattern(.ended, ["reason": "unavailable"]),
    ]
}
