import Machines

/// The events of a visitor, with their fields.
extension ClientVocabulary {
    private static let person = ParameterDeclaration(
        "person",
        .record([
            ParameterDeclaration("type", .choice(PersonType.allCases.map(\.rawValue)), "What kind of party."),
            ParameterDeclaration("id", .string, "The person's identifier."),
            ParameterDeclaration("name", .string, optional: true, "The name to show."),
            ParameterDeclaration("image_url", .string, optional: true, "Where the picture is."),
        ]), "Who.")

    private static func form(optional: Bool = false, _ summary: String) -> ParameterDeclaration {
        ParameterDeclaration("form", Self.formType, optional: optional, summary)
    }

    /// What ``Form/scriptValue(branding:)`` makes.
    private static let formType = ScriptType.record([
        ParameterDeclaration("kind", .choice(FormKind.allCases.map(\.rawValue)), "Which form."),
        Self.text("submit", "The method that submits it, as `form:submit()` does."),
        ParameterDeclaration("fields", .list(.record(Self.fieldMembers)), "The fields in their order."),
    ])

    private static let fieldMembers = [
        Self.text("key", "Its name in the values."),
        ParameterDeclaration(
            "type", .choice(FormFieldType.allCases.map(\.rawValue)), "How it is entered and checked."),
        Self.text("label", "The words beside it: those of the branding, if it has a text of that name."),
        Self.text("label_branding", optional: true, "The name of the label in the branding."),
        ParameterDeclaration("required", .boolean, "Whether it must be filled in."),
        ParameterDeclaration("multi_line", .boolean, optional: true, "True for a text of several lines."),
        ParameterDeclaration("shown", .boolean, optional: true, "False if people do not see it."),
        ParameterDeclaration(
            "show_department_status", .boolean, optional: true, "True if departments are grouped by their state."),
        Self.text(
            "value", optional: true,
            "What is submitted if nobody changes it: its own, else that of the option that is preselected."),
        ParameterDeclaration(
            "options",
            .list(
                .record([
                    Self.text("name", "What people read."), Self.text("value", "What is submitted."),
                    Self.text("name_branding", optional: true, "The name of `name` in the branding."),
                    ParameterDeclaration("default", .boolean, optional: true, "True if it is preselected."),
                    ParameterDeclaration(
                        "available", .boolean, optional: true, "Of a department: whether it is online."),
                ])), optional: true, "The choices of `select` and `radio`."),
    ]

    private static let raised = [
        ParameterDeclaration("code", .integer, "The vendor's number of the error."),
        ParameterDeclaration("domain", .choice(ErrorDomain.allCases.map(\.rawValue)), "Which part reports it."),
        ParameterDeclaration("operation", .string, "What failed, by the name of the method."),
        ParameterDeclaration("message", .string, "What the server said, or what the code means."),
    ]

    private static func text(_ name: String, optional: Bool = false, _ summary: String) -> ParameterDeclaration {
        ParameterDeclaration(name, .string, optional: optional, summary)
    }

    private static let ids = [
        Self.text("visitor_id", optional: true, "Who the visitor is."),
        Self.text("chat_key", optional: true, "The chat's key."),
        Self.text("chat_id", optional: true, "The chat's number."),
    ]

    private static let messageFields = [
        Self.text("id", "The message's number."),
        ParameterDeclaration("from", .choice(PersonType.allCases.map(\.rawValue)), "What kind of party wrote it."),
        Self.text("text", "The text; an operator's may be HTML."),
        Self.text("name", optional: true, "The writer's name."), Self.person,
        Self.text("time", optional: true, "When it was written, UTC."),
        Self.text("original_text", optional: true, "The text before translation."),
    ]

    private static let active = ParameterDeclaration("active", .boolean, "Whether somebody types.")

    /// The events of a visitor.
    static let events: [EventDeclaration] = [
        EventDeclaration(
            .sessionCreated, Self.ids + [Self.text("language", "The language in use.")],
            "The server has created the session; comes before the event that says how it goes on."),
        EventDeclaration(.preChat, [Self.form("The form.")], "The pre-chat form is to be filled in."),
        EventDeclaration(
            .unavailable,
            [
                ParameterDeclaration("reason", .choice(UnavailableReason.allCases.map(\.rawValue)), "Why."),
                Self.text("message", optional: true, "What the server says about it."),
                Self.form(optional: true, "The unavailable form, if there is one."),
            ], "No chat is possible; also the answer to `check_availability`."),
        EventDeclaration(.available, [], "A chat is possible; the answer to `check_availability`."),
        EventDeclaration(
            .chatStarted, Self.ids + [ParameterDeclaration("after_pre_chat", .boolean, "Whether a form came first.")],
            "The chat exists; the client connects to it."),
        EventDeclaration(.connected, [], "The event stream is connected for the first time."),
        EventDeclaration(.disconnected, [], "No sign of life for 15 seconds, or the stream is lost (profile `html`)."),
        EventDeclaration(.reconnected, [], "The stream is back (profile `html`)."),
        EventDeclaration(
            .callRepeated,
            [
                Self.text("call", "The method on the wire."),
                ParameterDeclaration("code", .integer, "−101 or −102: what it will be if it stays so."),
                Self.text("message", "What was wrong."),
            ], "A call had no answer or one that cannot be read, and is made again; told once a call."),
        EventDeclaration(
            .callIgnored,
            [Self.text("call", "`say` or `typing`."), Self.text("message", "Why nothing comes of it.")],
            "The client has dropped what the visitor did, without a word, as the vendor's does in the background."),
        EventDeclaration(
            .eventIgnored,
            [
                Self.text("event", optional: true, "The event's name on the wire; null of an answer to no call."),
                Self.text("message", "Why."),
            ], "The server sent what this generation of the client does not react to; `raw` has it."),
        EventDeclaration(
            .queue,
            [
                ParameterDeclaration("position", .integer, "How many are ahead; 0 is next, −1 unknown."),
                ParameterDeclaration(
                    "unavailable_form_available", .boolean, "Whether `cancel_chat` can give a form."),
                ParameterDeclaration(
                    "wait_time", .integer, optional: true, "How long it is estimated to take (profile `html`)."),
                Self.text("wait_time_unit", optional: true, "The unit of the wait time."),
            ], "The visitor's position in the queue."),
        EventDeclaration(.accepted, [], "An operator has accepted the chat."),
        EventDeclaration(
            .autoMessage, [Self.text("id", "Made by the client."), Self.text("text", "The text.")],
            "An automatic text while the visitor waits."),
        EventDeclaration(.agentJoined, [Self.person], "An operator is seen for the first time."),
        EventDeclaration(.agentLeft, [Self.person], "An operator has left the chat."),
        EventDeclaration(.typing, [Self.active, Self.person], "Somebody at the desk types or has stopped."),
        EventDeclaration(.typingSent, [Self.active], "The server has taken the visitor's typing."),
        EventDeclaration(.message, Self.messageFields, "A message of an operator, the system, or the visitor's own."),
        EventDeclaration(.messageUpdated, Self.messageFields, "A message has changed (profile `html`)."),
        EventDeclaration(
            .messageSent, [Self.text("id", "What `say` returned."), Self.text("text", "The text.")],
            "The server has taken a message of the visitor."),
        EventDeclaration(
            .postChat,
            [
                ParameterDeclaration("reason", .choice(EndReason.allCases.map(\.rawValue)), "Why the chat ended."),
                Self.text("time", optional: true, "When, UTC, as the server says."), Self.form("The form."),
            ], "The chat is over and the post-chat form is to be filled in."),
        EventDeclaration(
            .ended,
            [
                ParameterDeclaration(
                    "reason", .choice(EndReason.allCases.map(\.rawValue) + ["unavailable", "error"]),
                    "Why the conversation ended."),
                Self.text("time", optional: true, "When the chat ended, UTC, as the server says."),
            ], "The session is finished; the last event of a conversation."),
        EventDeclaration(
            .chatEnded, [Self.text("reason", "`operator`.")],
            "The operator has ended the chat and `finish` is due (profile `html`)."),
        EventDeclaration(
            .languageChanged,
            [
                Self.text("language", "The language in use."),
                Self.form(optional: true, "The pre-chat form in the new language."),
            ], "The language has changed."),
        EventDeclaration(.recapture, [], "The desk would take the visitor back."),
        EventDeclaration(.transcriptRequested, [], "The server has taken the address for the transcript."),
        EventDeclaration(
            .formSubmitted, [Self.text("form", "`post_chat` or `unavailable`.")], "The server has taken the form."),
        EventDeclaration(
            .formInvalid,
            [
                Self.text("form", "Which form."), ParameterDeclaration("code", .integer, "−204."),
                ParameterDeclaration("keys", .list(.string), "The fields that are wrong, in the form's order."),
                ParameterDeclaration("reasons", .map(.string), "Why, by the key of the field."),
            ], "The form was not sent because of its values."),
        EventDeclaration(
            .attachmentUploaded,
            [
                Self.text("name", "The file's name."), ParameterDeclaration("size", .integer, "In bytes."),
                Self.text("type", "The media type."), Self.text("token", "The server's name for the file."),
            ], "A file of the visitor has arrived."),
        EventDeclaration(
            .linkOpened, [Self.text("url", "The page.")], "An operator has pushed a page (profile `html`)."),
        EventDeclaration(.cobrowseRequested, [Self.text("id", "The session's id.")], "The agent asks to browse along."),
        EventDeclaration(.cobrowseEnded, [], "Browsing together is over."),
        EventDeclaration(
            .remoteControl,
            [
                Self.text("command", "`started` or `ended`."), Self.text("id", optional: true, "The session's id."),
                Self.text("applet_url", optional: true, "Where the applet is."),
                Self.text("vendor_url", optional: true, "Where the session is."),
                Self.text("vendor_pin", optional: true, "The session's code."),
                Self.text("activation_url", optional: true, "Where the session is activated."),
                ParameterDeclaration("systems", .map(.boolean), optional: true, "Which systems can be controlled."),
            ], "The agent offers or ends remote control."),
        EventDeclaration(
            .videoChanged,
            [
                ParameterDeclaration("status", .integer, "The vendor's number."),
                ParameterDeclaration("state", .choice(CobrowseEvents.videoStates + ["unknown"]), "What it means."),
            ], "The state of a video session."),
        EventDeclaration(
            .completed,
            [
                Self.text("operation", "The method that asked."),
                ParameterDeclaration("value", .json, "The members of the answer."),
            ], "The answer to a question."),
        EventDeclaration(
            .actionPerformed, [Self.text("action", "What the vendor's view controller calls.")],
            "A button of the application was pressed on the headless screen."),
        EventDeclaration(.error, Self.raised, "A call or the chat has failed, or the server sent what cannot be read."),
    ]
}
