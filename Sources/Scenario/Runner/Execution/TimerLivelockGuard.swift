import Machines
import RunRecord

/// Counts how often each timer of a machine fires while time hardly moves.
///
/// In virtual time the time limit of a scenario is out of reach for a machine that waits for nanoseconds, again and
/// again: a minute would take it sixty thousand million turns.
struct TimerLivelockGuard {
    /// So often one timer may fire within ``window``: far more often than a machine has a reason for, of which each
    /// client that waits at a server may be one.
    static let limit = 100_000

    private static let window = Duration.seconds(1)

    private var since = Instant.start
    private var counts: [TimerName: Int] = [:]

    /// Takes note that a timer fires.
    ///
    /// - Returns: Whether it fired too often.
    mutating func isExceeded(by timer: TimerName, at now: Instant) -> Bool {
        if now - self.since >= Self.window {
            self.since = now
            self.counts.removeAll(keepingCapacity: true)
        }
        self.counts[timer, default: 0] += 1
        return self.counts[timer, default: 0] > Self.limit
    }

    /// Returns what the driver of a machine calls for each timer that fires, in virtual time.
    ///
    /// A machine that goes round fails its execution and is stopped: hooks and tear-down still let time pass.
    ///
    /// - Parameters:
    ///   - machine: What the machine is called.
    ///   - stop: Closes the driver.
    static func watch(
        _ machine: String, of execution: ScenarioExecution, stop: @escaping () -> Void
    ) -> (TimerName) -> Void {
        var standingTime = TimerLivelockGuard()
        return { [weak execution, worker = execution.worker] timer in
            guard standingTime.isExceeded(by: timer, at: worker.now) else { return }
            if let execution {
                execution.threads.trip(Self.failure(of: machine, timer, at: execution.threads.firstWaitPosition))
            }
            stop()
        }
    }

    /// Why the scenario ends.
    static func failure(of machine: String, _ timer: TimerName, at position: ScriptPosition?) -> ScenarioFailure {
        ScenarioFailure(
            category: .error, kind: .runaway,
            message:
                "the timer \(timer) of \(machine) fired \(Self.limit) times within a second of the scenario: look for an "
                + "interval or a pause of 0 or hardly more among its options, and make it some milliseconds",
            position: position)
    }
}
