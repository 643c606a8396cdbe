import JSON
public import Machines

/// BoldChat (later Bold360): the visitor's client of the iOS and browser generations, and a simulated account.
public enum BoldChatSystem {
    /// The system, for a registry.
    public static let system = ChatSystem(
        name: "boldchat", title: "BoldChat",
        client: ClientDeclaration(
            name: "visitor", methods: ClientVocabulary.commands.methods, properties: ClientProperties.declarations,
            options: ClientVocabulary.options
        ) { configuration throws(ConfigurationError) in KeyedClientAdapter(try BoldChatClient(configuration)) },
        server: ServerDeclaration(
            methods: ServerVocabulary.commands.methods, properties: ServerVocabulary.properties,
            options: ServerVocabulary.options
        ) { configuration throws(ConfigurationError) in KeyedServerAdapter(try BoldChatServer(configuration)) },
        parties: [ServerVocabulary.agent],
        events: ClientVocabulary.events, noise: ClientVocabulary.noise,
        troubles: [
            EventPattern(.callRepeated), EventPattern(.postChat, ["reason": "timeout"]),
            EventPattern(.ended, ["reason": "timeout"]),
        ],
        faultPromises: [
            FaultPromise(
                "clock_jump", .nothing,
                because:
                    "an hour without a sign of life is beyond the client's limit of inactivity, after which it gives "
                    + "the stream up, and over long polling it never reports that a chat is accepted"),
            FaultPromise(
                "duplicate", .sameEnd, isSent: false, content: "text frame: addMessage",
                because: "the client knows a message by its MessageID, and may get it again after it was away"),
            FaultPromise(
                "duplicate", .sameEnd, isSent: true, content: "binary frame: sendMessage",
                because: "a message that is sent again keeps its ChatMessageID, by which the server knows it"),
            FaultPromise(
                "duplicate", .impossible,
                because: "one WebSocket carries each message once, and of the others none is sent again as it was"),
        ]
            + ["/oss/ws", "answer 101"].map { content in
                FaultPromise(
                    "delay", .nothing, content: content,
                    because:
                        "a handshake that is late leaves the client with long polling, over which it never reports that a "
                        + "chat is accepted")
            },
        data: [
            DataDeclaration(
                "Settings of a target",
                "`targets.NAME.settings` in repartee.lua: what holds for all actors of the target.",
                [
                    ParameterDeclaration(
                        "access_key", .string, optional: true,
                        "The key of the account, written `account:setting:key`, unless an actor has its own."),
                    DataDeclaration.hosts,
                ])
        ] + ScreenVocabulary.data)
}
