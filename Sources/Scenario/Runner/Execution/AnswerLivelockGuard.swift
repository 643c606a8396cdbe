import Machines
import RunRecord

/// Counts how often a client answers its server of its own accord while time hardly moves.
///
/// Two sides that answer each other take no virtual time, so that no time limit ever comes, and no script goes on
/// meanwhile that could be counted.
///
/// What a client in Lua answers it sends from a handler, in a thread of its own and not in the step of its machine:
/// that is not counted, and goes on until the memory of the record or the instructions of the script are spent.
enum AnswerLivelockGuard {
    /// So often a client may answer within a second: far more often than a protocol has a reason for, of which each
    /// message of a flood that is confirmed may be one.
    static let limit = 20_000

    /// Returns what the driver of a client calls for each answer, in virtual time.
    ///
    /// The client fails its execution and is stopped: hooks and tear-down still let time pass.
    ///
    /// - Parameters:
    ///   - client: What the client is called.
    ///   - origin: Where its server is.
    ///   - stop: Closes the driver.
    static func watch(
        _ client: String, at origin: String, of execution: ScenarioExecution, stop: @escaping () -> Void
    ) -> () -> Void {
        var standingTime = LivelockGuard(limit: Self.limit, window: .seconds(1))
        return { [weak execution, worker = execution.worker] in
            guard standingTime.isExceeded(at: worker.now) else { return }
            if let execution {
                execution.trip(Self.failure(of: client, origin, at: execution.threads.firstWaitPosition))
            }
            stop()
        }
    }

    /// Why the scenario ends.
    private static func failure(of client: String, _ origin: String, at position: ScriptPosition?) -> ScenarioFailure {
        ScenarioFailure(
            category: .error, typeName: "runaway",
            message:
                "\(client) and the server \(origin) answered each other \(Self.limit) times within a second of the scenario, "
                + "and no script had a part in it: let one of the two answer less than all that comes, or let time pass",
            position: position)
    }
}
