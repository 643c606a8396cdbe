import Machines
import RunRecord
import Synchronization

/// How far a run has got; belongs to the one place that collects outcomes.
final class RunProgress {
    /// How an attempt at a scenario went.
    struct Played {
        let outcome: Outcome
        let attempt: Int
        let isRetried: Bool
        let duration: Duration

        /// Whether it was made because an attempt before did not pass.
        var isRetry: Bool { Flakiness.isRetry(attempt: self.attempt, isTry: self.passes != nil) }

        /// What several tries have come to, if their rate decides.
        var passes: PassRate?

        /// Whether an actor could not reach its server.
        var isUnreachable = false

        /// Creates what came of an attempt.
        ///
        /// - Parameter duration: How long it took on its time line.
        init(_ end: ScenarioEnd, attempt: Int, duration: Duration) {
            self.init(
                outcome: end.outcome, attempt: attempt, isRetried: end.isRetried, duration: duration,
                passes: end.passes, isUnreachable: end.isUnreachable)
        }

        /// Creates what came of something that is no attempt.
        init(
            outcome: Outcome, attempt: Int, isRetried: Bool, duration: Duration, passes: PassRate? = nil,
            isUnreachable: Bool = false
        ) {
            self.outcome = outcome
            self.attempt = attempt
            self.isRetried = isRetried
            self.duration = duration
            self.passes = passes
            self.isUnreachable = isUnreachable
        }

        /// A scenario that is not begun.
        static func skipped(_ reason: String) -> Played {
            Played(outcome: .skipped(reason: reason), attempt: 1, isRetried: false, duration: .zero)
        }
    }

    /// When so many scenarios that stand in succession in the suite could not reach the target, the next ones are not
    /// begun.
    static let unreachableLimit = 5

    let interruption: Interruption
    private let failureLimit: Int?
    private var counts = OutcomeCounts()
    private var duration = Duration.zero
    private var failureCount = 0
    private var unreachable = UnreachableRuns()

    /// Why nothing more is begun, as the reason that the other scenarios are skipped for.
    private(set) var stopReason: String?

    /// - Parameter failureLimit: After so many scenarios that do not pass nothing more is begun.
    init(failureLimit: Int?, interruption: Interruption) {
        self.failureLimit = failureLimit
        self.interruption = interruption
    }

    /// Whether another scenario may begin.
    var mayBegin: Bool { !self.interruption.isRequested && self.stopReason == nil }

    /// Why the scenarios that were not begun are skipped; nil if they were interrupted.
    var skipReason: String? { self.interruption.isRequested ? nil : self.stopReason }

    /// Begins nothing more.
    func stop(because reason: String) {
        if self.stopReason == nil { self.stopReason = reason }
    }

    /// Notes how an attempt at a scenario went.
    ///
    /// - Parameter place: Where the scenario stands in the suite.
    func note(_ played: Played, at place: Int) {
        self.duration += played.duration
        guard !played.isRetried else { return }
        self.counts.add(played.outcome, isRetry: played.isRetry)
        switch played.outcome {
        case .failed, .error: self.failureCount += 1
        case .passed, .expectedFailure, .skipped: break
        }
        var isSkipped = false
        if case .skipped = played.outcome { isSkipped = true }
        let succession = isSkipped || played.isUnreachable ? self.unreachable.add(place, isSkipped: isSkipped) : 0
        if let limit = self.failureLimit, self.failureCount >= limit {
            self.stop(because: "not begun: \(limit == 1 ? "a scenario" : "\(limit) scenarios") did not pass before")
        } else if succession >= Self.unreachableLimit {
            self.stop(because: "not begun: \(succession) scenarios in succession could not reach the target")
        }
    }

    /// Notes what went wrong outside of the scenarios; it keeps none of them from being played.
    func note(_ problem: OutsideCase) {
        self.counts.add(problem.played.outcome)
    }

    /// Notes what went wrong in what scenarios share; to be called when all of them have ended.
    func note(_ problem: SharedCase) {
        let played = problem.played
        self.duration += played.duration
        self.counts.add(played.outcome)
    }

    /// The end of a run in real time, in which scenarios play side by side.
    ///
    /// - Parameter duration: How long it took.
    func end(after duration: Duration) -> RunEnd {
        var end = self.end
        end.durationNanoseconds = duration.clampedNanoseconds
        return end
    }

    /// The end of the run as it stands; it has lasted as long as its scenarios one after the other.
    var end: RunEnd {
        RunEnd(
            counts: self.counts, durationNanoseconds: self.duration.clampedNanoseconds,
            isInterrupted: self.interruption.isRequested, timeLimit: self.interruption.timeLimit?.scriptText)
    }
}

extension ScenarioEnd {
    /// Whether an actor of the scenario could not reach its server.
    var isUnreachable: Bool {
        self.problems.contains { $0.category == .error && $0.kind == .connection }
    }
}
