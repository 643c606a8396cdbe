/// The server of a scenario that an actor talks to, or of which it is a party.
struct ActorHome: Hashable {
    private let server: ObjectIdentifier

    /// Whether the execution has it for itself, so that nobody else hears the actor.
    let isOwn: Bool

    init(_ server: any ScenarioServer, in servers: ExecutionServers) {
        self.server = ObjectIdentifier(server)
        self.isOwn = servers.isOwn(server)
    }
}
