import LuaRuntime
import Machines
import RunRecord
import Transport

/// Starts the simulated servers of a play: in this process, or at its target where that serves them.
struct ServerStarter {
    let play: ScenarioPlay

    /// Starts a simulated server for the scenario.
    ///
    /// - Parameter completion: Gets the server, or why there is none.
    /// - Throws: ``LuaFault`` for a mistake of the script.
    func start(
        _ system: ChatSystem, _ wish: ServerWish,
        completion: @escaping (Result<any ScenarioServer, ScenarioFailure>) -> Void
    ) throws(LuaFault) {
        do {
            try wish.check(for: self.play.seat)
            if !wish.isCallback, case .named(let name, let target) = self.play.destination {
                try self.startRemote(system, wish, at: target, named: name, completion: completion)
            } else if wish.isShared, let seat = self.play.seat {
                guard !wish.passesFunctions else {
                    throw ScriptMistake("a shared server cannot be given functions: it outlives the script")
                }
                let key = wish.key(of: system.name)
                let server =
                    try seat.servers[key]
                    ?? EmbeddedServer(
                        system, options: wish.options, number: 1, isShared: true, play: self.play, place: wish.place)
                seat.servers[key] = server
                self.play.servers.add(server, isCallback: wish.isCallback)
                completion(.success(server))
            } else {
                let server = try EmbeddedServer(
                    system, options: wish.options, number: self.play.servers.count + 1, isShared: false,
                    play: self.play,
                    place: wish.place)
                self.play.servers.add(server, isCallback: wish.isCallback)
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

    private func startRemote(
        _ system: ChatSystem, _ wish: ServerWish, at target: ProjectConfiguration.Target, named name: String,
        completion: @escaping (Result<any ScenarioServer, ScenarioFailure>) -> Void
    ) throws {
        guard let control = target.control else {
            throw ScenarioFailure.skipped(
                "plays a simulated server, which the target \(name) is not (it has no control URL); a server that the "
                    + "target calls back is t:server(…, { callback = true })")
        }
        var remote: RemoteServer?
        remote = try RemoteServer(
            system, url: control, options: wish.options, play: self.play, trust: target.trust
        ) { failure in
            if let failure { return completion(.failure(failure)) }
            guard let remote else { return }
            self.play.servers.add(remote)
            completion(.success(remote))
        }
        self.play.servers.keep(remote)
    }
}
