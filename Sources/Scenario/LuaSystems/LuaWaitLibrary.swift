import LuaRuntime
import Machines
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
                let script = try call.script()
                let (actor, backend) = try LuaSystemArgument.client(of: call)
                let given = try call.limit(3, "me:wait")
                let execution = try script.playing("me:wait")
                let wait = ClientWait(
                    of: actor, hearing: backend.arrivals, for: try call.string(2), in: execution.threads.current,
                    within: given ?? script.settings.project.expectationLimit, isDefaultLimit: given == nil,
                    at: call.scriptPosition)
                return try script.suspend(&call, wait.purpose, for: .system(of: actor)) { resume in
                    wait.begin(of: backend.waits, resume)
                    return { wait.cancel() }
                }
            },
            HostFunction("client_wake", calledAs: "me:wake", adding: 1, parameters: ["client", "name", "values"]) {
                (call) throws(HostError) in
                let (_, backend) = try LuaSystemArgument.client(of: call)
                let name = try call.string(2)
                let count = backend.waits.wake(name, with: call.value(3))
                if count == 0 { backend.arrivals.wokeNobody(name) }
                call.push(Int64(count))
                return .returns
            },
        ]
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
                let limit = try call.limit(3, "desk:wait")
                let worker = try script.playing("desk:wait").worker
                let purpose = "\(server.title) waits for \"\(name)\""
                return try script.suspend(&call, purpose, for: .system(of: nil)) { resume in
                    server.waits.wait(for: name, within: limit, on: worker, resume)
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
}

extension LuaCall {
    /// Returns the time limit that an argument gives, if it gives one.
    fileprivate func limit(_ number: Int, _ name: String) throws(HostError) -> Duration? {
        guard !self.isNil(number) else { return nil }
        guard let limit = ArgumentChecker.duration(try self.json(number)) else {
            throw HostError.argument("\(name) takes a duration such as \"10s\" second")
        }
        return limit
    }
}
