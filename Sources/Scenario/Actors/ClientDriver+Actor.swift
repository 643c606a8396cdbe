import Machines
import Transport

/// A client machine on the network of its scenario, as what stands behind an actor.
extension ClientDriver: ActorBackend {
    func reply(to command: Command) -> CommandReply { .now(self.perform(command)) }

    var means: WakeupSources.Means { self.isQuiet ? .commands : .work }
    var namesReasons: Bool { false }
}
