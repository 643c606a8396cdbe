import JSON
import LuaRuntime
import Machines
import Transport

/// Starts the simulated servers of systems in Lua for a play: in its script, in one that users share, or at its target.
struct LuaServerStarter {
    let play: ScenarioPlay

    /// Starts the simulated server of a system in Lua.
    ///
    /// - Parameter completion: Gets the server, or why there is none.
    /// - Throws: ``LuaFault`` for a mistake of the script, or where the scenario has a target that is a real server.
    func start(
        _ system: LuaSystem, _ wish: ServerWish, of script: Script,
        completion: @escaping (Result<any LuaSystemServer, ScenarioFailure>) -> Void
    ) throws(LuaFault) {
        try asFault { () throws(ScriptMistake) in try wish.check(for: self.play.seat) }
        if !wish.isCallback, case .named(let name, let target) = self.play.destination {
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
            return try self.startRemote(
                system, wish, at: control, target.trust, of: script, completion: completion)
        }
        if wish.isShared, let seat = self.play.seat {
            guard !wish.passesFunctions else {
                throw LuaFault("a shared server cannot be given functions: it outlives the script", kind: "usage")
            }
            // The script of the server is loaded when no other one is on the stack.
            _ = self.play.worker.schedule(after: .zero) {
                guard !self.play.isEnded else { return }
                completion(self.useSharedServer(system, wish, of: seat.servers, in: script.engine))
            }
            return
        }
        do {
            let server = try LuaServer(
                system, options: wish.options, given: wish.given, number: self.play.servers.count + 1, play: self.play,
                script: script, place: wish.place)
            self.play.servers.add(server, isCallback: wish.isCallback)
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
        _ system: LuaSystem, _ wish: ServerWish, of servers: SharedServers, in engine: ScriptEngine
    ) -> Result<any LuaSystemServer, ScenarioFailure> {
        do throws(ScenarioFailure) {
            let host = try servers.host(wish.key(of: system.declaration.name)) { () throws(ScenarioFailure) in
                try LuaServerHost(
                    system.source, options: wish.options, settings: self.play.settings, worker: self.play.worker,
                    network: self.play.network, engine: engine, place: wish.place)
            }
            try host.admit(self.play)
            let server = DistantLuaServer(system, at: host)
            self.play.servers.add(server, isCallback: wish.isCallback)
            return .success(server)
        } catch {
            return .failure(error)
        }
    }

    private func startRemote(
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
                system.system, url: control, options: wish.options, foundAt: place, play: self.play, trust: trust
            ) { failure in
                if let failure { return completion(.failure(failure)) }
                guard let remote else { return }
                let server = DistantLuaServer(system, at: remote)
                self.play.servers.add(server)
                completion(.success(server))
            }
        }
        self.play.servers.keep(remote)
    }
}
