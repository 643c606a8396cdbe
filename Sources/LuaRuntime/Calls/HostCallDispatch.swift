internal import LuaBridge

/// Runs the host function that Lua calls; the bridge calls this.
///
/// - Parameters:
///   - context: The state.
///   - thread: The coroutine that calls.
///   - slot: Which function.
/// - Returns: The verdict that the bridge carries out.
func dispatchHostCall(_ context: UnsafeMutableRawPointer?, _ thread: OpaquePointer?, _ slot: Int32) -> Int32 {
    unsafe Unmanaged<LuaState>.fromOpaque(context!)._withUnsafeGuaranteedRef { state in
        let functions = unsafe state.host.pointee.functions!.assumingMemoryBound(
            to: Unmanaged<RegisteredFunction>.self)
        unsafe state.host.pointee.depth += 1
        let verdict = unsafe functions[Int(slot)]._withUnsafeGuaranteedRef { registered -> Int32 in
            let stack = unsafe LuaStack(thread!, of: state)
            var call = LuaCall(on: stack, registered: registered)
            do throws(HostError) {
                // Almost never the case, and asked for more cheaply than by a call.
                if call.count > registered.function.parameters.count { try registered.function.checkCount(call) }
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
                var error = error
                if registered.function.errorsAreFinal { error.isFinal = true }
                stack.push(error)
                return REPARTEE_LUA_RAISE
            }
        }
        unsafe state.host.pointee.depth -= 1
        if unsafe state.host.pointee.has_released != 0 {
            unsafe state.host.pointee.has_released = 0
            state.handles.buryReleased()
        }
        return verdict
    }
}
