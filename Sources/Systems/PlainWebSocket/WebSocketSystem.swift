public import ChatCore
import JSON

/// Any WebSocket server as a chat system: frames in, frames out, close codes as events.
public enum WebSocketSystem {
    /// The party that a script plays on the side of the simulated server.
    static let party = "peer"

    private static let connectionOptions = [
        ParameterDeclaration(
            "path", .string, optional: true, "The path and query of the URL; the target's unless given."),
        ParameterDeclaration("query", .map(.string), optional: true, "Parameters to add to the query."),
        ParameterDeclaration("headers", .map(.string), optional: true, "Headers to send with the handshake."),
        ParameterDeclaration(
            "subprotocols", .list(.string), optional: true, "Sub-protocols to offer, most wanted first."),
        ParameterDeclaration(
            "counts", .boolean, optional: true,
            "Whether messages that arrive are only counted, in the properties frames and bytes, and no events, so that no load test accounts for them one by one: for servers that send much to many; false unless given."
        ),
    ]

    private static let sending = [
        MethodDeclaration("send", [ParameterDeclaration("text", .string, "The text.")], "Sends a text message."),
        MethodDeclaration(
            "send_json", [ParameterDeclaration("value", .json, "Any value that JSON can hold.")],
            "Sends a value as the JSON text of a text message."),
        MethodDeclaration(
            "send_binary", [ParameterDeclaration("base64", .string, "The bytes in base64.")], "Sends a binary message."),
    ]

    private static func closing(codes: String) -> MethodDeclaration {
        MethodDeclaration(
            "close",
            [
                ParameterDeclaration("code", .integer, optional: true, "The close code: \(codes); 1000 unless given."),
                ParameterDeclaration(
                    "reason", .string, optional: true, "The reason, at most 123 bytes; empty unless given."),
            ], "Starts the closing handshake.")
    }

    private static let drop = MethodDeclaration(
        "drop", [], isFault: true, "Drops the connection without a close frame.")

    private static let frameEvent = EventDeclaration(
        .frame,
        [
            ParameterDeclaration("type", .choice(["text", "binary"]), "The type of the message."),
            ParameterDeclaration("size", .integer, "The size in bytes."),
            ParameterDeclaration("text", .string, optional: true, "The text of a text message."),
            ParameterDeclaration("json", .json, optional: true, "The value of a text message that is JSON."),
            ParameterDeclaration("bytes", .string, optional: true, "The bytes of a binary message in base64."),
        ], "A whole message arrived.")

    private static let disconnectedEvent = EventDeclaration(
        .disconnected,
        [
            ParameterDeclaration(
                "code", .integer, "The close code; 1005 if none was given, 1006 without a close frame."),
            ParameterDeclaration("reason", .string, "The reason of the close frame."),
            ParameterDeclaration("clean", .boolean, "Whether a close frame arrived."),
        ], "The connection ended.")

    /// The system.
    public static let system = ChatSystem(
        name: "websocket",
        title: "Plain WebSocket",
        clientMethods: [
            MethodDeclaration(
                "connect",
                [
                    ParameterDeclaration(
                        "options", .record(Self.connectionOptions), optional: true, "What to change this time.")
                ],
                "Opens the connection; `connected` or `error` follows.")
        ] + Self.sending + [Self.closing(codes: "1000 or 3000 to 4999"), Self.drop],
        clientOptions: Self.connectionOptions,
        serverMethods: [],
        serverOptions: [
            ParameterDeclaration(
                "echo", .boolean, optional: true, "Whether every message is sent back; false unless given."),
            ParameterDeclaration(
                "subprotocols", .list(.string), optional: true, "Sub-protocols to accept, most wanted first."),
            ParameterDeclaration(
                "refuse", .integer, optional: true, "An HTTP status with which every handshake is refused."),
        ],
        parties: [
            PartyDeclaration(
                name: Self.party,
                summary: "The other end of the connection that was opened last.",
                methods: Self.sending + [
                    MethodDeclaration(
                        "send_bytes", [ParameterDeclaration("base64", .string, "The bytes in base64.")],
                        "Sends bytes as they are, past the framing, as a broken server would."),
                    Self.closing(codes: "any from 1000 to 4999"), Self.drop,
                ],
                events: [
                    EventDeclaration(
                        .connected,
                        [
                            ParameterDeclaration("path", .string, "The path without the query."),
                            ParameterDeclaration("query", .map(.string), "The parameters of the query."),
                            ParameterDeclaration("headers", .map(.string), "The headers, names in lower case."),
                            ParameterDeclaration(
                                "subprotocol", .string, optional: true, "The sub-protocol that was chosen."),
                        ], "A client connected."),
                    Self.frameEvent, Self.disconnectedEvent,
                ],
                // What reaches the peer was caused by the script itself; it is there to be looked at.
                noise: [EventPattern(.connected), EventPattern(.frame), EventPattern(.disconnected)],
                hearsAll: true)
        ],
        events: [
            EventDeclaration(
                .connected,
                [
                    ParameterDeclaration(
                        "subprotocol", .string, optional: true, "The sub-protocol that the server chose.")
                ],
                "The connection is open."),
            Self.frameEvent, Self.disconnectedEvent,
            EventDeclaration(
                .error,
                [
                    ParameterDeclaration("code", .string, "What failed: `cannot_connect`, `upgrade_refused`, ….", ),
                    ParameterDeclaration("message", .string, "What happened and what to do."),
                    ParameterDeclaration("status", .integer, optional: true, "The HTTP status of a refused handshake."),
                    ParameterDeclaration(
                        "body", .string, optional: true,
                        "The beginning of the body of a refused handshake, at most 16384 bytes."),
                ], "The connection could not be opened."),
        ],
        noise: [EventPattern(.connected), EventPattern(.disconnected, ["code": 1000])],
        makeClient: { configuration throws(ConfigurationError) in try WebSocketClient(configuration) },
        makeServer: { configuration throws(ConfigurationError) in try WebSocketServer(configuration) }
    )
}
