import JSON
import LuaRuntime
import Machines
import Transport

/// Starts the simulated servers of systems in Lua for an execution: in its script, in one that users share, or at its
/// target.
struct LuaServerStarter {
    let execution: ScenarioExecution

    /// Starts the simulated server of a system in Lua.
    ///
    /// - Parameter completion: Gets the server, or why there is none.
    /// - Throws: ``HostError`` for a mistake of the script, or where the scenario has a target that is a real server.
    func start(
        _ system: LuaSystem, _ wish: ServerSpecification, of script: Script,
        completion: @escaping (Result<any LuaSystemServer, HostError>) -> Void
    ) throws(HostError) {
        try asFault { () throws(UsageError) in
            try wish.check(for: self.execution.slot, beside: self.execution.servers)
        }
        if !wish.isCallback, case .named(let name, let target) = self.execution.destination {
            guard let control = target.control else {
                throw HostError(
                    .skipped(
                        "plays a simulated server of \(system.declaration.title), which the target \(name) is not "
                            + "(it has no control URL); a server that the target calls back is "
                            + "t:server(…, { callback = true })"))
            }
            guard !wish.passesFunctions else {
                throw HostError(
                    .skipped("gives its server functions of the script, which cannot go to another process"))
            }
            return try self.startRemote(
                system, wish, at: control, target.trust, of: script, completion: completion)
        }
        if wish.isShared, let slot = self.execution.slot {
            guard !wish.passesFunctions else {
                throw HostError.usage("a shared server cannot be given functions: it outlives the script")
            }
            // The script of the server is loaded when no other one is on the stack.
            _ = self.execution.worker.schedule(after: .zero) {
                guard !self.execution.isEnded else { return }
                let outcome = self.useSharedServer(system, wish, of: slot.servers, in: script.engine)
                completion(outcome.mapError { HostError($0) })
            }
            return
        }
        do {
            let server = try LuaServer(
                system, options: wish.options, given: wish.given, number: self.execution.servers.count + 1,
                execution: self.execution, script: script, place: wish.place)
            self.execution.servers.add(server, isCallback: wish.isCallback)
            guard system.has("started", in: .server) else { return completion(.success(server)) }
            // The handler `started` is ready to run, and has its turn before whoever could call or reach the server.
            _ = self.execution.worker.schedule(after: .zero) {
                guard !self.execution.isEnded else { return }
                completion(.success(server))
            }
        } catch {
            throw HostError(startingServer: error)
        }
    }

    private func useSharedServer(
        _ system: LuaSystem, _ wish: ServerSpecification, of servers: SharedServers, in engine: ScriptEngine
    ) -> Result<any LuaSystemServer, ScenarioFailure> {
        do throws(ScenarioFailure) {
            let host = try servers.host(wish.key(of: system.declaration.name)) { () throws(ScenarioFailure) in
                try LuaServerHost(
                    system.source, options: wish.options, settings: self.execution.settings,
                    worker: self.execution.worker, network: self.execution.network, engine: engine, place: wish.place,
                    startedBy: self.execution)
            }
            try host.admit(self.execution)
            let server = DistantLuaServer(system, at: host)
            self.execution.servers.add(server, isCallback: wish.isCallback)
            return .success(server)
        } catch {
            return .failure(error)
        }
    }

    private func startRemote(
        _ system: LuaSystem, _ wish: ServerSpecification, at control: String, _ trust: TrustPolicy, of script: Script,
        completion: @escaping (Result<any LuaSystemServer, HostError>) -> Void
    ) throws(HostError) {
        guard !system.isDeclaredInPlay else {
            throw HostError(
                ScenarioFailure.skipped("plays a server that it declares itself, which cannot go to another process"))
        }
        guard let file = script.pathInProject else {
            throw HostError.usage(
                "\(script.file.name) lies outside of the project, so another process cannot load "
                    + "\(system.declaration.title) from it")
        }
        var place: JSONObject = ["file": .string(file)]
        place["module"] = system.source.module.map { .string($0) }
        var remote: RemoteServer?
        remote = try asFault { () throws(UsageError) in
            try RemoteServer(
                system.system, url: control, options: wish.options, foundAt: place, execution: self.execution,
                trust: trust
            ) { failure in
                if let failure { return completion(.failure(failure)) }
                guard let remote else { return }
                let server = DistantLuaServer(system, at: remote)
                self.execution.servers.add(server)
                completion(.success(server))
            }
        }
        self.execution.servers.keep(remote)
    }
}
