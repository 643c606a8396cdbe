import JSON
import Machines
import Transport

/// A simulated server in this process, on the network of its scenario.
///
/// Its side of the wire is not captured: the clients of the scenario record the same bytes.
final class EmbeddedServer: ScenarioServer {
    let system: ChatSystem
    let origin: String
    let isShared: Bool
    private let port: ServerPort
    private let listener: any Listener
    private let audience: Audience
    private let fixedTarget: JSONObject?

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - options: The options of the script, checked already.
    ///   - number: Tells the servers of a scenario apart.
    ///   - isShared: Whether it outlives the scenario that starts it.
    ///   - makeMachine: Makes the machine, where the system itself does not know how.
    /// - Throws: ``ScriptMistake`` if the options cannot be used, or a failure of the network.
    init(
        _ system: ChatSystem, options: JSONObject, number: Int, isShared: Bool, play: ScenarioPlay,
        makeMachine: ((ServerConfiguration) throws(ConfigurationError) -> any ServerMachine)? = nil
    ) throws {
        guard let makeServer = makeMachine ?? system.makeServer else {
            throw ScriptMistake("\(system.title) has no simulated server; choose a target with --target")
        }
        let label = number == 1 ? system.name : "\(system.name) \(number)"
        // The users of a stage are on one network; each of their servers gets a port of its own.
        let endpoint =
            play.worker.isVirtual && play.seat == nil
            ? Endpoint(host: "\(system.name)-\(number).test", port: 80) : Endpoint.loopback
        let listener = try play.network.listen(on: endpoint, identity: nil)
        self.system = system
        self.listener = listener
        self.origin = listener.origin
        self.isShared = isShared
        let machine: any ServerMachine
        do {
            machine = try makeServer(
                ServerConfiguration(
                    origin: listener.origin, options: options, epochMilliseconds: play.settings.epochMilliseconds))
        } catch {
            listener.close()
            throw ScriptMistake(error.message)
        }
        self.fixedTarget = machine.target
        let calls = ScriptCalls(play: isShared ? nil : play)
        let audience = Audience()
        self.audience = audience
        self.port = ServerPort(
            machine: machine, label: label, listener: listener, scheduler: play.worker,
            random: RandomSource(seed: play.seed).derived(for: label),
            callScript: { calls.call($0, $1, $2) },
            emit: { party, event in audience.actors[party]?.observed(event) })
        calls.returned = { [port = self.port] in port.scriptReturned($0, $1) }
    }

    var properties: JSONObject { self.port.properties }

    var target: JSONObject { self.fixedTarget ?? self.port.properties }

    func perform(_ command: Command, by party: String?) -> CommandReply {
        .now(self.port.perform(command, by: party))
    }

    func attach(_ actor: Actor, as party: String) {
        self.audience.actors[party] = actor
    }

    func detach(_ party: String) {
        self.audience.actors[party] = nil
    }

    func close() {
        self.listener.close()
        self.port.close()
        // They hold the server as what stands behind them.
        self.audience.actors = [:]
    }
}

/// The actors that hear what the parties of a server observe.
private final class Audience {
    var actors: [String: Actor] = [:]
}
