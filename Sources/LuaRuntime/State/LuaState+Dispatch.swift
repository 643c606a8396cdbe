internal import CLua
internal import LuaBridge

extension LuaState {
    /// Runs the host function of a slot and returns the verdict that the bridge carries out.
    func dispatch(_ thread: OpaquePointer, _ slot: Int) -> Int32 {
        let functions = unsafe self.host.pointee.functions!.assumingMemoryBound(
            to: Unmanaged<RegisteredFunction>.self)
        unsafe self.host.pointee.depth += 1
        let verdict = unsafe functions[slot]._withUnsafeGuaranteedRef { registered in
            unsafe self.run(registered, on: thread)
        }
        unsafe self.host.pointee.depth -= 1
        if unsafe self.host.pointee.has_released != 0 {
            unsafe self.host.pointee.has_released = 0
            self.handles.buryReleased()
        }
        return verdict
    }

    private func run(_ registered: RegisteredFunction, on thread: OpaquePointer) -> Int32 {
        let stack = unsafe LuaStack(thread, of: self)
        var call = LuaCall(on: stack, registered: registered)
        do throws(HostError) {
            if registered.function.suspends { try call.requireSuspendable() }
            switch try registered.function.body(&call) {
            case .returns:
                guard !call.isFull else { throw LuaStack.full }
                return call.pushed
            case .suspends:
                if !registered.function.suspends { try call.requireSuspendable() }
                return REPARTEE_LUA_SUSPEND
            }
        } catch {
            stack.push(error)
            return REPARTEE_LUA_RAISE
        }
    }
}
