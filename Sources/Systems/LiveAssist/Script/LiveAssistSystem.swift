import JSON
public import Machines

/// CBA Live Assist co-browsing: a consumer with a synthetic screen, a headless agent, and the assist server between.
public enum LiveAssistSystem {
    /// The system.
    public static let system = ChatSystem(
        name: "liveassist",
        title: "Live Assist",
        client: ClientDeclaration(
            methods: ClientMethodVocabulary.methods,
            properties: ClientPropertyVocabulary.properties, options: ClientOptionVocabulary.options
        ) { configuration throws(ConfigurationError) in
            // Both sides speak the same protocol, so a scenario plays them with two actors of one system.
            let named = configuration.options["role"] ?? configuration.target["role"]
            let role = named?.string.flatMap(AssistRole.init) ?? .consumer
            try ClientOptionVocabulary.check(configuration.options, of: role)
            return switch role {
            case .agent: KeyedClientAdapter(try AgentClient(configuration))
            case .consumer: KeyedClientAdapter(try ConsumerClient(configuration))
            }
        },
        server: ServerDeclaration(
            methods: AssistServerVocabulary.commands.methods, properties: AssistServerVocabulary.properties,
            options: AssistServerVocabulary.options
        ) { configuration throws(ConfigurationError) in KeyedServerAdapter(try AssistServer(configuration)) },
        events: EventVocabulary.events,
        noise: EventVocabulary.noise,
        absences: EventVocabulary.absences,
        troubles: [EventPattern(.documentError), EventPattern(.documentResult, ["outcome": "failed"])],
        faultPromises: [
            FaultPromise(
                "duplicate", .impossible,
                because: "messages of a topic have no number; its WebSocket carries each once and in order")
        ],
        data: [
            DataDeclaration(
                "Settings of a target",
                "`targets.NAME.settings` in repartee.lua: what holds for all actors of the target unless they say otherwise.",
                ClientOptionVocabulary.options + [DataDeclaration.hosts])
        ])
}
