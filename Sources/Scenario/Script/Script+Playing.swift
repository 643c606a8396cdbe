import LuaRuntime

extension Script {
    /// Whether a function of a scenario runs, and not the file itself.
    var isPlaying: Bool { self.execution?.threads.current != nil }

    /// The play in progress.
    ///
    /// - Throws: A mistake if the script calls a function outside of a scenario.
    func playing(_ name: @autoclosure () -> String) throws(HostError) -> ScenarioExecution {
        if let execution = self.execution, execution.threads.current != nil { return execution }
        throw Self.notPlaying(name())
    }

    /// The play in progress, and the thread of it that runs.
    ///
    /// - Throws: A mistake if the script calls a function outside of a scenario.
    func running(
        _ name: @autoclosure () -> String
    ) throws(HostError) -> (execution: ScenarioExecution, thread: ScriptThread) {
        guard let execution = self.execution, let thread = execution.threads.current else {
            throw Self.notPlaying(name())
        }
        return (execution, thread)
    }

    private static func notPlaying(_ name: String) -> HostError {
        HostError.usage("\(name) can only be called while a scenario plays; call it in the scenario's function")
    }
}
