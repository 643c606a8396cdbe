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

    /// So often handlers of a client may open links within a second: a client that opens one again as soon as it is
    /// closed does so for ever, and each leaves more in the record than an answer.
    static let openingLimit: Int32 = 1_000

    private let name: String
    private let other: String
    private weak var execution: ScenarioExecution?
    private let worker: Worker
    private let stop: () -> Void
    private var standingTime = LivelockGuard(limit: AnswerLivelockGuard.limit, within: 1_000)
    private var standingOpenings = LivelockGuard(limit: AnswerLivelockGuard.openingLimit, within: 1_000)

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
        self.end(
            "\(self.name) and \(self.other) answered each other \(Self.limit) times within a second of the scenario, "
                + "and the scenario had no part in it: let one of the two answer less than all that comes, or let time "
                + "pass"
        )
    }

    /// Takes note that a handler has opened a link to the other side.
    ///
    /// - Parameter link: How the link is called, such as its path.
    func countOpening(of link: String) {
        guard self.standingOpenings.isExceeded(at: self.worker.now) else { return }
        self.end(
            "handlers of \(self.name) opened the link \(link) to \(self.other) again \(Self.openingLimit) times within "
                + "a second of the scenario, and the scenario had no part in it: let time pass before a link is opened "
                + "that was closed or failed, as with wait \"1s\"")
    }

    /// Fails the execution, and stops who sends.
    private func end(_ message: String) {
        if let execution = self.execution {
            let failure = ScenarioFailure(
                category: .error, kind: .runaway, message: message,
                position: execution.threads.firstWaitPosition)
            // A handler that answers is a thread that runs; what waits can be ended when none does.
            _ = self.worker.schedule(after: .zero) { execution.threads.trip(failure) }
        }
        self.stop()
    }
}
