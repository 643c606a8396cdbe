import JSON
import LuaRuntime
import Machines
import RunRecord

/// The simulated servers of a scenario, as objects of scripts.
enum ServerMethods {
    /// Returns a server as scripts see it.
    static func value(of server: any ScenarioServer, in script: Script) -> LuaValue {
        let system = server.system
        let key = "\(system.name) server"
        let type = script.engine.handleType(key) {
            LuaHandleDeclaration(
                name: key,
                methods: system.parties.map { self.party($0, of: system) }
                    + system.server.methods.map { self.command($0, of: system) },
                member: ActorMethods.member(
                    key, methods: system.server.methods.map(\.name) + system.parties.map(\.name) + ["url"],
                    properties: system.server.properties.map(\.name)
                ) { object, name in (object as? ServerHandle)?.server.property(name) },
                text: { _ in key })
        }
        return .handle(script.handle(of: server), type)
    }

    /// The method that gives the actor of a party.
    private static func party(_ party: PartyDeclaration, of system: ChatSystem) -> (String, HostFunction) {
        let function = HostFunction("\(system.name) server:\(party.name)", parameters: ["name"]) {
            (call) throws(HostError) in
            let script = try call.script()
            let server = try Self.server(of: call, system)
            let name = try call.string(1)
            let execution = try script.playing(party.name)
            try execution.cast.spellings.check(name, in: "server:\(party.name)")
            let actor = ActorMaker(execution: execution).party(party, named: name, of: server)
            call.push(
                LuaValue.handle(
                    actor, ActorMethods.type("\(system.name) \(party.name)", methods: party.methods, in: script)))
            return .returns
        }
        return (party.name, function)
    }

    /// The method that gives the server a command.
    private static func command(_ method: MethodDeclaration, of system: ChatSystem) -> (String, HostFunction) {
        let called = CommandMethod(method)
        let function = HostFunction(
            "server:\(method.name)", parameters: method.parameters.map(\.name), suspends: true, isVariadic: true
        ) { (call) throws(HostError) in
            let script = try call.script()
            let server = try Self.server(of: call, system)
            let command = try CommandCall.command(called, call, of: script)
            let (execution, position) = (try script.playing(call.name), call.scriptPosition)
            let begun = try CommandCall.begin(command, called, call, of: script, in: execution)
            let reply =
                method.isFault
                ? server.order(begun.command) { [weak execution, command = begun.command] number in
                    execution?.servers.add(
                        FaultOrder(server: server, number: number, command: command, position: position))
                } : server.perform(begun.command, by: nil)
            return try begun.finish(&call, with: reply, of: script)
        }
        return (method.name, function)
    }

    private static func server(of call: borrowing LuaCall, _ system: ChatSystem) throws(HostError) -> any ScenarioServer
    {
        guard let handle = try call.receiver(ofTypeNamed: "\(system.name) server") as? ServerHandle else {
            throw HostError.argument("\(call.name) is called on a server")
        }
        return handle.server
    }
}
