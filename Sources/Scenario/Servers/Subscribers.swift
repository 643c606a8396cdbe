import Machines

/// The actors that hear what the parties of a server observe.
///
/// Most parties hear what is meant for them, by their names. Parties of a kind that hears all get whatever its machine
/// emits to the kind, in the order in which they came.
final class Subscribers {
    private let kindsThatHearAll: [String: PartyDeclaration]
    private var actors: [String: Actor] = [:]
    private var listeners: [(party: String, kind: String, actor: Actor)] = []

    /// Hears everything, beside the actors.
    var onEvent: (String, ChatEvent) -> Void = { _, _ in }

    /// Is told of a kind of party that all hear and nobody plays, before what must be expected where the server is
    /// strict comes to it.
    var onUnheard: (PartyDeclaration) -> Void = { _ in }

    /// Creates the audience of a server of a system.
    init(of system: ChatSystem) {
        self.kindsThatHearAll = Dictionary(
            uniqueKeysWithValues: system.parties.filter(\.hearsAll).map { ($0.name, $0) })
    }

    /// Adds the actor of a party.
    func attach(_ actor: Actor, as party: String, of kind: String) {
        if self.kindsThatHearAll[kind] != nil {
            self.listeners.append((party, kind, actor))
        } else {
            self.actors[party] = actor
        }
    }

    /// Lets go of the actor of a party.
    func detach(_ party: String) {
        self.actors[party] = nil
        self.listeners.removeAll { $0.party == party }
    }

    /// Tells those whom it concerns what happened to a party.
    func hear(_ party: String, _ event: ChatEvent) {
        self.onEvent(party, event)
        guard let declaration = self.kindsThatHearAll[party] else {
            self.actors[party]?.observe(event)
            return
        }
        if declaration.strictKinds.contains(event.kind), !self.listeners.contains(where: { $0.kind == party }) {
            self.onUnheard(declaration)
        }
        for listener in self.listeners where listener.kind == party { listener.actor.observe(event) }
    }

    /// Lets the actors know that nothing is under way any more.
    ///
    /// In the order of their names: of what several of them wait for in vain the first is given up, and that is to be
    /// the same in each run of a seed.
    func fellSilent() {
        for (_, actor) in self.actors.sorted(by: { $0.key < $1.key }) { actor.fellSilent() }
        for listener in self.listeners { listener.actor.fellSilent() }
    }

    /// Lets go of all actors.
    func removeAll() {
        self.actors = [:]
        self.listeners = []
        self.onEvent = { _, _ in }
        self.onUnheard = { _ in }
    }
}
