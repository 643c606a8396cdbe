import Load
import Metrics
import RunRecord
import Scenario

/// Plays the users of a load run once, by whichever clock.
struct LoadPlayer {
    private let setup: LoadSetup
    private let interruption: Interruption
    private let listeners: LoadWorkers.Listeners

    init(_ setup: LoadSetup, interruption: Interruption, listeners: LoadWorkers.Listeners) {
        self.setup = setup
        self.interruption = interruption
        self.listeners = listeners
    }

    /// Plays until the last user has gone.
    ///
    /// - Parameter start: What real time counts from; as soon as all is ready if nil.
    /// - Throws: `ShapeError` if the users cannot be dealt to as many cores.
    func play(from start: EpochTime? = nil) async throws(ShapeError) -> LoadConclusion {
        guard self.setup.isVirtual else {
            return try await LoadWorkers(self.setup, interruption: self.interruption, listeners: self.listeners)
                .play(from: start)
        }
        // Nobody watches a run that is over before anybody can look; it is kept on disk all the same while it goes.
        return Self.inVirtualTime(
            self.setup, interruption: self.interruption, onCheckpoint: self.listeners.onCheckpoint)
    }

    /// Plays until the last user has gone, in time that moves when nothing else can happen.
    static func inVirtualTime(
        _ setup: LoadSetup, interruption: Interruption = Interruption(),
        onCheckpoint: @escaping @Sendable (() -> [Int: ShardResult]) -> Void = { _ in }
    ) -> LoadConclusion {
        let pool = VirtualUserPool(settings: setup.settings.execution)
        let shard = setup.settings.plan.shard.index
        var conclusion: LoadRun.Conclusion?
        let run = LoadRun(
            setup.suite, settings: setup.settings, pool: pool, probe: NoProbe(), interruption: interruption,
            onCheckpoint: { result in onCheckpoint { [shard: result()] } }, onEnd: { conclusion = $0 })
        run.begin()
        while conclusion == nil {
            if !pool.runVirtually(until: { conclusion != nil }) { run.interrupt(within: .zero) }
        }
        pool.close()
        guard let conclusion else { preconditionFailure("an interrupted run ends") }
        return LoadConclusion([shard: conclusion])
    }
}
