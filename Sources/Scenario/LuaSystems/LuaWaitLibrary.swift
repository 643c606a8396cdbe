import LuaRuntime
import Machines
import RunRecord
import Transport

/// The waits of handlers and commands of systems in Lua.
enum LuaWaitLibrary {
    /// All functions, behind `me:wait`, `me:wake`, `desk:wait`, `desk:wake`.
    static var functions: [HostFunction] { self.clientWaitFunctions + self.serverWaitFunctions }

    private static var clientWaitFunctions: [HostFunction] {
        [
            HostFunction(
                "client_wait", calledAs: "me:wait", adding: 1, parameters: ["client", "name", "within"], suspends: true
            ) { (call) throws(HostError) in
                let limit = try call.limit(3, "me:wait", otherwise: call.script().settings.project.expectationLimit)
                return try Self.suspend(&call, for: "\"\(try call.string(2))\"", within: limit)
            },
            // The engine's own wait for an answer, which ends with the request's own time limit.
            HostFunction(
                "client_await", calledAs: "me:request", parameters: ["client", "name", "purpose"], suspends: true
            ) { (call) throws(HostError) in
                try Self.suspend(&call, for: try call.string(3), within: nil)
            },
            HostFunction("client_wake", calledAs: "me:wake", adding: 1, parameters: ["client", "name", "values"]) {
                (call) throws(HostError) in
                let (_, backend) = try LuaSystemArgument.client(of: call)
                call.push(Int64(backend.waits.wake(try call.string(2), with: call.value(3))))
                return .returns
            },
        ]
    }

    /// Lets the thread of a client wait for the name that is the second argument.
    ///
    /// - Parameter text: What it waits for, as people read it.
    private static func suspend(
        _ call: inout LuaCall, for text: String, within limit: Duration?
    ) throws(HostError) -> HostVerdict {
        let script = try call.script()
        let (actor, backend) = try LuaSystemArgument.client(of: call)
        let name = try call.string(2)
        let position = call.scriptPosition
        let execution = try script.playing("me:wait")
        return try script.suspend(&call, "\(actor.name) waits for \(text)", isForSystem: true) { resume in
            Self.await(name, of: backend.waits, within: limit, execution, resume) { limit in
                .failure(
                    HostError(
                        ScenarioFailure(
                            category: .failure, typeName: "timeout",
                            message: "\(actor.name) waited \(limit.scriptText) for \(text), and nothing woke it",
                            position: position, sections: [.init(heading: "pending", lines: backend.pending)],
                            limit: "me:wait")))
            }
        }
    }

    private static var serverWaitFunctions: [HostFunction] {
        [
            HostFunction(
                "server_wait", calledAs: "desk:wait", adding: 1, parameters: ["server", "name", "within"],
                suspends: true
            ) {
                (call) throws(HostError) in
                let script = try call.script()
                let server = try LuaSystemArgument.server(of: call)
                let name = try call.string(2)
                let limit = try call.limit(3, "desk:wait", otherwise: nil)
                let execution = try script.playing("desk:wait")
                let purpose = "the simulated server of \(server.luaSystem.declaration.title) waits for \"\(name)\""
                return try script.suspend(&call, purpose, isForSystem: true) { resume in
                    Self.await(name, of: server.waits, within: limit, execution, resume) { _ in
                        .success(.boolean(false))
                    }
                }
            },
            HostFunction("server_wake", calledAs: "desk:wake", adding: 1, parameters: ["server", "name"]) {
                (call) throws(HostError) in
                let server = try LuaSystemArgument.server(of: call)
                call.push(Int64(server.waits.wake(try call.string(2), with: .boolean(true))))
                return .returns
            },
        ]
    }

    /// Lets a thread wait, at most for some time.
    ///
    /// - Parameter late: Makes what the thread gets when the time has passed.
    /// - Returns: What takes the wait back.
    private static func await(
        _ name: String, of waits: NamedWaits, within limit: Duration?, _ execution: ScenarioExecution,
        _ resume: @escaping (Result<LuaValue, HostError>) -> Void,
        late: @escaping (Duration) -> Result<LuaValue, HostError>
    ) -> () -> Void {
        guard let limit else { return waits.wait(for: name, resume) }
        var timer: ScheduledID?
        let forget = waits.wait(for: name) { outcome in
            // Until it is due, a timer holds all that its wait holds.
            if let timer { execution.worker.cancel(timer) }
            resume(outcome)
        }
        let started = execution.worker.schedule(after: limit) {
            forget()
            resume(late(limit))
        }
        timer = started
        return {
            forget()
            execution.worker.cancel(started)
        }
    }
}

extension LuaCall {
    /// Returns a time limit: an argument, or what holds where there is none.
    fileprivate func limit(
        _ number: Int, _ name: String, otherwise: Duration?
    ) throws(HostError) -> Duration? {
        guard !self.isNil(number) else { return otherwise }
        guard let limit = ArgumentChecker.duration(try self.json(number)) else {
            throw HostError("\(name) takes a duration such as \"10s\" second", kind: "argument")
        }
        return limit
    }
}
