import ChatCore
import RunRecord
import Synchronization

/// A wish to end a run early; may be set from a signal's thread.
public final class Interruption: Sendable {
    private let flag = Atomic(false)

    /// Creates a wish that nobody has had yet.
    public init() {}

    /// Asks the run to end: what is playing is broken off and nothing new begins.
    public func request() { self.flag.store(true, ordering: .relaxed) }

    /// Whether the run was asked to end.
    public var isRequested: Bool { self.flag.load(ordering: .relaxed) }
}

/// How far a run has got; belongs to the one place that collects outcomes.
final class RunProgress {
    /// How a scenario went.
    struct Played {
        let outcome: Outcome
        let duration: Duration
    }

    let interruption: Interruption
    private let failsFast: Bool
    private var counts = OutcomeCounts()
    private var duration = Duration.zero
    private var hasFailed = false

    init(failsFast: Bool, interruption: Interruption) {
        self.failsFast = failsFast
        self.interruption = interruption
    }

    /// Whether another scenario may begin.
    var mayBegin: Bool { !self.interruption.isRequested && !(self.failsFast && self.hasFailed) }

    /// Notes how a scenario went.
    func note(_ played: Played) {
        self.counts.add(played.outcome)
        self.duration += played.duration
        switch played.outcome {
        case .failed, .error: self.hasFailed = true
        case .passed, .skipped: break
        }
    }

    /// The end of the run as it stands.
    var end: RunEnd {
        RunEnd(
            counts: self.counts, durationNanoseconds: self.duration.clampedNanoseconds,
            isInterrupted: self.interruption.isRequested)
    }
}

extension ScenarioFailure {
    /// The run was ended from outside while the scenario was playing.
    static let interrupted = ScenarioFailure(
        category: .error, typeName: "interrupted", message: "the run was interrupted while this scenario was playing")
}
