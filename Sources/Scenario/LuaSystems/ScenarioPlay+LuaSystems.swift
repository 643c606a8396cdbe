import JSON
import LuaRuntime
import Machines
import Transport

extension ScenarioPlay {
    /// Starts the simulated server of a system in Lua.
    ///
    /// - Parameters:
    ///   - options: The options, checked.
    ///   - given: The table as the script gave it, for the functions in it.
    /// - Throws: ``LuaFault`` for a mistake of the script, or where the scenario has a target that is a real server.
    func startServer(
        _ system: LuaSystem, options: JSONObject, given: LuaValue = .nil, of script: Script
    ) throws(LuaFault) -> LuaServer {
        if case .named(let name, _) = self.settings.destination {
            throw LuaFault(
                .skipped("plays a simulated server of \(system.declaration.title), which the target \(name) is not"))
        }
        do {
            let server = try LuaServer(
                system, options: options, given: given, number: self.servers.count + 1, play: self, script: script)
            self.add(server)
            return server
        } catch let mistake as ScriptMistake {
            throw LuaFault(mistake)
        } catch let fault as LuaFault {
            throw fault
        } catch {
            throw LuaFault("the simulated server cannot listen: \(error)", kind: "harness")
        }
    }

    /// Makes a client of a system in Lua; where the scenario has no server of it yet, one with default options is
    /// started.
    ///
    /// - Parameters:
    ///   - options: The options, checked.
    ///   - given: The table as the script gave it, for the functions in it.
    func makeClient(
        _ system: LuaSystem, options: JSONObject, given: LuaValue, of script: Script
    ) throws(LuaFault) -> Actor {
        let origin: String
        var target = JSONObject()
        if let server = self.servers.last(where: { $0.system.name == system.declaration.name }) {
            origin = server.origin
        } else if case .named(_, let named) = self.settings.destination {
            origin = named.url
            target = named.members
        } else {
            origin = try self.startServer(system, options: [:], of: script).origin
        }
        guard let parts = system.parts, let makers = script.engine.luaSystems else {
            throw LuaFault("the system is not declared yet", kind: "usage")
        }
        var own = options
        let name = options["name"]?.string ?? system.declaration.clientName
        if !system.declaration.options.contains(where: { $0.name == "name" }) { own["name"] = nil }
        let actor = self.join(
            named: name, system: system.system, role: system.declaration.clientName, events: system.declaration.events,
            noise: system.declaration.noise, vocabulary: system.vocabulary(of: system.declaration.clientName))
        let made = try script.callMaker(
            makers.client,
            [
                script.value(of: actor, luaSystem: system), .reference(parts.handlers), .json(.object(own)), given,
            ])
        guard made.count == 2, let me = made[0].reference, let handler = made[1].reference else {
            preconditionFailure("the prelude makes a table and a function")
        }
        let machine: ScriptedClient
        do {
            machine = try ScriptedClient(
                ClientConfiguration(
                    origin: origin, target: target, options: own, epochMilliseconds: self.settings.epochMilliseconds),
                handler: ScriptFunction(script.keep(handler)), saysGoodbye: system.has("ending", in: .handlers))
        } catch {
            throw LuaFault(error.message, kind: "usage")
        }
        actor.attach(
            LuaClientBackend(self.carry(machine, as: actor, of: origin), system: system, me: me, script: script))
        return actor
    }

    /// Returns the actor of a party of a server in Lua; the same name gives the same actor.
    func party(_ kind: String, named name: String, of server: LuaServer, script: Script) throws(LuaFault) -> Actor {
        let key = PartyKey(server: ObjectIdentifier(server), party: name)
        if let actor = self.parties[key] { return actor }
        guard let declaration = server.luaSystem.declaration.parties.first(where: { $0.name == kind }),
            let table = try server.party(name, kind: kind, of: script)
        else { throw LuaFault("there is no party \"\(kind)\"", kind: "usage") }
        let actor = self.join(
            named: name, system: server.system, role: kind, events: declaration.events, noise: declaration.noise,
            vocabulary: server.luaSystem.vocabulary(of: kind))
        actor.attach(LuaPartyBackend(name, party: table, of: server))
        server.attach(actor, as: name, of: kind)
        self.parties[key] = actor
        return actor
    }
}
