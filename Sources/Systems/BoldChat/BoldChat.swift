public import Machines

extension ChatSystem {
    /// BoldChat (later Bold360): the visitor's client of the iOS and browser generations, and a simulated account.
    public static let boldChat = ChatSystem(
        name: "boldchat", title: "BoldChat",
        clientName: "visitor", clientMethods: ClientVocabulary.methods, clientOptions: ClientVocabulary.options,
        serverMethods: ServerVocabulary.methods, serverOptions: ServerVocabulary.options,
        parties: [ServerVocabulary.agent],
        events: ClientVocabulary.events, noise: ClientVocabulary.noise,
        makeClient: { configuration throws(ConfigurationError) in try BoldChatClient(configuration) },
        makeServer: { configuration throws(ConfigurationError) in
            KeyedServerAdapter(try BoldChatServer(configuration))
        })
}
