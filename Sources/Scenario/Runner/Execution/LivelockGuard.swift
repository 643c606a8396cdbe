import Machines
import RunRecord

/// Counts how often something happens in an execution while time hardly moves, such as that its scripts go on.
///
/// In virtual time a limit never comes for a script that waits for no time, again and again.
struct LivelockGuard {
    /// So often the threads of an execution may go on within ``window``; a million takes some seconds of real time.
    static let limit: Int32 = 1_000_000

    /// Long beside what a script that waits for a nanosecond at a time gets through, short beside what a crowd waits
    /// for; in milliseconds.
    private static let window: Int32 = 100

    // Two lie in each execution, and so in each user of a load test, for whom each byte counts.
    private let limit: Int32
    private var count: Int32 = 0
    private let milliseconds: Int32
    private var since = Instant.start

    /// Creates a guard that has counted nothing.
    ///
    /// - Parameters:
    ///   - limit: So often it may happen within the window.
    ///   - milliseconds: After this time it is counted anew.
    init(limit: Int32 = Self.limit, within milliseconds: Int32 = Self.window) {
        self.limit = limit
        self.milliseconds = milliseconds
    }

    /// Takes note that it happens.
    ///
    /// - Returns: Whether it happened too often.
    mutating func isExceeded(at now: Instant) -> Bool {
        if now - self.since >= .milliseconds(self.milliseconds) {
            self.since = now
            self.count = 0
        }
        self.count += 1
        return self.count > self.limit
    }

    /// Why the script ends.
    static func failure(at position: ScriptPosition?) -> ScenarioFailure {
        ScenarioFailure(
            category: .error, kind: .runaway,
            message: "the scenario went on a million times while no time passed: look for a loop that waits for 0 or "
                + "hardly more, and let it wait for an event or for some milliseconds",
            position: position)
    }
}
