internal import CLua
internal import LuaBridge

extension LuaState {
    /// Runs the host function of a slot and returns the verdict that the bridge carries out.
    func dispatch(_ thread: OpaquePointer, _ slot: Int) -> Int32 {
        let registered = self.functions[slot]
        self.depth += 1
        var call = unsafe LuaCall(state: self, thread: thread, registered: registered)
        let verdict: Int32
        do {
            if registered.function.suspends { try call.requireSuspendable() }
            switch try registered.function.body(&call) {
            case .returns: verdict = call.pushed
            case .suspends:
                precondition(
                    registered.function.suspends, "\(registered.function.name) suspends without having said so")
                verdict = REPARTEE_LUA_SUSPEND
            }
        } catch {
            unsafe self.push(error, on: thread)
            verdict = REPARTEE_LUA_RAISE
        }
        self.depth -= 1
        if self.handles.hasReleased { self.handles.buryReleased() }
        return verdict
    }
}
