import LuaRuntime

extension Script {
    /// Lets the calling thread wait.
    ///
    /// - Parameters:
    ///   - description: What it waits for, in words; asked for only where somebody reads it.
    ///   - isForThread: Whether that is the end of another thread of the execution.
    ///   - joinedThread: The number of that thread, if the script joins it.
    ///   - isForSystem: Whether that is something that a system in Lua does.
    ///   - isCoordination: Whether that is others who come, or what they send.
    ///   - source: The actor without whom it cannot come, if that is so.
    ///   - begin: Sets up the wait; gets what to call with the outcome, and returns how to take it back.
    /// - Returns: The verdict for Lua; if the outcome is there at once, the thread goes on.
    func suspend(
        _ call: inout LuaCall, _ description: @autoclosure @escaping () -> String, isForThread: Bool = false,
        joining joinedThread: Int? = nil, isForSystem: Bool = false, isCoordination: Bool = false,
        of source: Actor? = nil,
        _ begin: (@escaping (Result<LuaValue, HostError>) -> Void) throws(HostError) -> () -> Void
    ) throws(HostError) -> HostVerdict {
        let execution = try self.playing(call.name)
        guard let thread = execution.threads.current else { throw HostError.usage("\(call.name) needs a thread") }
        let wait = PendingWait(
            description, position: call.scriptPosition, isForThread: isForThread, joining: joinedThread,
            isForSystem: isForSystem, isCoordination: isCoordination, of: source)
        wait.onCancel = try begin { wait.end($0) }
        if let early = wait.early {
            call.push(try early.get())
            return .returns
        }
        wait.suspend(thread, of: execution)
        if isCoordination { execution.deadlocks.beganMeeting() }
        return .suspends
    }
}
