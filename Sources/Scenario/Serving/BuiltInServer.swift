import JSON
import Machines
import Transport

/// A server of a built-in system behind a control port.
final class BuiltInServer: ServedServer {
    let system: ChatSystem
    private let listener: any Listener
    private let driver: ServerDriver

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - options: The options, checked already.
    ///   - callScript: Asks for a function of the script that was given with the options.
    ///   - emit: Gets what the parties observe.
    /// - Throws: What is wrong with the options or the network.
    init(
        _ system: ChatSystem, options: JSONObject, epochMilliseconds: Int64, on network: any Network,
        at place: Endpoint, scheduler: any Scheduler, random: RandomSource,
        makeServer: (ServerConfiguration) throws(ConfigurationError) -> DrivenServer,
        callScript: @escaping (ScriptCallID, ScriptFunction, [JSONValue]) -> Void,
        emit: @escaping (String, ChatEvent) -> Void
    ) throws(ConfigurationError) {
        let listener: any Listener
        do {
            listener = try network.listen(on: place, identity: nil)
        } catch {
            throw ConfigurationError(error.message)
        }
        do {
            let machine = try makeServer(
                ServerConfiguration(origin: listener.origin, options: options, epochMilliseconds: epochMilliseconds))
            self.driver = ServerDriver(
                machine: machine, label: system.name, listener: listener, scheduler: scheduler, random: random,
                callScript: callScript, emit: emit)
        } catch {
            listener.close()
            throw error
        }
        self.system = system
        self.listener = listener
    }

    var origin: String { self.listener.origin }
    var properties: JSONObject { self.driver.properties }
    var faultOrders: FaultOrders { self.driver.faultOrders }

    /// What clients send is judged by the machine, which answers it.
    var lapses: DistantLapses { DistantLapses() }

    /// Parties of a machine come by what they do.
    func join(_ party: String, as kind: String) throws(ConfigurationError) {
        if let refusal = self.system.refusal(ofParty: kind) { throw ConfigurationError(refusal) }
    }

    func arguments(
        _ values: [JSONValue], of command: String, by party: String?
    ) throws(ConfigurationError) -> JSONObject {
        let methods = party == nil ? self.system.server.methods : self.system.parties.flatMap(\.methods)
        let parameters = methods.first { $0.name == command }?.parameters ?? []
        do throws(UsageError) {
            return try ArgumentChecker(call: command).arguments(values, parameters)
        } catch { throw ConfigurationError(error.message) }
    }

    func perform(_ command: Command, by party: String?) -> CommandReply {
        .now(self.driver.perform(command, by: party))
    }

    func returned(_ call: ScriptCallID, _ result: Result<JSONValue, ScriptCallFailure>) {
        self.driver.scriptReturned(call, result)
    }

    func close() {
        self.listener.close()
        self.driver.close()
    }
}
