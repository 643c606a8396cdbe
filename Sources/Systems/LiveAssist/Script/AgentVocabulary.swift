import Machines

/// What scripts can say to an agent; `close_document`, `screen` and `move_mouse` fit both roles.
enum AgentVocabulary {
    private static let place = [
        ParameterDeclaration("x", .integer, optional: true, "Pixels from the left."),
        ParameterDeclaration("y", .integer, optional: true, "Pixels from the top."),
        ParameterDeclaration("element", .string, optional: true, "An element that the agent sees, instead of x and y."),
    ]

    static let methods = Self.session + Self.drawing + Self.input + Self.documents

    private static let session = [
        MethodDeclaration(
            "log_in",
            [
                ParameterDeclaration("username", .string, "The name that consumers call as destination."),
                ParameterDeclaration("password", .string, optional: true, "The password."),
            ], "Goes on duty for calls; `session_created` or `error` follows."),
        MethodDeclaration(
            "join",
            [
                ParameterDeclaration("short_code", .string, optional: true, "A code that the consumer told."),
                ParameterDeclaration("correlation_id", .string, optional: true, "The name of the session."),
                ParameterDeclaration("consumer", .actor, optional: true, "The consumer whose session it is."),
                ParameterDeclaration(
                    "session_token", .string, optional: true, "A token that opens it; made unless given."),
            ], "Joins a session; `connected` or `error` follows."),
        MethodDeclaration("answer_call", [], "Answers the ringing call and joins its session."),
        MethodDeclaration("reject_call", [], "Rejects the ringing call."),
        MethodDeclaration("hang_up", [], "Ends the call."),
        MethodDeclaration("leave_session", [], "Leaves the session."),
        MethodDeclaration("request_cobrowse", [], "Asks to see the screen."),
        MethodDeclaration("leave_cobrowse", [], "Stops watching."),
        MethodDeclaration("view", [], returns: .list(.json), "Returns the elements that the agent sees."),
        MethodDeclaration("form", [], returns: .json, "Returns the form that can be filled in, or nil."),
        MethodDeclaration(
            "send_frame", [ParameterDeclaration("base64", .string, "The bytes.")],
            "Sends any frame, as a broken agent would."),
    ]

    private static let drawing = [
        MethodDeclaration(
            "draw",
            [
                ParameterDeclaration("path", .string, "An SVG path: M x y L x y …."),
                ParameterDeclaration("color", .string, optional: true, "#rrggbb; red unless given."),
                ParameterDeclaration("width", .number, optional: true, "1 to 25; 1 unless given."),
                ParameterDeclaration("opacity", .number, optional: true, "0 to 1; 1 unless given."),
            ], "Draws on the screen."),
        MethodDeclaration("clear_annotations", [], "Clears what was drawn."),
        MethodDeclaration("point", Self.place, "Points at a place."),
        MethodDeclaration("start_zoom", [], "Opens the magnifier."), MethodDeclaration("end_zoom", [], "Closes it."),
    ]

    private static let input = [
        MethodDeclaration("click", Self.place, "Clicks."),
        MethodDeclaration("mouse_down", Self.place, "Presses the mouse."),
        MethodDeclaration("mouse_up", Self.place, "Releases the mouse."),
        MethodDeclaration("double_click", Self.place, "Clicks twice."),
        MethodDeclaration("move_mouse", Self.place, "Moves the mouse; for a consumer the shadow cursor."),
        MethodDeclaration(
            "type_text", [ParameterDeclaration("text", .string, "The text.")] + Self.place, "Types into a field."),
        MethodDeclaration(
            "scroll",
            [
                ParameterDeclaration(
                    "direction", .choice(["up", "down", "left", "right"]), optional: true, "Down unless given.")
            ], "Scrolls by a quarter of the viewport."),
        MethodDeclaration(
            "fill_form", [ParameterDeclaration("values", .map(.json), "Values by label.")], "Fills the form in."),
    ]

    private static let documents = [
        MethodDeclaration(
            "push_document",
            [
                ParameterDeclaration("url", .string, optional: true, "Where it is."),
                ParameterDeclaration("data", .string, optional: true, "Its bytes in base64."),
                ParameterDeclaration("type", .string, optional: true, "The MIME type of data."),
                ParameterDeclaration("metadata", .string, optional: true, "Any text for the consumer."),
            ], returns: .integer, "Pushes a document; `document_result` follows."),
        MethodDeclaration(
            "close_document",
            [
                ParameterDeclaration("id", .integer, optional: true, "An agent's document; the last one unless given."),
                ParameterDeclaration("document", .integer, optional: true, "A consumer's; the last one unless given."),
            ], "Closes a document."),
        MethodDeclaration("push_link", [ParameterDeclaration("url", .string, "The URL.")], "Pushes a link."),
    ]
}
