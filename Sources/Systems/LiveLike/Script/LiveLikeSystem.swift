import JSON
public import Machines

/// LiveLike chat rooms: members, rooms, history, reactions and moderation over REST and the message carrier.
public enum LiveLikeSystem {
    /// The system.
    public static let system = ChatSystem(
        name: "livelike",
        title: "LiveLike",
        clientMethods: MemberVocabulary.commands.methods,
        clientProperties: MemberVocabulary.properties,
        clientOptions: MemberVocabulary.options,
        serverMethods: ServiceVocabulary.commands.methods,
        serverProperties: ServiceVocabulary.properties,
        serverOptions: ServiceVocabulary.options,
        parties: [ServiceVocabulary.moderator],
        events: EventVocabulary.events,
        noise: EventVocabulary.noise,
        absences: EventVocabulary.absences,
        faultPromises: [
            FaultPromise(
                "duplicate", .impossible,
                because: "everything comes in answers of HTTP, and a connection carries each answer once")
        ],
        makeClient: { configuration throws(ConfigurationError) in
            KeyedClientAdapter(try LiveLikeClient(configuration))
        },
        makeServer: { configuration throws(ConfigurationError) in
            KeyedServerAdapter(try LiveLikeServer(configuration))
        }
    )
}
