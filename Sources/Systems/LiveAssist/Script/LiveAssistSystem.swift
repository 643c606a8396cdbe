import JSON
public import Machines

/// CBA Live Assist co-browsing: a consumer with a synthetic screen, a headless agent, and the assist server between.
public enum LiveAssistSystem {
    /// The system.
    public static let system = ChatSystem(
        name: "liveassist",
        title: "Live Assist",
        clientMethods: ConsumerVocabulary.ownMethods + AgentVocabulary.methods,
        clientProperties: ClientPropertyVocabulary.properties,
        clientOptions: ClientOptionVocabulary.options,
        serverMethods: AssistServerVocabulary.commands.methods,
        serverProperties: AssistServerVocabulary.properties,
        serverOptions: AssistServerVocabulary.options,
        events: EventVocabulary.events,
        noise: EventVocabulary.noise,
        absences: EventVocabulary.absences,
        troubles: [EventPattern(.documentError)],
        faultPromises: [
            FaultPromise(
                "duplicate", .impossible,
                because: "messages of a topic have no number; its WebSocket carries each once and in order")
        ],
        makeClient: { configuration throws(ConfigurationError) in
            // Both sides speak the same protocol, so a scenario plays them with two actors of one system.
            let role = configuration.options["role"] ?? configuration.target["role"]
            if role?.string == "agent" { return KeyedClientAdapter(try AgentClient(configuration)) }
            return KeyedClientAdapter(try ConsumerClient(configuration))
        },
        makeServer: { configuration throws(ConfigurationError) in
            KeyedServerAdapter(try AssistServer(configuration))
        }
    )
}
