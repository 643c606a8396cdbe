import Machines
import Metrics

/// What a run left out of what was planned: starts for which its time was too short, which fail it, and iterations for
/// which no row was left, which are told.
struct LeftOut {
    /// The rows of data that there are; 0 if there are none to have.
    let rows: Int

    private var rowlessCount = 0

    /// Creates what nothing is left out of yet.
    init(rows: Int) {
        self.rows = rows
    }

    /// Notes that a user plays without a row, because each is used once and all have been.
    mutating func hadNoRow() { self.rowlessCount += 1 }

    /// What is to be said of the iterations without a row; nil if there were none.
    var warning: String? {
        guard self.rowlessCount > 0 else { return nil }
        return
            "\(self.rowlessCount) iterations had no row, because the \(self.rows) rows were used up; add rows, or "
            + "choose row_order = \"circular\""
    }

    /// Why a run that came to its end has not done what it was to do, if it has not.
    ///
    /// - Parameters:
    ///   - starts: What became of the planned starts.
    ///   - now: The time since the run began.
    static func cause(_ starts: PacingAccount, at now: Instant) -> FailureCause? {
        guard let count = starts.dropped[.timeUp], count > 0 else { return nil }
        let message = "iterations that were planned have not been started, for time was up"
        let microseconds = now.nanoseconds / 1000
        return FailureCause(
            kind: "unfinished", message: message,
            detail: message + "; give them more time (max_duration), or plan fewer", place: nil, count: Int64(count),
            user: nil, firstMicroseconds: microseconds, lastMicroseconds: microseconds)
    }
}
