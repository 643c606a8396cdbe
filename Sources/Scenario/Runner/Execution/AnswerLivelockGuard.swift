import Machines
import RunRecord

/// Counts how often a client answers its server of its own accord, or from handlers in Lua, while time hardly moves; and
/// how often a server in Lua asks others.
///
/// Two sides that answer each other take no virtual time, so that no time limit ever comes, and no script goes on
/// meanwhile that could be counted.
enum AnswerLivelockGuard {
    /// So often a client may answer within a second: far more often than a protocol has a reason for, of which each
    /// message of a flood that is confirmed may be one.
    static let limit: Int32 = 20_000

    /// Returns what is called for each answer of a client, in virtual time.
    ///
    /// The client fails its execution and is stopped: hooks and tear-down still let time pass.
    ///
    /// - Parameters:
    ///   - client: What the client is called.
    ///   - other: What its server is called.
    ///   - stop: Closes the driver.
    static func watch(
        _ client: String, and other: String, of execution: ScenarioExecution, stop: @escaping () -> Void
    ) -> () -> Void {
        var standingTime = LivelockGuard(limit: Self.limit, window: .seconds(1))
        return { [weak execution, worker = execution.worker] in
            guard standingTime.isExceeded(at: worker.now) else { return }
            if let execution {
                let failure = Self.failure(of: client, other, at: execution.threads.firstWaitPosition)
                // A handler that answers is a thread that runs; what waits can be ended when none does.
                _ = worker.schedule(after: .zero) { execution.trip(failure) }
            }
            stop()
        }
    }

    /// Why the scenario ends.
    private static func failure(of client: String, _ other: String, at position: ScriptPosition?) -> ScenarioFailure {
        ScenarioFailure(
            category: .error, typeName: "runaway",
            message:
                "\(client) and \(other) answered each other \(Self.limit) times within a second of the scenario, "
                + "and the scenario had no part in it: let one of the two answer less than all that comes, or let time pass",
            position: position)
    }
}
