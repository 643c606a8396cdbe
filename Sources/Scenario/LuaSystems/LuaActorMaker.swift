import JSON
import LuaRuntime
import Machines

/// Makes the actors of systems in Lua for an execution: clients, and the parties of its servers.
struct LuaActorMaker {
    let execution: ScenarioExecution

    /// Makes a client of a system in Lua; where the scenario has no server of it yet, one with default options is
    /// started.
    ///
    /// - Parameters:
    ///   - place: Which server it is to talk to.
    ///   - options: The options, checked.
    ///   - given: The table as the script gave it, for the functions in it.
    ///   - completion: Gets the client, or why there is none.
    func makeClient(
        _ system: LuaSystem, at place: ActorTarget, options: JSONObject, given: LuaValue, of script: Script,
        completion: @escaping (Result<Actor, HostError>) -> Void
    ) throws(HostError) {
        try asFault { () throws(UsageError) in
            try system.checkMessages(of: .messages)
            try system.checkForms()
        }
        func made(_ address: ActorTarget.Address) -> Result<Actor, HostError> {
            Result { () throws(HostError) in
                try self.makeClient(system, at: address, options: options, given: given, of: script)
            }
        }
        let found = try asFault { () throws(UsageError) in
            try place.find(for: system.declaration.name, in: self.execution)
        }
        switch found {
        case .address(let address): completion(made(address))
        case .simulated:
            try LuaServerStarter(execution: self.execution).start(system, ServerSpecification(), of: script) {
                outcome in
                completion(
                    outcome.flatMap {
                        made(ActorTarget.address(of: $0, in: self.execution.servers, startedForClient: true))
                    })
            }
        }
    }

    private func makeClient(
        _ system: LuaSystem, at address: ActorTarget.Address, options: JSONObject, given: LuaValue, of script: Script
    ) throws(HostError) -> Actor {
        guard let parts = system.parts, let makers = script.engine.luaSystems else {
            throw HostError.usage("the system is not declared yet")
        }
        var own = options
        let name = options["name"]?.string ?? system.declaration.clientName
        if !system.declaration.options.contains(where: { $0.name == "name" }) { own["name"] = nil }
        let actor = NewActor(
            name: name, system: system.system, role: system.declaration.clientName, events: system.declaration.events,
            noise: system.declaration.noise, vocabulary: system.vocabulary(of: system.declaration.clientName),
            hasOwnServer: address.isOwnServer
        ).join(self.execution)
        let made = try script.callMaker(
            makers.client,
            [
                LuaActorMethods.value(of: actor, system, in: script), .reference(parts.handlers), .json(.object(own)),
                given, Self.webOrigin(of: address.origin).map { .string($0) } ?? .nil,
            ])
        guard made.count == 2, let me = made[0].reference, let handler = made[1].reference else {
            preconditionFailure("the prelude makes a table and a function")
        }
        let machine: LuaClientMachine
        do {
            machine = try LuaClientMachine(
                ClientConfiguration(
                    origin: address.origin, target: address.target, options: own,
                    epochMilliseconds: self.execution.settings.epochMilliseconds),
                handler: ScriptFunction(script.functions.keep(handler)),
                saysGoodbye: system.has("ending", in: .handlers),
                framing: system.declaration.framing, separator: system.declaration.json?.separator)
        } catch {
            throw HostError.usage(error.message)
        }
        actor.prices = address.prices
        self.execution.servers.noteClient(name, of: system.declaration.name, at: address)
        let arrivals = ClientArrivals(of: self.execution)
        let client = self.execution.connections.carry(machine, as: actor, to: address) {
            arrivals.heard($0, in: $1)
        }
        actor.attach(
            LuaClientBackend(
                client.driver, counting: client.answers, system: system, me: me, arrivals: arrivals, script: script),
            acknowledgedBy: system.acknowledgements)
        return actor
    }

    /// Returns what a browser calls the site of a URL, without a port that goes without saying (RFC 6454 section 6.2)
    /// and in lower case (section 4); nil of a link over TCP.
    static func webOrigin(of url: String) -> String? {
        guard let address = try? TargetAddress(origin: url, acceptsLinks: true), !address.isLink else { return nil }
        let impliedPort = address.scheme == "https" ? ":443" : ":80"
        let authority = address.authority.lowercased()
        let named = authority.hasSuffix(impliedPort) ? authority.dropLast(impliedPort.count) : authority[...]
        return "\(address.scheme)://\(named)"
    }

    /// Returns the actor of a party of a server in Lua; the same name gives the same actor.
    func party(
        _ kind: String, named wanted: String, of server: any LuaSystemServer, script: Script
    ) throws(HostError) -> Actor {
        try self.execution.cast.spellings.check(wanted, in: "server:\(kind)")
        // A server that many users share tells their parties apart.
        let name = server.isShared ? "\(wanted) \(self.execution.slot?.user.number ?? 0)" : wanted
        let key = PartyKey(server: ObjectIdentifier(server), party: name)
        if let actor = self.execution.cast[party: key] {
            let known = (actor.backend as? LuaPartyBackend)?.kind
            guard known == kind else {
                throw HostError.usage(
                    "server:\(kind): \"\(wanted)\" is there already, by server:\(known ?? kind); choose another name")
            }
            return actor
        }
        let table = try (server as? LuaServer)?.party(name, kind: kind, of: script)
        guard let declaration = server.luaSystem.declaration.parties.first(where: { $0.name == kind }) else {
            throw HostError.usage("there is no party \"\(kind)\"")
        }
        let actor = NewActor(
            name: name, system: server.system, role: kind, events: declaration.events, noise: declaration.noise,
            vocabulary: server.luaSystem.vocabulary(of: kind), hasOwnServer: self.execution.servers.isOwn(server)
        ).join(self.execution)
        actor.attach(LuaPartyBackend(name, of: kind, party: table, of: server))
        server.attach(actor, as: name, of: kind)
        self.execution.cast[party: key] = actor
        return actor
    }
}
