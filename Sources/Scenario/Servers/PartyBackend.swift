import JSON
import Machines
import Transport

/// A party of a server as what stands behind an actor.
class PartyBackend: ActorBackend {
    let server: any ScenarioServer
    private let name: String

    init(server: any ScenarioServer, party: String) {
        self.server = server
        self.name = party
    }

    func declaration(of command: String) -> MethodDeclaration? { nil }
    func reply(to command: Command) -> CommandReply { self.server.perform(command, by: self.name) }

    var identity: JSONObject { ["name": .string(self.name)] }
    var properties: JSONObject { self.identity }
    var pending: [String] { self.server.pending }
    var unreachable: TransportFailure? { nil }
    var isQuiet: Bool { true }
    var means: WakeupSources.Means { self.server.means }
    var actsByItself: Bool { self.server.actsByItself }
    var awaitsOwnClients: Bool { self.server.awaitsOwnClients }

    // Of parties that come with the program few have a field for it, so any event that tells of an end counts.
    var namesReasons: Bool { false }
    var ending: Ending? { nil }
    var losses: Ending.Losses? { nil }

    func forgetLosses() {}
    func tearDown() {}
    func close() {}
}
