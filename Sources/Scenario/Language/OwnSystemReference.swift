import Machines

/// What the commands and handlers of a chat system written in Lua find.
enum OwnSystemReference {
    private typealias Parameter = ParameterDeclaration

    /// A table that the functions of a system in Lua get, for the reference.
    struct OwnTable {
        /// How the reference calls it, such as `me`.
        let name: String
        let summary: String
        let fields: [ParameterDeclaration]
        let methods: [MethodDeclaration]
    }

    private static let openOptions: [ParameterDeclaration] =
        [
            Parameter("url", .string, optional: true, "A whole URL, or a path; the target's own place unless given."),
            Parameter(
                "path", .string, optional: true,
                "A path there: from the root (`/chat`), or below that of the URL (`chat`)."),
            Parameter(
                "query", .map(.json), optional: true,
                "Parameters of the query, each with a value or a list of values."),
            Parameter(
                "headers", ScriptHeaders.type, optional: true, "Headers, each with a value or a list of values."),
        ] + RequestAuthorization.options

    /// The options of `me:open`.
    static let linkOptions =
        Self.openOptions + [
            Parameter("subprotocols", .list(.string), optional: true, "Sub-protocols to offer."),
            Parameter(
                "compression", .boolean, optional: true,
                "Whether the compression of messages is offered (permessage-deflate); true unless given."),
            Parameter(
                "timeout", .duration, optional: true,
                "How long the link may take to open, 0 for as long as it takes; 30s unless given."),
            LinkFrames.option,
        ]

    /// The options of `me:request`.
    static let requestOptions =
        Self.openOptions + [
            Parameter("method", .string, optional: true, "GET, or POST where there is a body, unless given."),
            Parameter("json", .json, optional: true, "The body as JSON."),
            Parameter(
                "form", .map(.json), optional: true, "The body as a form, each name with a value or a list of values."),
            Parameter("body", .string, optional: true, "The body as text."),
            Parameter("base64", .string, optional: true, "The body as bytes in base64."),
            Parameter("timeout", .duration, optional: true, "How long the answer may take; 120s unless given."),
            Parameter(
                "stream", .boolean, optional: true,
                "Whether to return as soon as the answer begins; its body is `read` in pieces then."),
        ] + [MultipartForm.option, RequestName.option, RequestAuthorization.grantOption] + RequestHandling.options

    /// The options of `desk:request`.
    static let serverRequestOptions =
        [Parameter("url", .string, "The whole URL, such as that of a webhook.")]
        + Self.requestOptions.filter { $0.name != "url" }

    /// How long a body that comes in pieces may be silent.
    private static let silence = Parameter(
        "within", .duration, optional: true,
        "How long nothing may come, such as \"30s\"; then it is as if the body had broken off, with the code `timeout`, but it may be read further. Any time unless given."
    )

    /// What a reconnection goes by, of an answer that comes in pieces.
    private static let reconnectionFields = [
        Parameter(
            "last_event_id", .string, optional: true,
            "Of a body that is read by events: what a reconnection names as `Last-Event-ID`, the identifier of the last event that was read or, behind it, of a block without data. Nil if there is none, or an empty one took it back."
        ),
        Parameter(
            "retry", .number, optional: true,
            "Of a body that is read by events: the waiting time before a reconnection in seconds, as the stream has set it last, also without an event."
        ),
    ]

    /// The members of an answer that the handlers `request` and `upgrade` of a simulated server return.
    static let answerMembers =
        Self.headMembers + [
            Parameter("json", .json, optional: true, "The body as JSON."),
            Parameter("body", .string, optional: true, "The body as text."),
            Parameter("base64", .string, optional: true, "The body as bytes in base64."),
        ]

    /// What the head of an answer may have, whose body comes in pieces.
    static let headMembers = [
        Parameter("status", .integer, optional: true, "The status, from 200 to 599; 200 unless given."),
        Parameter(
            "headers", ScriptHeaders.type, optional: true, "Header fields, each with a value or a list of values."),
    ]

    /// The members of a field of a form with files.
    private static let partMembers = [
        Parameter("name", .string, "The name of the field."),
        Parameter("filename", .string, optional: true, "The name of the file, if it is one."),
        Parameter("type", .string, optional: true, "Its MIME type, if that was sent."),
        Parameter("body", .string, optional: true, "Its content, if that is a text."),
        Parameter("bytes", .string, "Its content, whatever it is."),
        Parameter("json", .json, optional: true, "Its content, if that is JSON."),
    ]

    private static let sending = [
        MethodDeclaration(
            "send", [Parameter("text", .string, "The text.")], returns: .boolean,
            "Sends a text message; returns false if the connection has ended, which is also an event `error` of a client without the handler `closed`."
        ),
        MethodDeclaration(
            "send_json", [Parameter("value", .json, "The value.")], returns: .boolean,
            "Sends a value as JSON, with the separator of the system's `json` behind it, if that has one."),
        MethodDeclaration(
            "send_bytes", [Parameter("bytes", .string, "The bytes.")], returns: .boolean, "Sends a binary message."),
        MethodDeclaration(
            "close",
            [
                Parameter("code", .integer, optional: true, "The status code, \(CloseCode.range); 1000 unless given."),
                Parameter("reason", .string, optional: true, "The reason, at most \(CloseReason.limit) bytes."),
            ], returns: .boolean,
            "Begins the closing handshake, or ends the own direction of a link over TCP, which has no code and no reason."
        ),
        MethodDeclaration("drop", [], returns: .boolean, "Ends the connection without a close frame."),
    ]

    private static let emission = [
        Parameter("kind", .string, "An event that the system declares."),
        Parameter("fields", .json, optional: true, "Its fields, as declared."),
        Parameter("raw", .json, optional: true, "The wire form that it was made from."),
    ]

    private static let failing = MethodDeclaration(
        "fail", [Parameter("text", .string, "Why, in words.")],
        "Ends the command or the scenario as a failure: the other side has not done what is needed. In a handler nothing "
            + "catches it. `error` is for mistakes of the scenario."
    )

    /// What changes a link in its middle.
    private static let startTLS = MethodDeclaration(
        "start_tls", [], returns: .boolean,
        "Encrypts a link over TCP from here on, as both sides have agreed (STARTTLS), in the handler of the message that says so; what is sent next waits for it, and false means that the link has ended, or ends now. More that came in the open behind that message is a breach of the protocol. A simulated server can do it in virtual time, where nothing is really encrypted."
    )

    private static let timers = [
        MethodDeclaration(
            "after",
            [
                Parameter("name", .string, "The timer, which is set anew if it runs."),
                Parameter("delay", .duration, "After how long the handler `timer` is called with its name."),
            ], "Sets a timer."),
        MethodDeclaration("cancel", [Parameter("name", .string, "The timer.")], "Forgets a timer."),
    ]

    /// The tables, in the order in which the reference shows them.
    static let tables: [OwnTable] = [
        OwnTable(
            name: "me",
            summary: "A client: what commands and the handlers of `on` get first. It keeps what they put there.",
            fields: [
                Parameter("options", .json, "The options of `t:actor`."),
                Parameter(
                    "origin", .string, optional: true,
                    "What a browser calls the site it talks to, such as `https://chat.example.com`, for the header `Origin`; nil of a link over TCP."
                ),
            ],
            methods: [
                MethodDeclaration(
                    "open", [Parameter("options", .record(Self.linkOptions), optional: true, "Where to.")],
                    returns: .json,
                    "Opens a WebSocket, or with `frames` or to `tcp://host:port` a link over TCP, and returns it at once; `on.open` or `on.failed` follows."
                ),
                MethodDeclaration(
                    "request", [Parameter("options", .record(Self.requestOptions), "What to ask.")], returns: .json,
                    "Sends an HTTP request and waits: `ok`, `status`, `headers`, `body` if it is a text, `bytes` whatever it is, `json`, or `failure` if no answer came. That is nil of a refusal: look at `ok` or `status`."
                ),
                MethodDeclaration(
                    "cookies", [], returns: .list(.json),
                    "The cookies that the client keeps: `name`, `value`, `domain`, `path`, `secure`, `http_only`, `same_site`, `expires_in`."
                ),
                MethodDeclaration("emit", Self.emission, "Tells the scenario what the client observes."),
                MethodDeclaration(
                    "receive",
                    [Parameter("message", .json, "The text of the message, or what it is as a table.")],
                    returns: .boolean,
                    "Takes a message of the system's `json` that came in an answer over HTTP, in an event of a stream or in bytes that a handler reads: it is checked and handed on as one on a link is. What is none of them is an event `error`, and false is returned."
                ),
                Self.failing,
                MethodDeclaration(
                    "wait",
                    [
                        Parameter(
                            "name", .string,
                            "What to wait for; `\"open\"` is woken by the engine, with the link, or nil and why it failed."
                        ),
                        Parameter("within", .duration, optional: true, "The time limit; 10s unless given."),
                    ], returns: .json,
                    "Waits until `wake` is called with the name; returns what that was given. If nothing does in time, or can do any more, it fails the scenario and does not return."
                ),
                MethodDeclaration(
                    "wake",
                    [
                        Parameter("name", .string, "The name."),
                        Parameter("value", .json, optional: true, "What `wait` returns; any number of values."),
                    ], returns: .integer, "Lets those go on who wait now; returns how many."),
            ] + Self.timers),
        OwnTable(
            name: "link", summary: "A WebSocket of a client, or a link over TCP.",
            fields: [
                Parameter("number", .integer, "Counted from one."),
                Parameter("subprotocol", .string, optional: true, "What the server chose, once it is open."),
            ],
            methods: Self.sending + [
                Self.startTLS,
                MethodDeclaration(
                    "abandon", [], returns: .boolean,
                    "Closes it unless that has begun, and lets no handler hear of it any more: what it still says is not that of a link opened next."
                ),
            ]),
        OwnTable(
            name: "answer",
            summary: "What `me:request` and `desk:request` with `stream` return, once the answer has begun.",
            fields: [
                Parameter("ok", .boolean, "Whether the status is one of success."),
                Parameter("status", .integer, optional: true, "The status."),
                Parameter("headers", .json, optional: true, "The headers, by names in lower case."),
                Parameter("failure", .json, optional: true, "Why there is no answer: `code` and `message`."),
            ] + Self.reconnectionFields,
            methods: [
                MethodDeclaration(
                    "read",
                    [
                        Parameter(
                            "unit", .choice(["piece", "line", "event"]), optional: true,
                            "What to take; a piece unless given. Of one body it is always the same."),
                        Self.silence,
                    ], returns: .json,
                    "Waits for the next piece of the body, a text; for its next line, without the end of the line; or for its next server-sent event. Nil at the end, with `code` and `message` as a second value if the body broke off, also in the middle of an event. A loop over a function that returns `answer:read()` is told of that as one over `pieces`."
                ),
                MethodDeclaration(
                    "pieces", [Self.silence], returns: .json,
                    "Goes through the pieces of the body: `for piece in answer:pieces() do … end`. One that breaks off is an event `error` of a client, and a failure in a server."
                ),
                MethodDeclaration(
                    "lines", [Self.silence], returns: .json, "Goes through the lines of the body as `pieces` does."),
                MethodDeclaration(
                    "events", [Self.silence], returns: .json,
                    "Goes through the server-sent events of the body as `pieces` does. An answer of another type is a failure; one without a type, or of `text/plain`, is taken for a stream of events: look at `answer.headers` where its type counts."
                ),
                MethodDeclaration(
                    "close", [],
                    "Ends an answer that has not come to its end: the rest is dropped, and the server sees its connection end."
                ),
            ]),
        OwnTable(
            name: "event",
            summary: "A server-sent event of an answer that is `read` by them (HTML standard, section 9.2).",
            fields: [
                Parameter("event", .string, "The name; `message` unless the stream names another."),
                Parameter("data", .string, "Its lines of data."),
                Parameter("json", .json, optional: true, "The value of data that is JSON; a mistake where it is none."),
                Parameter("id", .string, optional: true, "The last identifier of the stream."),
                Parameter(
                    "retry", .number, optional: true,
                    "The waiting time before a reconnection in seconds, where the stream has set it since the event before."
                ),
            ],
            methods: []),
        OwnTable(
            name: "desk",
            summary:
                "A simulated server: what the handlers and commands of `server` get first. It keeps what they put there.",
            fields: [
                Parameter("options", .json, "The options of `t:server`."),
                Parameter("clients", .list(.json), "The connections that are open."),
                Parameter("parties", .map(.json), "Those who play on its side, by name."),
            ],
            methods: [
                MethodDeclaration(
                    "request", [Parameter("options", .record(Self.serverRequestOptions), "What to ask.")],
                    returns: .json,
                    "Sends an HTTP request of the server's own, such as to a webhook, and waits as `me:request` does."),
                MethodDeclaration(
                    "emit", [Parameter("party", .string, "The party's name.")] + Self.emission,
                    "Tells the scenario what a party observes."),
                MethodDeclaration(
                    "wait",
                    [
                        Parameter("name", .string, "What to wait for."),
                        Parameter("within", .duration, optional: true, "The time limit; none unless given."),
                    ], returns: .boolean,
                    "Waits, as in a request that is held until there is something to say; false if the time limit passed."
                ),
                MethodDeclaration(
                    "wake", [Parameter("name", .string, "The name.")], returns: .integer,
                    "Lets the handlers go on that wait now; returns how many."),
            ] + Self.timers),
        OwnTable(
            name: "client", summary: "A connection of a simulated server.",
            fields: [
                Parameter("number", .integer, "Counted from one."),
                Parameter("request", .json, optional: true, "What asked for it; nil for a link over TCP."),
                Parameter(
                    "is_closing", .boolean, optional: true,
                    "True once a handler has called `close` or `drop` on it, or what it sent was no message of `json`."
                ),
            ], methods: Self.sending + [Self.startTLS]),
        OwnTable(
            name: "request", summary: "A request to a simulated server: what the handler `request` gets second.",
            fields: [
                Parameter("method", .string, "The method."), Parameter("path", .string, "The path, decoded."),
                Parameter(
                    "query", .json, "The parameters of the query; a list where a name comes several times."),
                Parameter("headers", .json, "The headers, by names in lower case."),
                Parameter("body", .string, optional: true, "The body, if it is a text."),
                Parameter("bytes", .string, optional: true, "The body, whatever it is."),
                Parameter("json", .json, optional: true, "The body, if it is JSON."),
                Parameter(
                    "form", .json, optional: true,
                    "The body by names, if it is a form; a list where a name comes several times."),
                Parameter(
                    "parts", .list(.record(Self.partMembers)), optional: true,
                    "The fields of a form with files (`multipart`) in their order, if the body is one, whole and of at most \(MultipartForm.partLimit) fields."
                ),
            ],
            methods: [
                MethodDeclaration(
                    "begin",
                    [Parameter("head", .json, optional: true, "`status` and `headers`; 200 and none unless given.")],
                    returns: .boolean,
                    "Begins an answer whose body comes in pieces until the handler returns; false if nobody waits for it."
                ),
                MethodDeclaration(
                    "write", [Parameter("text", .string, "The piece.")], returns: .boolean,
                    "Sends a piece of the body; false if nobody reads it any more."),
                MethodDeclaration(
                    "drop", [], returns: .boolean,
                    "Ends the connection without an answer, or in the middle of one; false if nobody waits for it any more."
                ),
            ]),
        OwnTable(
            name: "party",
            summary: "Somebody who plays on the server's side: what the commands of `parties` get first.",
            fields: [
                Parameter("name", .string, "The name."), Parameter("kind", .string, "The kind of party."),
                Parameter("desk", .json, "The server."),
            ],
            methods: [
                MethodDeclaration("emit", Self.emission, "Tells the scenario what the party observes."), Self.failing,
            ]),
    ]

    /// How scripts write the members that only answers in pieces have, such as `answer:read`, by their names.
    static let streamMembers: [String: String] = {
        let methods = Self.tables.filter { $0.name == "answer" }.flatMap { $0.methods.map(\.name) }
        let written =
            methods.map { ($0, "answer:\($0)") } + Self.reconnectionFields.map { ($0.name, "answer.\($0.name)") }
        return Dictionary(uniqueKeysWithValues: written)
    }()

    /// The members that the engine gives to what a handler gets, by what it is called; empty for anything else.
    static func members(of kind: String) -> [String] {
        switch kind {
        case "closure": ["code", "reason", "clean"]
        case "failure": ["code", "message", "status", "body"]
        case "part": Self.partMembers.map(\.name) + ["base64"]
        case "streamed answer":
            Self.tables.filter { $0.name == "answer" }.flatMap { $0.fields.map(\.name) + $0.methods.map(\.name) }
        case "answer", "event", "request":
            Self.tables.filter { $0.name == kind }.flatMap { $0.fields.map(\.name) + $0.methods.map(\.name) }
                + (kind == "event" ? [] : ["body", "bytes", "base64", "json"])
        default: []
        }
    }
}
