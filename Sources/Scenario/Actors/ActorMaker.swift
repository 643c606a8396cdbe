import JSON
import LuaRuntime
import Machines
import RunRecord

/// Makes the actors of an execution: clients, and the parties of its servers.
struct ActorMaker {
    let execution: ScenarioExecution

    /// Makes a client; where the scenario has no server for it yet, one with default options is started.
    func startClient(
        _ system: ChatSystem, at place: ActorTarget, options: JSONObject,
        completion: @escaping (Result<Actor, HostError>) -> Void
    ) throws(HostError) {
        let found = try asFault { () throws(UsageError) in try place.find(for: system.name, in: self.execution) }
        switch found {
        case .address(let address): completion(.success(try self.makeClient(system, at: address, options)))
        case .simulated:
            try ServerStarter(execution: self.execution).start(system, ServerSpecification()) { outcome in
                completion(outcome.flatMap { self.client(system, of: $0, options) })
            }
        }
    }

    private func client(
        _ system: ChatSystem, of server: any ScenarioServer, _ options: JSONObject
    ) -> Result<Actor, HostError> {
        Result { () throws(HostError) in
            let address = ActorTarget.address(of: server, in: self.execution.servers, startedForClient: true)
            return try self.makeClient(system, at: address, options)
        }
    }

    private func makeClient(
        _ system: ChatSystem, at address: ActorTarget.Address, _ options: JSONObject
    ) throws(HostError) -> Actor {
        var options = options
        let name = options["name"]?.string ?? system.client.name
        // A machine that knows names of its own gets it as well; for the others it is the label in reports alone.
        if !system.client.options.contains(where: { $0.name == "name" }) { options["name"] = nil }
        let machine: DrivenClient
        do {
            machine = try system.client.make(
                ClientConfiguration(
                    origin: address.origin, target: address.target, options: options,
                    epochMilliseconds: self.execution.settings.epochMilliseconds))
        } catch {
            throw HostError.usage(error.message)
        }
        let actor = NewActor(
            name: name, system: system, role: system.client.name, events: system.events, noise: system.noise,
            hasOwnServer: address.isOwnServer
        ).join(self.execution)
        try actor.readLedger(options)
        self.execution.servers.noteClient(name, of: system.name, at: address)
        actor.attach(self.execution.connections.carry(machine, as: actor, to: address).driver)
        return actor
    }

    /// Lets a party join that hears what must be expected until the script names one.
    func standIn(_ declaration: PartyDeclaration, of server: any ScenarioServer) {
        _ = self.party(declaration, named: declaration.name, of: server)
        self.execution.cast.standIns[ObjectIdentifier(server)] = self.partyName(declaration.name, of: server)
    }

    /// A server that many users share tells their parties apart.
    private func partyName(_ wanted: String, of server: any ScenarioServer) -> String {
        server.isShared ? "\(wanted) \(self.execution.slot?.user.number ?? 0)" : wanted
    }

    /// Returns the actor of a party of a server; the same name gives the same actor.
    func party(_ declaration: PartyDeclaration, named wanted: String, of server: any ScenarioServer) -> Actor {
        let name = self.partyName(wanted, of: server)
        let key = PartyKey(server: ObjectIdentifier(server), party: name)
        let standIn = self.execution.cast.standIns.removeValue(forKey: key.server)
        // From now on the named one hears what comes.
        if let standIn, standIn != name { server.detach(standIn) }
        if let actor = self.execution.cast[party: key] { return actor }
        // Of several parties that hear the same the first is to expect it.
        let isStrict =
            server.isStrict
            && !self.execution.cast.partyKeys.contains { $0.server == key.server && $0.party != standIn }
        let noise = declaration.noise.filter { !isStrict || !declaration.strictKinds.contains($0.kind) }
        let actor = NewActor(
            name: name, system: server.system, role: declaration.name, events: declaration.events, noise: noise,
            isStrict: isStrict, hasOwnServer: self.execution.servers.isOwn(server)
        ).join(self.execution)
        actor.ledger = server.ledger
        actor.attach(PartyBackend(server: server, party: name))
        server.attach(actor, as: name, of: declaration.name)
        self.execution.cast[party: key] = actor
        if let arrival = declaration.arrival, case .later(let send) = server.perform(arrival, by: name) {
            send { _ in }
        }
        return actor
    }
}
