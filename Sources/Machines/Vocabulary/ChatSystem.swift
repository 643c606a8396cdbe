/// A family of chat product: its machines and its vocabulary for scripts.
///
/// Adding a system to the product is one value of this type in the registry of the command line.
public struct ChatSystem: Sendable {
    /// The name that scripts `require`.
    public let name: String

    /// The name that people read.
    public let title: String

    /// The client, which an actor of a script plays.
    public let client: ClientDeclaration

    /// The simulated server; without anything if the system has none.
    public let server: ServerDeclaration

    /// The parties on the server's side that a script can play, such as `agent`.
    public let parties: [PartyDeclaration]

    /// The events a client emits.
    public let events: [EventDeclaration]

    /// The events that a scenario need not expect.
    public let noise: [EventPattern]

    /// What the product does not have, by the events that a script may look for in vain.
    ///
    /// Each is the beginning of a sentence, such as `LiveLike has no typing indicators`.
    public let absences: [EventKind: String]

    /// The events, besides those of every system, by which a client tells that not all is well.
    public let troubles: [EventPattern]

    /// What the product promises when something goes wrong on the wire.
    public let faultPromises: [FaultPromise]

    /// What scripts write or read as tables besides options, arguments and events.
    public let data: [DataDeclaration]

    /// Creates a description of a system.
    public init(
        name: String, title: String, client: ClientDeclaration, server: ServerDeclaration = ServerDeclaration(),
        parties: [PartyDeclaration] = [],
        events: [EventDeclaration], noise: [EventPattern], absences: [EventKind: String] = [:],
        troubles: [EventPattern] = [], faultPromises: [FaultPromise] = [], data: [DataDeclaration] = []
    ) {
        self.name = name
        self.title = title
        self.client = client
        self.server = server
        self.parties = parties
        self.events = events
        self.noise = noise
        self.absences = absences
        self.troubles = troubles
        self.faultPromises = faultPromises
        self.data = data
    }
}

extension ChatSystem {
    /// The kinds of events that scripts which use the system may name, whoever observes them.
    public var eventKinds: Set<EventKind> {
        Set(self.events.map(\.kind)).union(self.parties.flatMap(\.events).map(\.kind)).union(self.absences.keys)
    }

    /// Returns why nobody of a kind plays on the server's side, in words; nil if somebody can.
    ///
    /// - Parameter kind: The name of a kind of party, such as `agent`.
    public func refusal(ofParty kind: String) -> String? {
        let known = self.parties.map(\.name)
        guard !known.contains(kind) else { return nil }
        return UnknownMember.text(kind, of: self.title, as: "party", among: known)
    }
}
