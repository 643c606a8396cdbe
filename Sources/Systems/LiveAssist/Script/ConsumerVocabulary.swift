import Machines

/// What scripts can say to a consumer.
enum ConsumerVocabulary {
    private static let agent = ParameterDeclaration(
        "agent", .json, optional: true, "The agent's name or identity; the one who asked last unless given.")
    private static let document = ParameterDeclaration(
        "document", .integer, optional: true, "The field document of an event; the last one unless given.")

    static let methods = Self.starting + Self.cobrowsing + Self.screen + Self.documents

    private static let starting = [
        MethodDeclaration(
            "parse_url", [ParameterDeclaration("server", .string, "A host or a URL without a path.")],
            returns: .record([
                ParameterDeclaration("scheme", .string, "http or https."),
                ParameterDeclaration("host", .string, "The host; IPv6 in brackets."),
                ParameterDeclaration("port", .integer, "The port."),
            ]), "Returns what the vendor's parseURL makes of a server name."),
        MethodDeclaration(
            "create_short_code",
            [ParameterDeclaration("correlation_id", .string, optional: true, "A session to bind the code to.")],
            "Asks for a short code; `short_code` follows."),
        MethodDeclaration(
            "redeem_short_code", [ParameterDeclaration("code", .string, "The code.")],
            "Asks for the session token and correlation id of a code; `short_code` follows."),
        MethodDeclaration(
            "set_cookie",
            [ParameterDeclaration("name", .string, "Its name."), ParameterDeclaration("value", .string, "Its value.")],
            "Keeps a cookie for the WebSocket handshake."),
        MethodDeclaration(
            "start_support",
            [
                ParameterDeclaration(
                    "configuration", .record(ClientOptionVocabulary.configuration), optional: true,
                    "What differs from the actor's options.")
            ], "Starts support; `connected` or `error` follows."),
        MethodDeclaration("end_support", [], "Ends support; `terminated` follows."),
        MethodDeclaration(
            "reconnect",
            [
                ParameterDeclaration(
                    "timeout", .duration, optional: true, "How long it may take; no limit unless given.")
            ], "Opens a lost connection again at once."),
        MethodDeclaration(
            "terminate", [ParameterDeclaration("reason", .string, optional: true, "Why.")],
            "Gives up a connection, lost or not."),
    ]

    private static let cobrowsing = [
        MethodDeclaration("allow_cobrowse", [Self.agent], "Admits an agent, also before it has asked."),
        MethodDeclaration("disallow_cobrowse", [Self.agent], "Refuses an agent, or sends it away."),
        MethodDeclaration("pause_cobrowse", [], "Stops sending the screen for a while."),
        MethodDeclaration("resume_cobrowse", [], "Sends the screen again."),
        MethodDeclaration("take_snapshot", [], "Sends a screenshot to those who are admitted."),
    ]

    private static let screen = [
        MethodDeclaration(
            "show_screen",
            [
                ParameterDeclaration(
                    "screen", .json,
                    "width, height and elements: id, type, label, value, tag, permission, secure, x, y, width, height, options, elements."
                )
            ], "Replaces the synthetic screen."),
        MethodDeclaration(
            "change",
            [
                ParameterDeclaration("id", .string, "The element."),
                ParameterDeclaration("value", .string, optional: true, "Its new value."),
                ParameterDeclaration("permission", .string, optional: true, "Its new marker; empty for none."),
            ], "Changes an element; the change goes out half a second later."),
        MethodDeclaration("screen", [], returns: .json, "Returns the screen as the consumer sees it."),
        MethodDeclaration("annotations", [], returns: .list(.json), "Returns what agents have drawn."),
    ]

    private static let documents = [
        MethodDeclaration("accept_document", [Self.document], "Accepts a pushed document."),
        MethodDeclaration("reject_document", [Self.document], "Rejects a pushed document."),
        MethodDeclaration(
            "share_document",
            [
                ParameterDeclaration("url", .string, optional: true, "Where it is."),
                ParameterDeclaration("data", .string, optional: true, "Its bytes in base64."),
                ParameterDeclaration("type", .string, optional: true, "The MIME type of data."),
            ], returns: .integer, "Shows a document to agents; `document_opened` follows."),
    ]
}
