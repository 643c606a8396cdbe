import JSON
import Machines

/// What scripts can do with a client, and what it observes.
enum ClientVocabulary {
    private static let url = Parameter.string(
        "url",
        "A URL, a path from the root (`/chat`) or one below the actor's (`chat`); the actor's unless given."
    ).optional

    private static let body = Parameter.optionalJSON(
        "body", "A text is sent as it is, anything else as JSON; no body unless given.")

    private static let number = ParameterDeclaration("request", .integer, "The number of the request, counted from 1.")
    private static let time = ParameterDeclaration("time", .number, "Seconds since the request was sent.")
    private static let headers = ParameterDeclaration("headers", .map(.string), "The headers, names in lower case.")

    /// The options that every request can have for itself.
    private static let common =
        [
            ParameterDeclaration(
                "headers", ScriptHeaders.type, optional: true,
                "Headers to send, each with a value or a list of values."),
            ParameterDeclaration(
                "query", .map(.json), optional: true,
                "Parameters to add to the query, each with a value or a list of values."),
            ParameterDeclaration(
                "timeout", .duration, optional: true,
                "How long an answer may take until it is whole, a stream until its head is there; 60s unless given."),
            ParameterDeclaration(
                "silence", .duration, optional: true, "How long a stream may be silent; 30s unless given."),
            ParameterDeclaration(
                "body_limit", .integer, optional: true,
                "The most bytes of a body, of a piece of a stream and of its text; 4194304 unless given."),
            ParameterDeclaration(
                "stream", .choice(["auto", "sse", "ndjson", "none"]), optional: true,
                "Whether answers are streams; `auto`, unless given, believes their content type."),
            ParameterDeclaration(
                "mode", .choice(StreamMode.allCases.map(\.rawValue)), optional: true,
                "Whether a piece of a stream adds to the text (`deltas`, as OpenAI does), has all of it so far (`cumulative`, as Gradio does) or is a message of its own (`messages`, as Rasa does); `deltas` for server-sent events and `messages` for JSON lines unless given."
            ),
            ParameterDeclaration(
                "piece", .string, optional: true,
                "The JSON path of the text in a piece of a stream, `$` for the data itself; unless given `$.choices[0].delta.content` for deltas, `$[0]` for cumulative ones, `$.text` for messages."
            ),
            ParameterDeclaration(
                "done", .string, optional: true,
                "The data that ends a stream; `[DONE]` for deltas in server-sent events unless given, none if empty."),
            ParameterDeclaration(
                "done_event", .string, optional: true,
                "The server-sent event that ends a stream; `complete` for cumulative ones unless given, none if empty."),
            ParameterDeclaration(
                "messages", .string, optional: true,
                "The JSON path of the messages in a whole answer; unless given the elements of an array, else the answer itself, as far as they have a text."
            ),
            ParameterDeclaration(
                "text", .string, optional: true,
                "The JSON path of the text in a message of a whole answer; `$.text` unless given."),
        ] + RequestAuthorization.options + [RequestAuthorization.grantOption] + RequestHandling.options

    /// The options of an actor.
    static let options =
        [
            ParameterDeclaration(
                "url", .string, optional: true,
                "The URL or path that requests go to; the target's unless given. Other hosts than the target's and this machine must stand in its settings: `settings = { hosts = { … } }`."
            )
        ] + Self.common

    private static let own = Parameter.record(
        "options",
        Self.common + [
            ParameterDeclaration(
                "form", .map(.json), optional: true,
                "The fields of a form, each with a value or a list of values, which is sent instead of a body."),
            MultipartForm.option, RequestName.option,
        ], "What is different for this request."
    ).optional

    private static let answers = "Returns the number of the request; the answer comes as events."

    /// The methods.
    static let commands = CommandSet<ClientCommand>([
        CommandDeclaration(
            "send", Self.body, Self.own, returns: .integer, summary: "Posts to the actor's own URL. \(Self.answers)",
            as: { .ask(method: "POST", url: nil, body: $0, options: $1) }),
        CommandDeclaration(
            "post", Self.url, Self.body, Self.own, returns: .integer, summary: "Posts to a URL. \(Self.answers)",
            as: { .ask(method: "POST", url: $0, body: $1, options: $2) }),
        CommandDeclaration(
            "get", Self.url, Self.own, returns: .integer, summary: "Asks for a URL. \(Self.answers)",
            as: { .ask(method: "GET", url: $0, body: nil, options: $1) }),
        CommandDeclaration(
            "request", Parameter.string("method", "The method, such as `PUT`."), Self.url, Self.body, Self.own,
            returns: .integer, summary: "Sends any request. \(Self.answers)",
            as: { .ask(method: $0, url: $1, body: $2, options: $3) }),
        CommandDeclaration(
            "configure", Parameter.record("options", Self.options, "What is different from now on."),
            summary: "Changes options of the actor, such as the token that it has just been given.",
            as: { .configure($0) }),
        CommandDeclaration(
            "cancel", Parameter.integer("request", "The number of a request; all unless given.").optional,
            summary: "Drops requests under way; streams end as they are.", as: { .cancel(request: $0) }),
    ])

    /// What scripts can read.
    static let properties = [
        PropertyDeclaration("requests", .integer, "How many requests were sent."),
        PropertyDeclaration("pending", .integer, "How many of them are under way."),
        PropertyDeclaration(
            "cookies",
            .list(
                .record([
                    ParameterDeclaration("name", .string, "Its name."),
                    ParameterDeclaration("value", .string, "Its value."),
                    ParameterDeclaration("domain", .string, "The host, or the domain of hosts, that it is sent to."),
                    ParameterDeclaration("path", .string, "The path below which it is sent."),
                    ParameterDeclaration("secure", .boolean, "Whether it is sent over https alone."),
                    ParameterDeclaration("http_only", .boolean, "Whether it is hidden from the scripts of a page."),
                    ParameterDeclaration("same_site", .string, optional: true, "`Strict`, `Lax` or `None`, if set."),
                    ParameterDeclaration(
                        "expires_in", .number, optional: true, "Seconds until it expires, if it does."),
                ])), "The cookies that it keeps."),
    ]

    private static let whole = [
        Self.number, Self.time, ParameterDeclaration("status", .integer, "The HTTP status."), Self.headers,
        ParameterDeclaration("body", .string, "The body as text."),
        ParameterDeclaration("size", .integer, "The size of the body in bytes."),
        ParameterDeclaration("json", .json, optional: true, "The value of a body that is JSON."),
        ParameterDeclaration("bytes", .string, optional: true, "A body that is no text, in base64."),
    ]

    private static let piece = [
        Self.number, Self.time, ParameterDeclaration("number", .integer, "The place of the piece in its stream."),
        ParameterDeclaration("data", .string, "The data of a server-sent event, or the line."),
        ParameterDeclaration("json", .json, optional: true, "The value of data that is JSON."),
        ParameterDeclaration("event", .string, optional: true, "The name of a server-sent event."),
        ParameterDeclaration("id", .string, optional: true, "The last identifier of the stream."),
        ParameterDeclaration(
            "retry", .number, optional: true, "The waiting time before a reconnection in seconds, where it is set."),
    ]

    /// The events.
    static let events = [
        EventDeclaration(
            .message,
            [
                ParameterDeclaration("from", .string, "Always `bot`."),
                ParameterDeclaration("text", .string, optional: true, "The text."),
                ParameterDeclaration("json", .json, optional: true, "The value that the text stands in."),
                ParameterDeclaration(
                    "finish_reason", .string, optional: true,
                    "Why a stream of OpenAI's API says that it ended, such as `stop` or `content_filter`."),
                Self.number,
            ], "A message of the server is complete: one in a whole answer, or the text of a stream."),
        EventDeclaration(
            .response, Self.whole + [ParameterDeclaration("ok", .boolean, "Whether the status is from 200 to 299.")],
            "A whole answer arrived."),
        EventDeclaration(
            .rateLimited,
            Self.whole + [
                ParameterDeclaration(
                    "retry_after", .number, optional: true, "After how many seconds the server says to try again."),
                ParameterDeclaration(
                    "retry_after_text", .string, optional: true,
                    "The header Retry-After where it is neither a number of seconds nor a date."),
            ], "The server refused for now: status 429, or 503 with Retry-After."),
        EventDeclaration(
            .streamStarted,
            [Self.number, Self.time, ParameterDeclaration("status", .integer, "The HTTP status."), Self.headers],
            "The head of a streamed answer arrived."),
        EventDeclaration(
            .token,
            Self.piece + [
                ParameterDeclaration("text", .string, "The text that the piece adds to the answer."),
                ParameterDeclaration(
                    "replaces", .boolean, optional: true, "Whether the text replaces what came before instead."),
                ParameterDeclaration(
                    "gap", .number, optional: true, "Seconds since the piece with text before; not at the first one."),
            ], "A piece of a stream arrived that has text."),
        EventDeclaration(.chunk, Self.piece, "A piece of a stream arrived that adds no text."),
        EventDeclaration(
            .streamEnded,
            [
                Self.number,
                ParameterDeclaration("complete", .boolean, "Whether it ended as it should; an error follows if not."),
                ParameterDeclaration("text", .string, "The joined text."),
                ParameterDeclaration("pieces", .integer, "How many pieces came."),
                ParameterDeclaration(
                    "time_to_first", .number, optional: true, "Seconds from the request to the first text."),
                ParameterDeclaration(
                    "time_to_last", .number, optional: true, "Seconds from the request to the last text."),
                ParameterDeclaration(
                    "gaps",
                    .record([
                        ParameterDeclaration("count", .integer, "How many there are."),
                        ParameterDeclaration("largest", .number, "The largest in seconds."),
                        ParameterDeclaration("mean", .number, "The mean in seconds."),
                    ]), optional: true, "The times between pieces with text."),
                ParameterDeclaration(
                    "last_event_id", .string, optional: true,
                    "What a reconnection names as `Last-Event-ID`, which the server may also set without an event."),
                ParameterDeclaration(
                    "retry", .number, optional: true,
                    "The waiting time before a reconnection in seconds, as the stream has set it last."),
            ], "A streamed answer ended."),
        EventDeclaration(
            .error,
            [
                ParameterDeclaration(
                    "code", .string,
                    "What failed: `cannot_connect`, `tls_failed`, `connection_lost`, `malformed`, `timed_out`, `redirect_refused`, `host_refused`, `authorization_failed`, `too_large`, `invalid_json`, `invalid_stream`, `incomplete` or `stream_error`."
                ),
                ParameterDeclaration("message", .string, "What happened and what to do."), Self.number,
                ParameterDeclaration("status", .integer, optional: true, "The HTTP status, where one arrived."),
            ], "An answer did not arrive, not in full or not as it says."),
    ]
}
