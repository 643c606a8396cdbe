import Load
import Metrics
import RunRecord
import Scenario

/// Plays the users of a load file once, by whichever clock.
struct LoadPlayer {
    private let file: LoadSetup
    private let interruption: Interruption
    private let listeners: LoadWorkers.Listeners

    init(_ file: LoadSetup, interruption: Interruption, listeners: LoadWorkers.Listeners) {
        self.file = file
        self.interruption = interruption
        self.listeners = listeners
    }

    /// Plays until the last user has gone.
    ///
    /// - Parameter start: What real time counts from; as soon as all is ready if nil.
    /// - Throws: `ShapeError` if the users cannot be dealt to as many cores.
    func play(from start: EpochTime? = nil) async throws(ShapeError) -> LoadConclusion {
        guard self.file.isVirtual else {
            return try await LoadWorkers(self.file, interruption: self.interruption, listeners: self.listeners)
                .play(from: start)
        }
        // Nobody watches a run that is over before anybody can look; it is kept on disk all the same while it goes.
        return Self.inVirtualTime(
            self.file, interruption: self.interruption, onCheckpoint: self.listeners.onCheckpoint)
    }

    /// Plays until the last user has gone, in time that moves when nothing else can happen.
    static func inVirtualTime(
        _ file: LoadSetup, interruption: Interruption = Interruption(),
        onCheckpoint: @escaping @Sendable (() -> [Int: ShardResult]) -> Void = { _ in }
    ) -> LoadConclusion {
        let pool = VirtualUserPool(settings: file.settings.execution)
        let shard = file.settings.plan.shard.index
        var conclusion: LoadRun.Conclusion?
        let run = LoadRun(
            file.suite, settings: file.settings, pool: pool, probe: NoProbe(), interruption: interruption,
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
