import Machines
import RunRecord
import Synchronization

/// A wish to end a run early; may be set from a signal's thread.
public final class Interruption: Sendable {
    private let requests = Atomic(0)
    private let limit = Mutex<Duration?>(nil)

    /// Creates a wish that nobody has had yet.
    public init() {}

    /// Asks the run to end: nothing new begins, and what is playing is broken off and torn down.
    ///
    /// Whoever asks a second time does not want to wait for the tear-down.
    public func request() { self.requests.add(1, ordering: .relaxed) }

    /// Asks the run to end because its time limit has passed; not a second request if somebody has asked before.
    public func request(because limit: Duration) {
        guard !self.isRequested else { return }
        self.limit.withLock { $0 = limit }
        self.request()
    }

    /// Whether the run was asked to end.
    public var isRequested: Bool { self.requests.load(ordering: .relaxed) > 0 }

    /// Whether the run was asked again.
    public var isUrgent: Bool { self.requests.load(ordering: .relaxed) > 1 }

    /// How often it is looked whether somebody has asked, where something else is waited for meanwhile.
    private static let interval = Duration.milliseconds(50)

    /// Calls back soon after the run was asked to end.
    ///
    /// - Parameters:
    ///   - worker: Where to look and to call back.
    ///   - isWaiting: Whether that is of interest still.
    func whenRequested(on worker: Worker, while isWaiting: @escaping () -> Bool, then act: @escaping () -> Void) {
        _ = worker.schedule(after: Self.interval) {
            guard isWaiting() else { return }
            guard !self.isRequested else { return act() }
            self.whenRequested(on: worker, while: isWaiting, then: act)
        }
    }

    /// The time limit of the run, if that is what ended it.
    public var timeLimit: Duration? { self.limit.withLock { $0 } }

    /// Why a scenario that was playing did not come to its end.
    var failure: ScenarioFailure {
        guard let limit = self.timeLimit else {
            return ScenarioFailure(
                category: .error, kind: .interrupted,
                message: "the run was interrupted while this scenario was playing")
        }
        return ScenarioFailure(
            category: .failure, kind: .timeout,
            message: "the time limit of the run, \(limit.scriptText), passed while this scenario was playing",
            sections: [
                .init(
                    heading: "limit",
                    lines: ["run \(limit.scriptText); --run-timeout or limits.run in repartee.lua raises it"])
            ], limit: "run")
    }
}
