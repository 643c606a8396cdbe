import LuaRuntime
import Machines
import RunRecord
import Transport

/// Starts the simulated servers of an execution: in this process, or at its target where that serves them.
struct ServerStarter {
    let execution: ScenarioExecution

    /// Starts a simulated server for the scenario.
    ///
    /// - Parameter completion: Gets the server, or why there is none.
    /// - Throws: ``HostError`` for a mistake of the script.
    func start(
        _ system: ChatSystem, _ wish: ServerSpecification,
        completion: @escaping (Result<any ScenarioServer, HostError>) -> Void
    ) throws(HostError) {
        do {
            try wish.check(for: self.execution.slot, beside: self.execution.servers)
            if !wish.isCallback, case .named(let name, let target) = self.execution.destination {
                try self.startRemote(system, wish, at: target, named: name, completion: completion)
            } else if wish.isShared, let slot = self.execution.slot {
                guard !wish.passesFunctions else {
                    throw UsageError("a shared server cannot be given functions: it outlives the script")
                }
                let server = try slot.servers.host("built-in \(wish.key(of: system.name))") {
                    let play = ServerUsers.play(ofServerOf: system, startedBy: self.execution)
                    return try EmbeddedServer(
                        system, options: wish.options, number: 1,
                        sharedBy: ServerUsers(ofServerOf: system.title, in: play, startedBy: self.execution),
                        execution: self.execution, place: wish.place)
                }
                try server.admit(self.execution)
                self.execution.servers.add(server, isCallback: wish.isCallback)
                completion(.success(server))
            } else {
                let server = try EmbeddedServer(
                    system, options: wish.options, number: self.execution.servers.count + 1,
                    execution: self.execution, place: wish.place)
                self.execution.servers.add(server, isCallback: wish.isCallback)
                completion(.success(server))
            }
        } catch {
            throw HostError(startingServer: error)
        }
    }

    private func startRemote(
        _ system: ChatSystem, _ wish: ServerSpecification, at target: ProjectConfiguration.Target, named name: String,
        completion: @escaping (Result<any ScenarioServer, HostError>) -> Void
    ) throws {
        guard let control = target.control else {
            throw ScenarioFailure.skipped(
                "plays a simulated server, which the target \(name) is not (it has no control URL); a server that the "
                    + "target calls back is t:server(…, { callback = true })")
        }
        var remote: RemoteServer?
        remote = try RemoteServer(
            system, url: control, options: wish.options, execution: self.execution, trust: target.trust
        ) { failure in
            if let failure { return completion(.failure(failure)) }
            guard let remote else { return }
            self.execution.servers.add(remote)
            completion(.success(remote))
        }
        self.execution.servers.keep(remote)
    }
}

extension HostError {
    /// Makes the fault of a script that asked for a server, of what kept that from starting.
    init(startingServer error: any Error) {
        switch error {
        case let failure as ScenarioFailure: self.init(failure)
        case let mistake as UsageError: self.init(mistake)
        case let fault as HostError: self = fault
        case let failure as TransportFailure: self.init(failure.message, kind: ProblemKind.harness.rawValue)
        default: self.init("the simulated server cannot listen: \(error)", kind: ProblemKind.harness.rawValue)
        }
    }
}
