import JSON
import LuaRuntime
import Machines
import Transport

extension ScenarioPlay {
    /// Starts the simulated server of a system in Lua.
    ///
    /// - Parameter completion: Gets the server, or why there is none.
    /// - Throws: ``LuaFault`` for a mistake of the script, or where the scenario has a target that is a real server.
    func startServer(
        _ system: LuaSystem, _ wish: ServerWish, of script: Script,
        completion: @escaping (Result<any LuaSystemServer, ScenarioFailure>) -> Void
    ) throws(LuaFault) {
        try asFault { () throws(ScriptMistake) in try wish.check(for: self.seat) }
        if !wish.isCallback, case .named(let name, let target) = self.destination {
            guard let control = target.control else {
                throw LuaFault(
                    .skipped(
                        "plays a simulated server of \(system.declaration.title), which the target \(name) is not "
                            + "(it has no control URL); a server that the target calls back is "
                            + "t:server(…, { callback = true })"))
            }
            guard !wish.passesFunctions else {
                throw LuaFault(.skipped("gives its server functions of the script, which cannot go to another process"))
            }
            return try self.startRemoteServer(
                system, wish, at: control, target.trust, of: script, completion: completion)
        }
        if wish.isShared, let seat = self.seat {
            guard !wish.passesFunctions else {
                throw LuaFault("a shared server cannot be given functions: it outlives the script", kind: "usage")
            }
            // The script of the server is loaded when no other one is on the stack.
            _ = self.worker.schedule(after: .zero) {
                guard !self.isEnded else { return }
                completion(self.useSharedServer(system, wish, of: seat.servers))
            }
            return
        }
        do {
            let server = try LuaServer(
                system, options: wish.options, given: wish.given, number: self.servers.count + 1, play: self,
                script: script, place: wish.place)
            self.servers.add(server, isCallback: wish.isCallback)
            completion(.success(server))
        } catch let mistake as ScriptMistake {
            throw LuaFault(mistake)
        } catch let fault as LuaFault {
            throw fault
        } catch let failure as TransportFailure {
            throw LuaFault(failure.message, kind: "harness")
        } catch {
            throw LuaFault("the simulated server cannot listen: \(error)", kind: "harness")
        }
    }

    private func useSharedServer(
        _ system: LuaSystem, _ wish: ServerWish, of servers: SharedServers
    ) -> Result<any LuaSystemServer, ScenarioFailure> {
        do throws(ScenarioFailure) {
            let host = try servers.host(wish.key(of: system.declaration.name)) { () throws(ScenarioFailure) in
                try LuaServerHost(
                    system.source, options: wish.options, settings: self.settings, worker: self.worker,
                    network: self.network, engine: self.engine, place: wish.place)
            }
            try host.admit(self)
            let server = DistantLuaServer(system, at: host)
            self.servers.add(server, isCallback: wish.isCallback)
            return .success(server)
        } catch {
            return .failure(error)
        }
    }

    private func startRemoteServer(
        _ system: LuaSystem, _ wish: ServerWish, at control: String, _ trust: TrustPolicy, of script: Script,
        completion: @escaping (Result<any LuaSystemServer, ScenarioFailure>) -> Void
    ) throws(LuaFault) {
        guard !system.isDeclaredInPlay else {
            throw LuaFault(
                ScenarioFailure.skipped("plays a server that it declares itself, which cannot go to another process"))
        }
        guard let file = script.pathInProject else {
            throw LuaFault(
                "\(script.file.name) lies outside of the project, so another process cannot load "
                    + "\(system.declaration.title) from it", kind: "usage")
        }
        var place: JSONObject = ["file": .string(file)]
        place["module"] = system.source.module.map { .string($0) }
        var remote: RemoteServer?
        remote = try asFault { () throws(ScriptMistake) in
            try RemoteServer(
                system.system, url: control, options: wish.options, foundAt: place, play: self, trust: trust
            ) { failure in
                if let failure { return completion(.failure(failure)) }
                guard let remote else { return }
                let server = DistantLuaServer(system, at: remote)
                self.servers.add(server)
                completion(.success(server))
            }
        }
        self.servers.keep(remote)
    }

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
        let found = try asFault { () throws(ScriptMistake) in try place.find(for: system.declaration.name, in: self) }
        switch found {
        case .address(let address): completion(made(address))
        case .simulated:
            try self.startServer(system, ServerWish(), of: script) { outcome in
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
                    origin: address.origin, target: address.target, options: own,
                    epochMilliseconds: self.settings.epochMilliseconds),
                handler: ScriptFunction(script.keep(handler)), saysGoodbye: system.has("ending", in: .handlers),
                framing: system.declaration.framing)
        } catch {
            throw LuaFault(error.message, kind: "usage")
        }
        actor.attach(
            LuaClientBackend(self.carry(machine, as: actor, to: address), system: system, me: me, script: script))
        return actor
    }

    /// Returns the actor of a party of a server in Lua; the same name gives the same actor.
    func party(
        _ kind: String, named wanted: String, of server: any LuaSystemServer, script: Script
    ) throws(LuaFault) -> Actor {
        // A server that many users share tells their parties apart.
        let name = server.isShared ? "\(wanted) \(self.seat?.user.number ?? 0)" : wanted
        let key = PartyKey(server: ObjectIdentifier(server), party: name)
        if let actor = self.parties[key] { return actor }
        let table = try (server as? LuaServer)?.party(name, kind: kind, of: script)
        guard let declaration = server.luaSystem.declaration.parties.first(where: { $0.name == kind }) else {
            throw LuaFault("there is no party \"\(kind)\"", kind: "usage")
        }
        let actor = self.join(
            named: name, system: server.system, role: kind, events: declaration.events, noise: declaration.noise,
            vocabulary: server.luaSystem.vocabulary(of: kind))
        actor.attach(LuaPartyBackend(name, party: table, of: server))
        server.attach(actor, as: name, of: kind)
        self.parties[key] = actor
        return actor
    }
}
