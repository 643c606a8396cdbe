import Machines
import RunRecord

extension ScenarioExecution {
    /// The clients and the parties of servers, in the order in which they joined.
    var actors: [Actor] { self.cast.actors }

    /// Lets events pass that nothing expects.
    func allow(_ matcher: EventMatcher) {
        self.cast.allow(matcher)
        for actor in self.actors { actor.allowLogged() }
    }

    /// Whether what actors do and observe is remembered: by a user of a load test only if its script asks for it.
    var remembersConversation: Bool { self.retention == .all }

    /// Remembers what an actor did or observed.
    func remember(_ content: ConversationLog.Entry.Content, by actor: Actor) {
        guard self.remembersConversation else { return }
        self.cast.remember(content, by: actor)
    }

    /// Adds an actor under a name that no other has.
    ///
    /// - Parameter vocabulary: What it observes, where that is worked out already.
    func join(
        named wanted: String, system: ChatSystem, role: String, events: [EventDeclaration], noise: [EventPattern],
        vocabulary: ActorVocabulary? = nil
    ) -> Actor {
        let name = self.cast.takeName(wanted)
        let vocabulary =
            vocabulary
            ?? self.engine.vocabulary("\(system.name) \(role)") {
                ActorVocabulary(events: events, noise: noise, absences: system.absences)
            }
        let actor = Actor(
            place: self.actors.count, isClient: role == system.client.name, name: name, vocabulary: vocabulary,
            execution: self)
        self.cast.add(actor)
        self.record(.actorJoined(name: name, system: system.name, role: role))
        return actor
    }
}
