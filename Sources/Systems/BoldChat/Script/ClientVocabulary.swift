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
                + "reference, information, overall, knowledge, responsiveness, professionalism, comments, CustomUrl, custom_…."
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
                            $0.rawValue, .string, optional: true, "In place of `\($0.standardName)`.")
                    }), optional: true,
                "Names of templates by the vendor's settings, such as `chatViewXibName`."),
            ParameterDeclaration(
                "disconnected_outlets", .list(.string), optional: true, "Outlets that the templates leave unconnected."),
            ParameterDeclaration(
                "submit_cell", .boolean, optional: true, "Whether forms end with a submit button; true unless given."),
            ParameterDeclaration(
                "quirks",
                .record(Quirk.allCases.map { ParameterDeclaration($0.rawValue, .boolean, optional: true, $0.summary) }),
                optional: true,
                "Mistakes of the vendor's iOS engine to switch off (or on), by name; the profile `ios` has all, `html` none."
            ),
        ]

    private static let values = ParameterDeclaration("values", .map(.json), "The values by the keys of the fields.")

    private static let invitation = ParameterDeclaration(
        "id", .string, optional: true, "The session's id; that of the last invitation unless given.")

    /// The methods of a visitor.
    static let methods: [MethodDeclaration] = ClientMethod.allCases.map(Self.declaration)

    private static func declaration(_ method: ClientMethod) -> MethodDeclaration {
        let (parameters, result, summary) = Self.parts(method)
        return MethodDeclaration(
            method.rawValue, parameters, returns: result, sends: method == .say ? "text" : nil, summary)
    }

    private static func parts(_ method: ClientMethod) -> ([ParameterDeclaration], ScriptType, String) {
        switch method {
        case .createChat:
            let options = ParameterDeclaration(
                "options", .record(Self.creation), optional: true, "Replaces the options of the actor.")
            return (
                [options], .integer,
                "Begins a chat session; answered by `pre_chat`, `unavailable`, `chat_started` or `error`. "
                    + "Returns the number of the request."
            )
        case .submitPreChat:
            return (
                [Self.values], .integer,
                "Submits the pre-chat form; answered by `chat_started`, `unavailable`, `form_invalid` or `error`."
            )
        case .submitPostChat:
            return (
                [Self.values], .integer,
                "Submits the post-chat form; answered by `form_submitted` and `ended`, `form_invalid` or `error`."
            )
        case .submitUnavailable:
            return (
                [Self.values], .integer,
                "Submits the unavailable form; answered by `form_submitted` and `ended`, `form_invalid` or `error`."
            )
        case .say:
            return (
                [ParameterDeclaration("text", .string, "What to say.")], .string,
                "Sends a message; answered by `message_sent`. Returns the message's id."
            )
        case .typing:
            return (
                [
                    ParameterDeclaration(
                        "active", .boolean, optional: true, "Whether the visitor types; true unless given.")
                ],
                .nothing, "Tells the agent that the visitor types or stops; answered by `typing_sent`."
            )
        case .finish:
            return ([], .nothing, "Ends the chat; answered by `post_chat`, `ended` or `error`.")
        case .cancelChat:
            return ([], .nothing, "Leaves the queue for the unavailable form; answered by `unavailable` or `error`.")
        case .emailHistory:
            return (
                [ParameterDeclaration("address", .string, "An e-mail address.")], .integer,
                "Asks for the transcript at the end of the chat; answered by `transcript_requested` or `error`."
            )
        case .changeLanguage:
            return (
                [ParameterDeclaration("language", .string, "ISO 639-1, optionally with a country.")], .integer,
                "Changes the language of the session; answered by `language_changed` or `error`, by nothing if it is the same."
            )
        case .checkAvailability:
            let members = [
                ParameterDeclaration(
                    "visitor_id", .string, optional: true, "For whom; the visitor's own id unless given."),
                ParameterDeclaration("department_id", .string, optional: true, "In which department."),
            ]
            return (
                [ParameterDeclaration("options", .record(members), optional: true, "For whom and where.")], .integer,
                "Asks whether a chat is possible; answered by `available`, `unavailable` or `error`. The iOS client keeps "
                    + "an answer for 60 seconds per visitor and department."
            )
        case .cancelRequest:
            return (
                [ParameterDeclaration("request", .integer, "The number that the method returned.")], .boolean,
                "Drops a request that is under way: nothing answers it. Returns whether it was under way."
            )
        case .suspend: return ([], .nothing, "Puts the client into the background: timers stop, answers are held back.")
        case .resume: return ([], .nothing, "Brings the client back from the background.")
        case .sendFile:
            return (
                [
                    ParameterDeclaration("name", .string, "The file's name."),
                    ParameterDeclaration("content", .string, "What is in it."),
                    ParameterDeclaration("type", .string, optional: true, "The media type; `text/plain` unless given."),
                ], .integer, "Sends a file; answered by `attachment_uploaded` or `error`."
            )
        case .acceptActiveAssist: return ([Self.invitation], .nothing, "Lets the agent browse along (profile `html`).")
        case .declineActiveAssist: return ([Self.invitation], .nothing, "Declines to browse together (profile `html`).")
        case .cancelActiveAssist: return ([Self.invitation], .nothing, "Ends browsing together (profile `html`).")
        case .acceptRemoteControl:
            return ([Self.invitation], .nothing, "Lets the agent control the device (profile `html`).")
        case .declineRemoteControl:
            let unsupported = ParameterDeclaration(
                "unsupported", .boolean, optional: true, "Whether the device cannot be controlled; false unless given.")
            return ([Self.invitation, unsupported], .nothing, "Declines remote control (profile `html`).")
        case .acceptVideo: return ([], .nothing, "Accepts a video session (profile `html`).")
        case .declineVideo: return ([], .nothing, "Declines a video session (profile `html`).")
        case .reload:
            return (
                [], .nothing,
                "Loads the page again (profile `html`): the window comes back into the chat; answered by `chat_started`, "
                    + "`ended` or `error`."
            )
        case .getDepartments:
            return ([], .integer, "Asks for the departments; answered by `completed` or `error`.")
        case .getVideoURL:
            return (
                [], .integer, "Asks where the video session is (profile `html`); answered by `completed` or `error`."
            )
        case .supportVideo:
            return (
                [], .integer,
                "Tells the server that this browser can show video (profile `html`); answered by `completed` or `error`."
            )
        case .screenPress:
            return (
                [
                    ParameterDeclaration("control", .string, "An outlet such as `sendButton`, or the key of a field."),
                    ParameterDeclaration(
                        "value", .json, optional: true,
                        "The choice of a picker, the stars of a rating, an e-mail address."),
                ], .json,
                "Presses a button of the headless screen or taps a cell, as a person would; what is not shown is refused."
            )
        case .screenType:
            return (
                [
                    ParameterDeclaration("control", .string, "`inputTextView`, or the key of a field."),
                    ParameterDeclaration("text", .string, "What stands there afterwards."),
                ], .nothing, "Types into the headless screen."
            )
        case .screenHTML: return ([], .string, "Returns the headless screen as a fragment of HTML.")
        case .endSession: return ([], .nothing, "Ends the session at once; nothing more is reported of it.")
        }
    }

    /// What a scenario need not expect: what only confirms the visitor's own acts, and what ends by itself.
    static let noise: [EventPattern] = [
        EventPattern(.sessionCreated), EventPattern(.chatStarted), EventPattern(.connected), EventPattern(.accepted),
        EventPattern(.agentJoined), EventPattern(.agentLeft), EventPattern(.messageSent), EventPattern(.typingSent),
        EventPattern(.formSubmitted), EventPattern(.transcriptRequested), EventPattern(.callRepeated),
        EventPattern(.typing, ["active": false]),
        // The server repeats to the visitor what the visitor has said.
        EventPattern(.message, ["from": "visitor"]),
        // `unavailable` has said it already.
        EventPattern(.ended, ["reason": "unavailable"]),
    ]
}
