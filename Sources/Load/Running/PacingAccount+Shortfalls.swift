import Machines
import Metrics

/// What of a plan a run did not come to, which fails it: starts for which its time was too short, and users who were
/// broken off before they had come to anything, or as none would come to anything any more.
extension PacingAccount {
    /// A user who was broken off: what it waited for and had observed.
    struct BrokenOffUser: Hashable, Sendable {
        let user: Int
        let detail: String
    }

    /// Why a run that came to its end has not done what it was to do, as far as it has not.
    ///
    /// - Parameters:
    ///   - now: The time since the run began.
    ///   - example: The first user who was broken off before it had ended an iteration, or stuck.
    func shortfalls(at now: Instant, brokenOff example: BrokenOffUser?) -> [FailureCause] {
        [
            Self.cause(
                "unfinished", self.dropped[.timeUp] ?? 0,
                "iterations that were planned have not been started, for time was up",
                "give them more time (max_duration), or plan fewer", at: now),
            Self.cause(
                FailureCause.brokenOffKind, self.shortBrokenOff, "users were broken off \(self.howBrokenOff)",
                "look at what they wait for, or give them more time (duration, graceful_stop); a threshold such as "
                    + "count(broken_off) < 5 says how many iterations may be broken off"
                    + (example.map { ". User \($0.user) was one of them:\n\($0.detail)" } ?? ""), at: now),
        ].compactMap(\.self)
    }

    /// How many users were broken off that fail the run.
    var shortBrokenOff: Int { self.neverEnded + self.stuck }

    /// In which iterations those users were.
    private var howBrokenOff: String {
        let never = "before they had ended an iteration"
        let long = "that had lasted more than twice as long as any that had ended"
        guard self.stuck > 0 else { return never }
        return self.neverEnded > 0 ? "\(never), or in one \(long)" : "in an iteration \(long)"
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
