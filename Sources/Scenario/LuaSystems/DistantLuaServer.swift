import JSON
import Machines

/// A simulated server of a chat system in Lua whose functions run in another script than the one that uses it: in that
/// of a ``LuaServerHost``, or in another process.
///
/// The script that uses it has the same declarations, for it has loaded the same file; what it asks for is checked by
/// them, and goes over as plain data.
final class DistantLuaServer: LuaSystemServer {
    let luaSystem: LuaSystem
    private let server: any ScenarioServer

    init(_ luaSystem: LuaSystem, at server: any ScenarioServer) {
        self.luaSystem = luaSystem
        self.server = server
    }

    var system: ChatSystem { self.luaSystem.system }
    var origin: String { self.server.origin }
    var properties: JSONObject { ["url": .string(self.origin)] }
    var isShared: Bool { self.server.isShared }
    var means: WakeupSources.Means { .outsiders }
    var pending: [String] { self.server.pending }
    var maySendRequests: Bool { true }
    var hasSentRequests: Bool { true }
    var lapse: ScenarioFailure? { self.server.lapse }

    func findDistantLapses(_ completion: @escaping (Result<DistantLapses, UsageError>) -> Void) {
        self.server.findDistantLapses(completion)
    }

    func handOnRefusal(with reason: String) -> Bool { self.server.handOnRefusal(with: reason) }

    func perform(_ command: Command, by party: String?) -> CommandReply { self.server.perform(command, by: party) }

    func attach(_ actor: Actor, as party: String, of kind: String) {
        self.server.attach(actor, as: party, of: kind)
    }

    func detach(_ party: String) { self.server.detach(party) }
    func released(by execution: ScenarioExecution) { self.server.released(by: execution) }
    func close() { self.server.close() }
}
