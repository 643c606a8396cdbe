internal import CLua
internal import LuaBridge

/// The mistake of who calls a function of a table with a colon, which makes the table its first argument.
enum ColonMistake {
    /// Returns why the arguments of a call are not what its function needs, if a colon is the reason.
    static func find(in call: borrowing LuaCall) -> HostError? {
        let parts = call.name.split(separator: ".")
        guard parts.count == 2, call.kind(1) == .table, unsafe lua_checkstack(call.thread, 4) != 0 else { return nil }
        call.stack.push(String(parts[1]))
        let kind = unsafe lua_rawget(call.thread, call.index(1))
        unsafe lua_settop(call.thread, -2)
        guard kind == LUA_TFUNCTION else { return nil }
        return HostError.argument("\(call.name) is called with a dot, not with a colon: write \(call.name)(…)")
    }
}
