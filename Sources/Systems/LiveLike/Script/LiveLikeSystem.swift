import JSON
public import Machines

/// LiveLike chat rooms: members, rooms, history, reactions and moderation over REST and the message carrier.
public enum LiveLikeSystem {
    /// The system.
    public static let system = ChatSystem(
        name: "livelike",
        title: "LiveLike",
        client: ClientDeclaration(
            methods: MemberVocabulary.commands.methods, properties: MemberVocabulary.properties,
            options: MemberVocabulary.options
        ) { configuration throws(ConfigurationError) in KeyedClientAdapter(try LiveLikeClient(configuration)) },
        server: ServerDeclaration(
            methods: ServiceVocabulary.commands.methods, properties: ServiceVocabulary.properties,
            options: ServiceVocabulary.options
        ) { configuration throws(ConfigurationError) in KeyedServerAdapter(try LiveLikeServer(configuration)) },
        parties: [ServiceVocabulary.moderator],
        events: EventVocabulary.events,
        noise: EventVocabulary.noise,
        absences: EventVocabulary.absences,
        faultPromises: [
            FaultPromise(
                "duplicate", .impossible,
                because: "everything comes in answers of HTTP, and a connection carries each answer once")
        ],
        data: [
            DataDeclaration(
                "Settings of a target",
                "`targets.NAME.settings` in repartee.lua: what holds for all actors of the target unless they say otherwise.",
                MemberVocabulary.options + [DataDeclaration.hosts])
        ])
}
