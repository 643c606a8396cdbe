import Machines
import Metrics
import RunRecord
import Secrets

/// Why users of a run did not pass, or were skipped, all of one kind counted together.
struct ProblemTally {
    /// How many kinds are told apart.
    private static let mostKinds = 100

    /// What failures of all further kinds are counted as, so that none is missing from the sum.
    private static let furtherProblem = Problem(
        category: .failure, kind: .other,
        message: "failures of further kinds, for \(Self.mostKinds) are told apart")

    /// What iterations are counted under that are skipped for further reasons.
    private static let furtherReason = "further reasons, for \(Self.mostKinds) are told apart"

    private let vault: SecretVault
    private var failures: [FailureCause.Key: FailureCause] = [:]

    /// How many iterations were skipped, by the reason.
    private(set) var skips: [String: Int64] = [:]

    /// Creates a tally of nothing.
    ///
    /// - Parameter vault: The secrets that no message may show.
    init(vault: SecretVault) {
        self.vault = vault
    }

    /// What the failures came to, those that came most often first.
    var causes: [FailureCause] { FailureCause.merged(self.failures.values) }

    /// Counts a problem.
    ///
    /// - Parameters:
    ///   - user: Who had it; nil if it is no user's.
    ///   - now: The time since the run began.
    ///   - count: How often it was had.
    mutating func add(_ problem: Problem, of user: Int?, at now: Instant, count: Int64 = 1) {
        let microseconds = now.microseconds
        let problem = self.vault.current.masked(problem)
        let isFurther = self.failures[problem.causeKey] == nil && self.failures.count >= Self.mostKinds
        let counted = isFurther ? Self.furtherProblem : problem
        let key = counted.causeKey
        var cause = self.failures[key] ?? FailureCause(counted, user: user, count: 0, atMicroseconds: microseconds)
        cause.count += count
        cause.lastMicroseconds = microseconds
        self.failures[key] = cause
    }

    /// Counts an iteration that was skipped.
    mutating func skip(because reason: String) {
        let masked = self.vault.masked(reason)
        let isFurther = self.skips[masked] == nil && self.skips.count >= Self.mostKinds
        self.skips[isFurther ? Self.furtherReason : masked, default: 0] += 1
    }
}
