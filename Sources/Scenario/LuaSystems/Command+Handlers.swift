import JSON
import LuaRuntime
import Machines

/// What handlers of clients and of simulated servers in Lua ask their machines for in the same way.
extension Command {
    /// Creates the command that closes a connection; its number stands second, a code and a reason may follow.
    ///
    /// - Parameter member: What the number of the connection is called.
    init(closing member: String, by call: borrowing LuaCall) throws(HostError) {
        var arguments: JSONObject = [member: .integer(try call.integer(2))]
        if !call.isNil(3) { arguments["code"] = try call.json(3) }
        if !call.isNil(4) { arguments["reason"] = try call.json(4) }
        self.init("close", arguments)
    }

    /// Creates the command that sets a timer; its name stands second, its delay third.
    ///
    /// - Parameter function: The function that sets it, as scripts write it.
    init(settingTimerBy call: borrowing LuaCall, _ function: String) throws(HostError) {
        let timer = try call.string(2)
        guard let delay = ArgumentChecker.duration(try call.json(3)), delay >= .zero else {
            throw HostError.argument(
                "\(function) takes a name and a duration, such as \(function)(\"silence\", \"45s\")")
        }
        self.init("after", ["name": .string(timer), "delay": .double(delay.scriptSeconds)])
    }
}
