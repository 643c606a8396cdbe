import Machines

/// What follows from the declaration of a chat system in Lua alone.
///
/// Scripts of one engine that declare the same share it: each of the thousands of users of a load test declares its
/// system, with functions of its own.
final class LuaSystemOutline {
    /// What the scripts say of it.
    let declaration: LuaSystemDeclaration

    /// The system as actors, reports and vocabularies see it.
    let system: ChatSystem

    /// The events whose fields may stay a text, by their names.
    let shapes: [String: EventShape]

    private var vocabularies: [String: ActorVocabulary] = [:]

    init(_ declaration: LuaSystemDeclaration) {
        self.declaration = declaration
        self.shapes = Dictionary(
            uniqueKeysWithValues: declaration.events.filter { !declaration.forms.contains($0.kind) }
                .compactMap(EventShape.init).map { ($0.kind.rawValue, $0) })
        self.system = ChatSystem(
            name: declaration.name, title: declaration.title,
            client: ClientDeclaration(name: declaration.clientName, methods: [], options: declaration.options) {
                (_) throws(ConfigurationError) in
                throw ConfigurationError("clients of \(declaration.title) are made by the script that declares it")
            },
            server: ServerDeclaration(options: declaration.serverOptions),
            parties: declaration.parties.map {
                PartyDeclaration(name: $0.name, summary: $0.summary, methods: [], events: $0.events, noise: $0.noise)
            },
            events: declaration.events, noise: declaration.noise, absences: declaration.absences,
            troubles: declaration.troubles)
    }

    /// Returns what the actors of a role observe: the clients, or a kind of party.
    func vocabulary(of role: String) -> ActorVocabulary {
        if let vocabulary = self.vocabularies[role] { return vocabulary }
        let party = self.declaration.parties.first { $0.name == role }
        let vocabulary = ActorVocabulary(
            events: party?.events ?? self.declaration.events, noise: party?.noise ?? self.declaration.noise,
            absences: self.declaration.absences, troubles: self.declaration.troubles, isClosed: true)
        self.vocabularies[role] = vocabulary
        return vocabulary
    }
}
