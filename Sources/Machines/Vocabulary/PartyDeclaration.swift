/// A kind of party on the server's side that scripts play by name: `desk:agent "Sam"`.
public struct PartyDeclaration: Sendable {
    /// The name of the method on the server that returns the party.
    public let name: String

    /// Who it is; one sentence.
    public let summary: String

    /// The command that a party gives when a script first names it, such as signing in; nil if there is none.
    public let arrival: Command?

    /// What scripts can call on the party.
    public let methods: [MethodDeclaration]

    /// What the party observes.
    public let events: [EventDeclaration]

    /// Those of its events that a scenario need not expect.
    public let noise: [EventPattern]

    /// The kinds of its events that a scenario must expect where the server is strict, though they are noise elsewhere;
    /// see ``StrictOption``.
    public let strictKinds: Set<EventKind>

    /// Whether all parties of the kind, whatever their names, hear what the machine emits to the party that is named as
    /// the kind is: the machine does not tell them apart.
    public let hearsAll: Bool

    /// Creates a declaration.
    public init(
        name: String, summary: String, arrival: Command? = nil, methods: [MethodDeclaration],
        events: [EventDeclaration], noise: [EventPattern], strictKinds: Set<EventKind> = [], hearsAll: Bool = false
    ) {
        self.name = name
        self.summary = summary
        self.arrival = arrival
        self.methods = methods
        self.events = events
        self.noise = noise
        self.strictKinds = strictKinds
        self.hearsAll = hearsAll
    }
}
