import JSON
public import Machines

/// Any HTTP server as a chat system: requests out; whole answers, streams of server-sent events and of JSON lines in.
public enum PlainHTTPSystem {
    /// The party that a script plays on the side of the simulated server.
    static let party = "peer"

    /// The system.
    public static let system = ChatSystem(
        name: "http",
        title: "Plain HTTP",
        client: ClientDeclaration(
            name: "visitor", methods: ClientVocabulary.commands.methods, properties: ClientVocabulary.properties,
            options: ClientVocabulary.options + [LedgerOptions.ofRequests]
        ) { configuration throws(ConfigurationError) in KeyedClientAdapter(try PlainHTTPClient(configuration)) },
        server: ServerDeclaration(
            methods: ServerVocabulary.commands.methods, properties: ServerVocabulary.properties,
            options: ServerVocabulary.options + [StrictOption.parameter(of: "requests"), LedgerOptions.ofMessages]
        ) { configuration throws(ConfigurationError) in KeyedServerAdapter(try PlainHTTPServer(configuration)) },
        parties: [
            PartyDeclaration(
                name: Self.party,
                summary: "Whoever answers the requests that no prepared answer fits, the oldest first.",
                methods: ServerVocabulary.peerCommands.methods,
                events: ServerVocabulary.peerEvents,
                // What reaches the peer was caused by the script itself, unless somebody else is tested.
                noise: [EventPattern(.request), EventPattern(.abandoned)], strictKinds: [.request], hearsAll: true)
        ],
        events: ClientVocabulary.events,
        // A script has asked for its answers itself; it must expect the messages in them, and what went wrong.
        noise: [
            EventPattern(.response, ["ok": true]), EventPattern(.streamStarted), EventPattern(.token),
            EventPattern(.chunk), EventPattern(.streamEnded),
        ],
        absences: [
            .connected: "plain HTTP has no session that could be opened",
            .disconnected: "plain HTTP has no session that could end",
            .typing: "plain HTTP has no typing indicators",
        ],
        faultPromises: [
            FaultPromise(
                "half_close", .nothing, isSent: false,
                because: "a body that its connection ends cannot be told from one that ends early (RFC 9112 section 8)"),
            FaultPromise(
                "duplicate", .impossible,
                because: "an answer comes once over its connection, and an event of a stream only after the one before"),
            FaultPromise("clock_jump", .nothing, because: "answers are timed by the client's clock"),
        ]
    )
}
