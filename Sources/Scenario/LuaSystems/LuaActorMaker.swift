import JSON
import LuaRuntime
import Machines

/// Makes the actors of systems in Lua for a play: clients, and the parties of its servers.
struct LuaActorMaker {
    let play: ScenarioPlay

    /// Makes a client of a system in Lua; where the scenario has no server of it yet, one with default options is
    /// started.
    ///
    /// - Parameters:
    ///   - place: Which server it is to talk to.
    ///   - options: The options, checked.
    ///   - given: The table as the script gave it, for the functions in it.
    ///   - completion: Gets the client, or why there is none.
    func makeClient(
        _ system: LuaSystem, at place: ActorPlace, options: JSONObject, given: LuaValue, of script: Script,
        completion: @escaping (Result<Actor, LuaFault>) -> Void
    ) throws(LuaFault) {
        func made(_ address: ActorPlace.Address) -> Result<Actor, LuaFault> {
            Result { () throws(LuaFault) in
                try self.makeClient(system, at: address, options: options, given: given, of: script)
            }
        }
        let found = try asFault { () throws(ScriptMistake) in
            try place.find(for: system.declaration.name, in: self.play)
        }
        switch found {
        case .address(let address): completion(made(address))
        case .simulated:
            try LuaServerStarter(play: self.play).start(system, ServerWish(), of: script) { outcome in
                completion(outcome.mapError { LuaFault($0) }.flatMap { made(ActorPlace.address(of: $0)) })
            }
        }
    }

    private func makeClient(
        _ system: LuaSystem, at address: ActorPlace.Address, options: JSONObject, given: LuaValue, of script: Script
    ) throws(LuaFault) -> Actor {
        guard let parts = system.parts, let makers = script.engine.luaSystems else {
            throw LuaFault("the system is not declared yet", kind: "usage")
        }
        var own = options
        let name = options["name"]?.string ?? system.declaration.clientName
        if !system.declaration.options.contains(where: { $0.name == "name" }) { own["name"] = nil }
        let actor = self.play.join(
            named: name, system: system.system, role: system.declaration.clientName, events: system.declaration.events,
            noise: system.declaration.noise, vocabulary: system.vocabulary(of: system.declaration.clientName))
        let made = try script.callMaker(
            makers.client,
            [
                LuaActorMethods.value(of: actor, system, in: script), .reference(parts.handlers), .json(.object(own)),
                given,
            ])
        guard made.count == 2, let me = made[0].reference, let handler = made[1].reference else {
            preconditionFailure("the prelude makes a table and a function")
        }
        let machine: ScriptedClient
        do {
            machine = try ScriptedClient(
                ClientConfiguration(
                    origin: address.origin, target: address.target, options: own,
                    epochMilliseconds: self.play.settings.epochMilliseconds),
                handler: ScriptFunction(script.keep(handler)), saysGoodbye: system.has("ending", in: .handlers),
                framing: system.declaration.framing)
        } catch {
            throw LuaFault(error.message, kind: "usage")
        }
        actor.attach(
            LuaClientBackend(
                self.play.connections.carry(machine, as: actor, to: address), system: system, me: me, script: script),
            acknowledgedBy: system.acknowledgements)
        return actor
    }

    /// Returns the actor of a party of a server in Lua; the same name gives the same actor.
    func party(
        _ kind: String, named wanted: String, of server: any LuaSystemServer, script: Script
    ) throws(LuaFault) -> Actor {
        // A server that many users share tells their parties apart.
        let name = server.isShared ? "\(wanted) \(self.play.seat?.user.number ?? 0)" : wanted
        let key = PartyKey(server: ObjectIdentifier(server), party: name)
        if let actor = self.play.cast[party: key] { return actor }
        let table = try (server as? LuaServer)?.party(name, kind: kind, of: script)
        guard let declaration = server.luaSystem.declaration.parties.first(where: { $0.name == kind }) else {
            throw LuaFault("there is no party \"\(kind)\"", kind: "usage")
        }
        let actor = self.play.join(
            named: name, system: server.system, role: kind, events: declaration.events, noise: declaration.noise,
            vocabulary: server.luaSystem.vocabulary(of: kind))
        actor.attach(LuaPartyBackend(name, party: table, of: server))
        server.attach(actor, as: name, of: kind)
        self.play.cast[party: key] = actor
        return actor
    }
}
