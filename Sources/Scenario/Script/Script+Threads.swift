import JSON
import LuaRuntime
import Machines
import RunRecord

extension LuaCall {
    /// The line of the script that made the call.
    var scriptPosition: ScriptPosition? {
        self.position.map { ScriptPosition(file: $0.file, line: $0.line) }
    }
}

extension Script {
    /// Returns the line of the scenario's file that made a call, itself or through other files.
    ///
    /// - Parameter position: The line that made the call itself.
    func ownLine(of call: borrowing LuaCall, at position: ScriptPosition?) -> Int? {
        guard let position else { return nil }
        if position.file == self.file.name { return position.line }
        // Users of load tests leave no record.
        guard self.execution?.slot == nil else { return nil }
        return call.traceback.first { $0.position.file == self.file.name }?.position.line
    }

    /// Whether a function of a scenario runs, and not the file itself.
    var isPlaying: Bool { self.execution?.threads.current != nil }

    /// The play in progress.
    ///
    /// - Throws: A mistake if the script calls a function outside of a scenario.
    func playing(_ name: @autoclosure () -> String) throws(HostError) -> ScenarioExecution {
        guard let execution = self.execution, execution.threads.current != nil else {
            throw HostError.usage(
                "\(name()) can only be called while a scenario plays; call it in the scenario's function")
        }
        return execution
    }

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
        guard let thread = execution.threads.current else {
            throw HostError.usage("\(call.name) needs a thread")
        }
        let wait = PendingWait(
            description, position: call.scriptPosition, isForThread: isForThread, joining: joinedThread,
            isForSystem: isForSystem, isCoordination: isCoordination, of: source)
        wait.onCancel = try begin { wait.end($0) }
        if let early = wait.early {
            call.push(try early.get())
            return .returns
        }
        wait.suspend(thread, of: execution)
        return .suspends
    }
}
