import Machines
import Metrics

/// What a run left out of what was planned: starts for which its time was too short and users who were broken off
/// before they had come to anything, which fail it, and iterations for which no row was left, which are told.
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

    /// Why a run that came to its end has not done what it was to do, as far as it has not.
    ///
    /// - Parameters:
    ///   - starts: What became of the planned starts.
    ///   - now: The time since the run began.
    static func causes(_ starts: PacingAccount, at now: Instant) -> [FailureCause] {
        [
            Self.cause(
                "unfinished", starts.dropped[.timeUp] ?? 0,
                "iterations that were planned have not been started, for time was up",
                "give them more time (max_duration), or plan fewer", at: now),
            Self.cause(
                FailureCause.brokenOffKind, starts.neverEnded,
                "users were broken off before they had ended an iteration",
                "look at what they wait for, or give them more time (duration, graceful_stop); a threshold such as "
                    + "count(broken_off) < 5 says how many iterations may be broken off", at: now),
        ].compactMap(\.self)
    }

    private static func cause(
        _ kind: String, _ count: Int, _ message: String, _ remedy: String, at now: Instant
    ) -> FailureCause? {
        guard count > 0 else { return nil }
        let microseconds = now.microseconds
        return FailureCause(
            kind: kind, message: message, detail: "\(message); \(remedy)", place: nil, count: Int64(count), user: nil,
            firstMicroseconds: microseconds, lastMicroseconds: microseconds)
    }
}
