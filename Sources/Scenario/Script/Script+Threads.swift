import LuaRuntime

extension Script {
    /// Lets the calling thread wait.
    ///
    /// - Parameters:
    ///   - description: What it waits for, in words; asked for only where somebody reads it.
    ///   - kind: What kind of thing that is.
    ///   - begin: Sets up the wait; gets what to call with the outcome, and returns how to take it back.
    /// - Returns: The verdict for Lua; if the outcome is there at once, the thread goes on.
    func suspend(
        _ call: inout LuaCall, _ description: @autoclosure @escaping () -> String, for kind: PendingWait.Kind = .other,
        _ begin: (@escaping (Result<LuaValue, HostError>) -> Void) throws(HostError) -> () -> Void
    ) throws(HostError) -> HostVerdict {
        let (execution, thread) = try self.running(call.name)
        let wait = PendingWait(description, position: call.scriptPosition, for: kind)
        wait.onCancel = try begin { wait.end($0) }
        if let early = wait.early {
            call.push(try early.get())
            return .returns
        }
        wait.suspend(thread, of: execution)
        if wait.isCoordination { execution.deadlocks.beganMeeting() }
        return .suspends
    }
}
