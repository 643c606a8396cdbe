import Machines
import RunRecord

/// A client, or a party of a server, that is about to join an execution.
struct NewActor {
    /// The name it would have; a number follows where another actor has it.
    let name: String

    let system: ChatSystem

    /// What it is in its system.
    let role: String

    let events: [EventDeclaration]
    let noise: [EventPattern]

    /// Whether it must expect what others of its role need not.
    var isStrict = false

    /// What it observes, where that is worked out already.
    var vocabulary: ActorVocabulary?

    /// Whether the execution has the server that it talks to, or of which it is a party, for itself.
    let hasOwnServer: Bool

    /// Adds it to an execution.
    func join(_ execution: ScenarioExecution) -> Actor {
        let name = execution.cast.takeName(self.name)
        let vocabulary =
            self.vocabulary
            ?? execution.engine.vocabulary(
                .init(system: self.system.name, role: self.role, isStrict: self.isStrict)
            ) {
                ActorVocabulary(
                    events: self.events, noise: self.noise, absences: self.system.absences,
                    troubles: self.system.troubles)
            }
        let actor = Actor(
            place: execution.cast.actors.count, isClient: self.role == self.system.client.name, name: name,
            vocabulary: vocabulary, hasOwnServer: self.hasOwnServer, execution: execution)
        execution.cast.add(actor)
        execution.record(.actorJoined(name: name, system: self.system.name, role: self.role))
        return actor
    }
}
