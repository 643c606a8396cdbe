import HTTPTypes
import JSON
import Machines

/// What scripts can do with the simulated server, and what its peer observes.
enum ServerVocabulary {
    private static let head = [
        ParameterDeclaration(
            "status", .integer, optional: true, in: HTTPResponse.Status.finalCodes,
            "The status, from 200 to 599; 200 unless given."),
        ParameterDeclaration(
            "headers", ScriptHeaders.type, optional: true,
            "Headers to send, each with a value or a list of values; not those that say how the body ends."),
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
            "handler", .function, optional: true, returning: .record(Self.answer),
            "Gets each request that no prepared answer fits, as the peer's event has it, and returns an answer, or nil to leave it to the peer."
        ),
    ]

    /// The methods of a server.
    static let commands = CommandSet<ServerCommand>([
        CommandDeclaration(
            "answer", Parameter.record("answer", Self.prepared, "What is answered to what."),
            summary: "Prepares an answer that goes before those there are.", as: { .prepare($0) })
    ])

    /// What scripts can read of a server.
    static let properties = [
        PropertyDeclaration("requests", .integer, "How many requests have arrived."),
        PropertyDeclaration("pending", .integer, "How many of them are not wholly answered."),
    ]

    private static let request = Parameter.integer(
        "request", "The number of the request that is meant; the oldest one that waits unless given."
    ).optional

    private static let begun =
        Self.head + [
            ParameterDeclaration(
                "framing", .choice(["chunked", "close"]), optional: true,
                "How the end of the body is told; in chunks unless given."),
            ParameterDeclaration(
                "length", .integer, optional: true, in: 0...Int64.max, "The length that the head says the body has."),
        ]

    /// The methods of the peer.
    static let peerCommands = CommandSet<ServerCommand>([
        CommandDeclaration(
            "respond", Parameter.record("answer", Self.answer, "What is answered."), Self.request,
            summary: "Answers a request.", as: { .peer(.respond($0), request: $1) }),
        CommandDeclaration(
            "begin", Parameter.record("answer", Self.begun, "The head.").optional, Self.request,
            summary: "Sends the head of an answer whose body the peer then writes.",
            as: { .peer(.begin($0 ?? [:]), request: $1) }),
        CommandDeclaration(
            "write", Parameter.string("text", "A piece of the body."), Self.request,
            summary: "Sends a piece of the body as it is.", as: { .peer(.write($0), request: $1) }),
        CommandDeclaration(
            "write_event",
            Parameter.json(
                "event", "A text, a table with `event`, `data`, `id`, `retry` or `comment`, or another value as JSON."),
            Self.request, summary: "Sends a server-sent event.", as: { .peer(.writeEvent($0), request: $1) }),
        CommandDeclaration(
            "write_line", Parameter.json("value", "Any value that JSON can hold."), Self.request,
            summary: "Sends a value as a line of JSON.", as: { .peer(.writeLine($0), request: $1) }),
        CommandDeclaration(
            "finish", Self.request, summary: "Ends an answer that has begun.", as: { .peer(.finish, request: $0) }),
        CommandDeclaration(
            "drop", Self.request, isFault: true, summary: "Drops the connection of a request.",
            as: { .peer(.drop, request: $0) }),
    ])

    /// The events of the peer.
    static let peerEvents = [
        EventDeclaration(
            .request,
            [
                ParameterDeclaration("request", .integer, "The number of the request, counted from 1."),
                ParameterDeclaration("method", .string, "The method."),
                ParameterDeclaration("path", .string, "The path without the query."),
                ParameterDeclaration(
                    "query", .map(.json), "The parameters of the query; a list where a name comes several times."),
                ParameterDeclaration("headers", .map(.string), "The headers, names in lower case."),
                ParameterDeclaration("body", .string, optional: true, "The body as text."),
                ParameterDeclaration("size", .integer, optional: true, "The size of the body in bytes."),
                ParameterDeclaration("json", .json, optional: true, "The value of a body that is JSON."),
                ParameterDeclaration(
                    "form", .map(.json), optional: true,
                    "The fields of a body that is a form; a list where a name comes several times."),
                ParameterDeclaration("bytes", .string, optional: true, "A body that is no text, in base64."),
            ], "A request arrived."),
        EventDeclaration(
            .abandoned, [ParameterDeclaration("request", .integer, "The number of the request.")],
            "The client went away before it was wholly answered."),
    ]
}
