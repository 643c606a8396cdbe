import Machines

/// What scripts can do with the simulated server, and what its peer observes.
enum ServerVocabulary {
    private static let head = [
        ParameterDeclaration("status", .integer, optional: true, "The status, from 200 to 599; 200 unless given."),
        ParameterDeclaration("headers", .map(.json), optional: true, "Headers to send."),
    ]

    /// What an answer consists of.
    private static let answer =
        Self.head + [
            ParameterDeclaration("json", .json, optional: true, "A value, sent as JSON."),
            ParameterDeclaration("text", .string, optional: true, "A plain text."),
            ParameterDeclaration(
                "events", .list(.json), optional: true,
                "Server-sent events: texts, tables with `event`, `data`, `id`, `retry` or `comment`, or other values as the JSON of their data."
            ),
            ParameterDeclaration("lines", .list(.json), optional: true, "Values, each sent as a line of JSON."),
            ParameterDeclaration(
                "pieces", .list(.string), optional: true, "Pieces of a body as they are, whatever they mean."),
            ParameterDeclaration(
                "after", .duration, optional: true, "How long after the request the answer begins; 0s unless given."),
            ParameterDeclaration(
                "gap", .duration, optional: true, "The pause before each piece but the first; 0s unless given."),
            ParameterDeclaration(
                "framing", .choice(Answer.Framing.allCases.map(\.rawValue)), optional: true,
                "How the end of the body is told: by its `length`, in chunks (`chunked`) or by the end of the connection (`close`); whole bodies have their length and pieces are chunks unless given."
            ),
            ParameterDeclaration(
                "drop_after", .integer, optional: true,
                "After how many pieces, and another pause, the connection is dropped; 0 drops it without an answer."),
        ]

    private static let prepared =
        [
            ParameterDeclaration(
                "to", .string, optional: true,
                "The requests that it is for: `POST /chat`, `/chat`, `/v1/*`; all unless given."),
            ParameterDeclaration("contains", .string, optional: true, "A text that must stand in their bodies."),
            ParameterDeclaration(
                "times", .integer, optional: true, "How many requests it is for; any number unless given."),
        ] + Self.answer

    /// The options of a server.
    static let options = [
        ParameterDeclaration(
            "answers", .list(.record(Self.prepared)), optional: true,
            "Prepared answers; the first one that fits a request is sent."),
        ParameterDeclaration(
            "handler", .function, optional: true,
            "Gets each request that no prepared answer fits, as the peer's event has it, and returns an answer, or nil to leave it to the peer."
        ),
    ]

    /// The methods of a server.
    static let methods = [
        MethodDeclaration(
            "answer", [ParameterDeclaration("answer", .record(Self.prepared), "What is answered to what.")],
            "Prepares an answer that goes before those there are.")
    ]

    private static let request = ParameterDeclaration(
        "request", .integer, optional: true,
        "The number of the request that is meant; the oldest one that waits unless given.")

    private static func one(_ name: String, _ type: ScriptType, _ summary: String) -> [ParameterDeclaration] {
        [ParameterDeclaration(name, type, summary), Self.request]
    }

    /// The methods of the peer.
    static let peerMethods = [
        MethodDeclaration(
            "respond", Self.one("answer", .record(Self.answer), "What is answered."), "Answers a request."),
        MethodDeclaration(
            "begin",
            [
                ParameterDeclaration(
                    "answer",
                    .record(
                        Self.head + [
                            ParameterDeclaration(
                                "framing", .choice(["chunked", "close"]), optional: true,
                                "How the end of the body is told; in chunks unless given."),
                            ParameterDeclaration(
                                "length", .integer, optional: true, "The length that the head says the body has."),
                        ]), optional: true, "The head."), Self.request,
            ], "Sends the head of an answer whose body the peer then writes."),
        MethodDeclaration(
            "write", Self.one("text", .string, "A piece of the body."), "Sends a piece of the body as it is."),
        MethodDeclaration(
            "write_event",
            Self.one(
                "event", .json,
                "A text, a table with `event`, `data`, `id`, `retry` or `comment`, or another value as JSON."),
            "Sends a server-sent event."),
        MethodDeclaration(
            "write_line", Self.one("value", .json, "Any value that JSON can hold."), "Sends a value as a line of JSON."),
        MethodDeclaration("finish", [Self.request], "Ends an answer that has begun."),
        MethodDeclaration("drop", [Self.request], isFault: true, "Drops the connection of a request."),
    ]

    /// The events of the peer.
    static let peerEvents = [
        EventDeclaration(
            .request,
            [
                ParameterDeclaration("request", .integer, "The number of the request, counted from 1."),
                ParameterDeclaration("method", .string, "The method."),
                ParameterDeclaration("path", .string, "The path without the query."),
                ParameterDeclaration("query", .map(.string), "The parameters of the query."),
                ParameterDeclaration("headers", .map(.string), "The headers, names in lower case."),
                ParameterDeclaration("body", .string, optional: true, "The body as text."),
                ParameterDeclaration("size", .integer, optional: true, "The size of the body in bytes."),
                ParameterDeclaration("json", .json, optional: true, "The value of a body that is JSON."),
                ParameterDeclaration("form", .map(.string), optional: true, "The fields of a body that is a form."),
                ParameterDeclaration("bytes", .string, optional: true, "A body that is no text, in base64."),
            ], "A request arrived."),
        EventDeclaration(
            .abandoned, [ParameterDeclaration("request", .integer, "The number of the request.")],
            "The client went away before it was wholly answered."),
    ]
}
