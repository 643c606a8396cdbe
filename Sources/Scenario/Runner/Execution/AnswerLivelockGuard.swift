import Machines
import RunRecord

/// Counts how often a client answers its server of its own accord, or from handlers in Lua, while time hardly moves;
/// and how often a server in Lua asks others.
///
/// Two sides that answer each other take no virtual time, so that no time limit ever comes, and no script goes on
/// meanwhile that could be counted.
///
/// Each of them has one in virtual time, which its driver and what handlers send tell of each answer. Once there are
/// too many it fails the execution and stops who sends them: hooks and tear-down still let time pass.
final class AnswerLivelockGuard {
    /// So often a client may answer within a second: far more often than a protocol has a reason for, of which each
    /// message of a flood that is confirmed may be one.
    static let limit: Int32 = 20_000

    private let name: String
    private let other: String
    private weak var execution: ScenarioExecution?
    private let worker: Worker
    private let stop: () -> Void
    private var standingTime = LivelockGuard(limit: AnswerLivelockGuard.limit, window: .seconds(1))

    /// - Parameters:
    ///   - name: What is called who answers.
    ///   - other: What the other side is called.
    ///   - stop: Closes the driver.
    init(_ name: String, and other: String, of execution: ScenarioExecution, stop: @escaping () -> Void) {
        self.name = name
        self.other = other
        self.execution = execution
        self.worker = execution.worker
        self.stop = stop
    }

    /// Takes note that it has answered the other side.
    func countAnswer() {
        guard self.standingTime.isExceeded(at: self.worker.now) else { return }
        if let execution = self.execution {
            let failure = self.failure(at: execution.threads.firstWaitPosition)
            // A handler that answers is a thread that runs; what waits can be ended when none does.
            _ = self.worker.schedule(after: .zero) { execution.trip(failure) }
        }
        self.stop()
    }

    /// Why the scenario ends.
    private func failure(at position: ScriptPosition?) -> ScenarioFailure {
        ScenarioFailure(
            category: .error, typeName: "runaway",
            message:
                "\(self.name) and \(self.other) answered each other \(Self.limit) times within a second of the scenario, "
                + "and the scenario had no part in it: let one of the two answer less than all that comes, or let time pass",
            position: position)
    }
}
