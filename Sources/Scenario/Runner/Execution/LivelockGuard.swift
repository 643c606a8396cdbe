import Machines
import RunRecord

/// Counts how often the scripts of an execution go on while time hardly moves.
///
/// In virtual time a limit never comes for a script that waits for no time, again and again.
struct LivelockGuard {
    /// So often the threads of an execution may go on within ``window``; a million takes some seconds of real time.
    static let limit = 1_000_000

    /// Long beside what a script that waits for a nanosecond at a time gets through, short beside what a crowd waits
    /// for.
    private static let window = Duration.milliseconds(100)

    private var since = Instant.start
    private var count = 0

    /// Takes note that a script goes on.
    ///
    /// - Returns: Whether it went on too often.
    mutating func isExceeded(at now: Instant) -> Bool {
        if now - self.since >= Self.window {
            self.since = now
            self.count = 0
        }
        self.count += 1
        return self.count > Self.limit
    }

    /// Why the script ends.
    static func failure(at position: ScriptPosition?) -> ScenarioFailure {
        ScenarioFailure(
            category: .error, typeName: "runaway",
            message: "the scenario went on a million times while no time passed: look for a loop that waits for 0 or "
                + "hardly more, and let it wait for an event or for some milliseconds",
            position: position)
    }
}
