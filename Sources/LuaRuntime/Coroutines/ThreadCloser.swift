internal import CLua
internal import LuaBridge

/// Runs the `<close>` variables of a thread and of the coroutines in which it waits, innermost first.
struct ThreadCloser {
    let state: LuaState

    /// Closes a thread; the error that one has failed with is on top of its stack.
    ///
    /// - Returns: The first error of its variables.
    func close(_ thread: OpaquePointer) -> LuaError? {
        var error: LuaError?
        var status = LUA_OK
        while let closed = unsafe repartee_lua_close_innermost(thread, &status) {
            if status != LUA_OK, error == nil { error = unsafe self.error(on: closed, status) }
            unsafe lua_settop(closed, 0)
            if closed == thread { break }
        }
        return error
    }

    private func error(on thread: OpaquePointer, _ status: Int32) -> LuaError {
        let stack = unsafe LuaStack(thread, of: self.state)
        let error = LuaErrorReader(stack).take(status: status)
        guard unsafe self.state.host.pointee.killed != 0 else { return error }
        return LuaError(
            kind: .instructions,
            message: "a function was ended, and what it does at its end (<close>) ran more than "
                + "\(self.state.limits.instructionsForCleanup) instructions: let it do less",
            position: error.position)
    }
}
