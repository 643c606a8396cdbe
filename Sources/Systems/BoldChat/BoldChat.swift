public import Machines

extension ChatSystem {
    /// BoldChat (later Bold360): the visitor's client of the iOS and browser generations, and a simulated account.
    public static let boldChat = ChatSystem(
        name: "boldchat", title: "BoldChat",
        clientName: "visitor", clientMethods: ClientVocabulary.commands.methods,
        clientOptions: ClientVocabulary.options,
        serverMethods: ServerVocabulary.commands.methods, serverOptions: ServerVocabulary.options,
        parties: [ServerVocabulary.agent],
        events: ClientVocabulary.events, noise: ClientVocabulary.noise,
        troubles: [EventPattern(.callRepeated)],
        faultPromises: [
            FaultPromise(
                "clock_jump", .nothing,
                because:
                    "an hour without a sign of life is beyond the client's limit of inactivity, after which it gives "
                    + "the stream up, and over long polling it never reports that a chat is accepted"),
            FaultPromise(
                "delay", .nothing, content: "/oss/ws",
                because:
                    "a handshake that is late leaves the client with long polling, over which it never reports that a "
                    + "chat is accepted"),
        ],
        makeClient: { configuration throws(ConfigurationError) in
            KeyedClientAdapter(try BoldChatClient(configuration))
        },
        makeServer: { configuration throws(ConfigurationError) in
            KeyedServerAdapter(try BoldChatServer(configuration))
        })
}
