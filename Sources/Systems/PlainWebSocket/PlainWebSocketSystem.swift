import JSON
public import Machines

/// Any WebSocket server as a chat system: frames in, frames out, close codes as events.
public enum PlainWebSocketSystem {
    /// The party that a script plays on the side of the simulated server.
    static let party = "peer"

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
        client: ClientDeclaration(
            methods: ClientCommand.commands.methods, properties: PlainWebSocketClient.declaredProperties,
            options: ConnectOptions.parameters + [LedgerOptions.ofMessages]
        ) { configuration throws(ConfigurationError) in KeyedClientAdapter(try PlainWebSocketClient(configuration)) },
        server: ServerDeclaration(
            properties: PlainWebSocketServer.declaredProperties,
            options: [
                ParameterDeclaration(
                    "echo", .boolean, optional: true, "Whether every message is sent back; false unless given."),
                ParameterDeclaration(
                    "subprotocols", .list(.string), optional: true, "Sub-protocols to accept, most wanted first."),
                ParameterDeclaration(
                    "compression", .boolean, optional: true,
                    "Whether messages are compressed where the client offers it (permessage-deflate, RFC 7692); true unless given."
                ),
                ParameterDeclaration(
                    "refuse", .integer, optional: true, "An HTTP status with which every handshake is refused."),
                StrictOption.parameter(of: "frames"), LedgerOptions.ofMessages,
            ]
        ) { configuration throws(ConfigurationError) in KeyedServerAdapter(try PlainWebSocketServer(configuration)) },
        parties: [
            PartyDeclaration(
                name: Self.party,
                summary: "The other end of the connection that was opened last.",
                methods: PeerCommand.commands.methods,
                events: [
                    EventDeclaration(
                        .connected,
                        [
                            ParameterDeclaration("path", .string, "The path without the query."),
                            ParameterDeclaration(
                                "query", .map(.json),
                                "The parameters of the query; a list where a name comes several times."),
                            ParameterDeclaration("headers", .map(.string), "The headers, names in lower case."),
                            ParameterDeclaration(
                                "subprotocol", .string, optional: true, "The sub-protocol that was chosen."),
                        ], "A client connected."),
                    Self.frameEvent, Self.disconnectedEvent,
                ],
                // What reaches the peer was caused by the script itself, unless somebody else is tested.
                noise: [EventPattern(.connected), EventPattern(.frame), EventPattern(.disconnected)],
                strictKinds: [.frame], hearsAll: true)
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
        faultPromises: ["duplicate", "reorder"].map { fault in
            FaultPromise(
                fault, .impossible, because: "a WebSocket carries each message once and in order (RFC 6455, RFC 9293)")
        }
    )
}
