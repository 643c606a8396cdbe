import LuaRuntime
import RunRecord

/// The states of one thread that no script uses at the moment.
///
/// A scenario has its state for itself while it plays, so that it cannot use up another's memory; the next one gets it
/// after that, because opening a state costs more than many a scenario.
final class HostPool {
    private let settings: ExecutionSettings
    private var idle: [any ScriptHost] = []

    init(_ settings: ExecutionSettings) {
        self.settings = settings
    }

    /// Returns a state that no script uses.
    func take() -> any ScriptHost { self.idle.popLast() ?? self.settings.makeHost() }

    /// Takes a state back.
    ///
    /// - Parameter outcome: How the scenario ended: after an error the state is closed, for the script may have been
    ///   stopped where Lua does not expect it.
    func giveBack(_ host: any ScriptHost, after outcome: Outcome) {
        guard outcome != .error else { return host.close() }
        host.collectIfDue()
        self.idle.append(host)
    }

    /// Closes the states that no script uses, on their thread.
    func closeAll() {
        for host in self.idle { host.close() }
        self.idle = []
    }

    deinit { self.closeAll() }
}
