import JSON
public import Machines

/// Oracle Digital Assistant: the client of its SDK channels, a simulated chat server and the words for scripts.
public enum OracleAssistantSystem {
    /// The party that a script plays on the side of the simulated server.
    static let party = "agent"

    /// The system.
    public static let system = ChatSystem(
        name: "oracle",
        title: "Oracle Digital Assistant",
        client: ClientDeclaration(
            name: "user", methods: ClientVocabulary.commands.methods, properties: ClientVocabulary.properties,
            options: ClientVocabulary.options
        ) { configuration throws(ConfigurationError) in KeyedClientAdapter(try OracleClient(configuration)) },
        server: ServerDeclaration(
            methods: ServerVocabulary.commands.methods, properties: ServerVocabulary.properties,
            options: ServerVocabulary.options
        ) { configuration throws(ConfigurationError) in KeyedServerAdapter(try OracleServer(configuration)) },
        parties: [ServerVocabulary.agent],
        events: ClientEventVocabulary.events,
        noise: ClientEventVocabulary.noise,
        troubles: [EventPattern(.linkChanged, ["status": "closed"]), EventPattern(.pollLost)],
        faultPromises: [
            FaultPromise(
                "malformed_json", .nothing, isSent: false,
                because: "a frame that is not JSON is left out, and the event `frame` says so"),
            FaultPromise(
                "clock_jump", .nothing,
                because:
                    "after fifty minutes the client opens its connection anew, and what the server says meanwhile is lost: "
                    + "the channel keeps no messages for a client that is away"),
            FaultPromise(
                "half_close", .nothing, isSent: false, content: "answer 200",
                because:
                    "a poll without an answer on a connection that had served before is made again (RFC 9110 section "
                    + "9.2.2), and nobody keeps what the first one would have brought"),
            FaultPromise(
                "duplicate", .sameEnd, isSent: false,
                because: "the client shows a message once that comes twice with one msgId (web client 25.02)"),
            FaultPromise(
                "duplicate", .impossible, isSent: true,
                because: "the client sends nothing again, and one WebSocket carries each message once"),
        ],
        data: PayloadVocabulary.data)
}
