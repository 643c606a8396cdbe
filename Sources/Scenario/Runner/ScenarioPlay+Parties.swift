import JSON
import LuaRuntime
import Machines
import RunRecord
import Secrets
import Transport

extension ScenarioPlay {
    /// Starts a simulated server for the scenario.
    ///
    /// - Parameter completion: Gets the server, or why there is none.
    /// - Throws: ``LuaFault`` for a mistake of the script.
    func startServer(
        _ system: ChatSystem, _ wish: ServerWish,
        completion: @escaping (Result<any ScenarioServer, ScenarioFailure>) -> Void
    ) throws(LuaFault) {
        do {
            try wish.check(for: self.seat)
            if !wish.isCallback, case .named(let name, let target) = self.destination {
                try self.startRemoteServer(system, wish, at: target, named: name, completion: completion)
            } else if wish.isShared, let seat = self.seat {
                guard !wish.passesFunctions else {
                    throw ScriptMistake("a shared server cannot be given functions: it outlives the script")
                }
                let key = wish.key(of: system.name)
                let server =
                    try seat.servers[key]
                    ?? EmbeddedServer(
                        system, options: wish.options, number: 1, isShared: true, play: self, place: wish.place)
                seat.servers[key] = server
                self.servers.add(server, isCallback: wish.isCallback)
                completion(.success(server))
            } else {
                let server = try EmbeddedServer(
                    system, options: wish.options, number: self.servers.count + 1, isShared: false, play: self,
                    place: wish.place)
                self.servers.add(server, isCallback: wish.isCallback)
                completion(.success(server))
            }
        } catch let failure as ScenarioFailure {
            throw LuaFault(failure)
        } catch let mistake as ScriptMistake {
            throw LuaFault(mistake)
        } catch let failure as TransportFailure {
            throw LuaFault(failure.message, kind: "harness")
        } catch {
            throw LuaFault("the simulated server cannot listen: \(error)", kind: "harness")
        }
    }

    private func startRemoteServer(
        _ system: ChatSystem, _ wish: ServerWish, at target: ProjectConfiguration.Target, named name: String,
        completion: @escaping (Result<any ScenarioServer, ScenarioFailure>) -> Void
    ) throws {
        guard let control = target.control else {
            throw ScenarioFailure.skipped(
                "plays a simulated server, which the target \(name) is not (it has no control URL); a server that the "
                    + "target calls back is t:server(…, { callback = true })")
        }
        guard !wish.passesFunctions else {
            throw ScenarioFailure.skipped(
                "gives its server functions of the script, which cannot go to another process")
        }
        var remote: RemoteServer?
        remote = try RemoteServer(
            system, url: control, options: wish.options, play: self, trust: target.trust
        ) { failure in
            if let failure { return completion(.failure(failure)) }
            guard let remote else { return }
            self.servers.add(remote)
            completion(.success(remote))
        }
        self.servers.keep(remote)
    }

    /// Makes a client; where the scenario has no server for it yet, one with default options is started.
    func startClient(
        _ system: ChatSystem, at place: ActorPlace, options: JSONObject,
        completion: @escaping (Result<Actor, ScenarioFailure>) -> Void
    ) throws(LuaFault) {
        let found = try asFault { () throws(ScriptMistake) in try place.find(for: system.name, in: self) }
        switch found {
        case .address(let address): completion(.success(try self.makeClient(system, at: address, options)))
        case .simulated:
            try self.startServer(system, ServerWish()) { outcome in
                completion(outcome.flatMap { self.client(system, of: $0, options) })
            }
        }
    }

    private func client(
        _ system: ChatSystem, of server: any ScenarioServer, _ options: JSONObject
    ) -> Result<Actor, ScenarioFailure> {
        do {
            return .success(try self.makeClient(system, at: ActorPlace.address(of: server), options))
        } catch {
            return .failure(ScenarioFailure(category: .error, typeName: "script", message: error.message))
        }
    }

    private func makeClient(
        _ system: ChatSystem, at address: ActorPlace.Address, _ options: JSONObject
    ) throws(LuaFault) -> Actor {
        var options = options
        let name = options["name"]?.string ?? system.clientName
        // A machine that knows names of its own gets it as well; for the others it is the label in reports alone.
        if !system.clientOptions.contains(where: { $0.name == "name" }) { options["name"] = nil }
        let machine: DrivenClient
        do {
            machine = try system.makeClient(
                ClientConfiguration(
                    origin: address.origin, target: address.target, options: options,
                    epochMilliseconds: self.settings.epochMilliseconds))
        } catch {
            throw LuaFault(error.message, kind: "usage")
        }
        let actor = self.join(
            named: name, system: system, role: system.clientName, events: system.events, noise: system.noise)
        actor.attach(self.carry(machine, as: actor, to: address))
        return actor
    }

    /// Puts a client machine on the network; it reaches its server's host, this machine and what the target names.
    func carry(_ machine: DrivenClient, as actor: Actor, to address: ActorPlace.Address) -> ClientBackend {
        var configuration = address.configuration(in: self.settings)
        actor.isAtTarget = address.targetName != nil
        if machine.acceptsAnyCertificate { configuration.trust.verification = .none }
        let calls = ScriptCalls(play: self)
        let port = ClientPort(
            machine: machine, label: actor.name, network: self.clientNetwork.link(of: actor.name),
            scheduler: self.clientNetwork.injector?.clock(for: self.worker) ?? self.worker,
            random: RandomSource(seed: self.seed).derived(for: actor.name), configuration: configuration,
            observer: self.wireObserver, callScript: { calls.call($0, $1, $2) },
            emit: { actor.observed($0) })
        port.onToken { [vault = self.settings.vault] in vault.add($0, isLearnt: true) }
        if let observer = self.observer {
            port.onAnswer { [worker = self.worker] in observer.answered($0, at: worker.now) }
        }
        calls.returned = { port.scriptReturned($0, $1) }
        port.onQuiet = { [weak actor] in actor?.fellSilent() }
        return ClientBackend(port)
    }

    /// Returns the actor of a party of a server; the same name gives the same actor.
    func party(_ declaration: PartyDeclaration, named wanted: String, of server: any ScenarioServer) -> Actor {
        // A server that many users share tells their parties apart.
        let name = server.isShared ? "\(wanted) \(self.seat?.user.number ?? 0)" : wanted
        let key = PartyKey(server: ObjectIdentifier(server), party: name)
        if let actor = self.parties[key] { return actor }
        let actor = self.join(
            named: name, system: server.system, role: declaration.name, events: declaration.events,
            noise: declaration.noise)
        actor.attach(PartyBackend(server: server, party: name))
        server.attach(actor, as: name, of: declaration.name)
        self.parties[key] = actor
        if let arrival = declaration.arrival, case .later(let send) = server.perform(arrival, by: name) {
            send { _ in }
        }
        return actor
    }

    /// Lets a server forget who hears a party of it.
    func leave(_ key: PartyKey) {
        self.servers.shared(key.server)?.detach(key.party)
    }
}

/// Names a party of a server of a scenario.
struct PartyKey: Hashable {
    let server: ObjectIdentifier
    let party: String
}

/// The calls that a machine makes into the script.
final class ScriptCalls {
    private let play: ScenarioPlay?

    /// Gets what came back.
    var returned: (ScriptCallID, Result<JSONValue, ScriptCallFailure>) -> Void = { _, _ in }

    /// - Parameter play: Whose functions they are; nil for a machine that outlives each play and is given none.
    init(play: ScenarioPlay?) {
        self.play = play
    }

    /// Calls a function of the script.
    func call(_ id: ScriptCallID, _ function: ScriptFunction, _ arguments: [JSONValue]) {
        self.play?.callScript(function, arguments) { self.returned(id, $0) }
    }
}

extension ProjectConfiguration.Target {
    /// Which certificates are accepted from the target.
    var trust: TrustPolicy {
        TrustPolicy(
            verification: self.verifiesCertificates ? .full : .none,
            authorityFiles: self.certificateAuthorities.map { [$0] } ?? [], oldestVersion: self.oldestTLS,
            identity: self.access.identity)
    }
}
