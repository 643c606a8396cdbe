public import Metrics

/// How a run on several cores stands, put together from what each of them tells once a second.
public struct CoreProgress: Sendable {
    private struct Told: Sendable {
        var progress: LoadProgress
        var result: ShardResult
    }

    private let phases: Phases
    private let run: UInt32
    private let cores: Int
    private var told: [Int: Told] = [:]
    /// The cores that have told something since the last time all were put together.
    private var fresh: Set<Int> = []
    /// The cores whose users have all gone; nobody waits for them any more.
    private var ended: Set<Int> = []

    /// - Parameters:
    ///   - cores: How many cores there are.
    ///   - phases: The parts of the run over time.
    ///   - run: The run in numbers of envelopes.
    public init(cores: Int, phases: Phases, run: UInt32) {
        self.cores = cores
        self.phases = phases
        self.run = run
    }

    /// What the cores have come to, by the number of the shard that each plays.
    public var results: [Int: ShardResult] { self.told.mapValues(\.result) }

    /// Takes over what a core tells.
    ///
    /// - Parameter shard: The number of the shard that the core plays.
    /// - Returns: How the run stands, once every core has told something new.
    public mutating func take(_ progress: LoadProgress, _ result: ShardResult, ofShard shard: Int) -> LoadProgress? {
        // What is handed over from thread to thread may come behind the end, which is newer.
        if !self.ended.contains(shard) {
            self.told[shard] = Told(progress: progress, result: result)
            self.fresh.insert(shard)
        }
        guard self.fresh.union(self.ended).count == self.cores else { return nil }
        self.fresh = []
        return self.whole
    }

    /// Notes that a core has played its part to the end, so that nobody waits for it any more; it may do so before it
    /// has told anything.
    public mutating func end(_ conclusion: LoadRun.Conclusion, ofShard shard: Int) {
        let result = conclusion.result
        self.told[shard] = Told(
            progress: LoadProgress(
                atMicroseconds: result.durationMicroseconds, users: 0, starts: conclusion.starts,
                measurements: result.measurements, deliveries: result.ledger.account(isOver: true),
                health: result.health.verdict(), failureCount: Int(result.causes.reduce(0) { $0 + $1.count }),
                causes: result.causes, mistakeCount: conclusion.mistakeCount),
            result: result)
        self.ended.insert(shard)
    }

    private var whole: LoadProgress {
        let told = self.told.sorted { $0.key < $1.key }.map(\.value)
        var measurements = Measurements(phases: self.phases)
        var ledger = Ledger(run: self.run)
        for one in told {
            // All cores have the phases of the one run, which is the only thing that keeps measurements apart.
            try? measurements.merge(one.result.measurements)
            ledger.merge(one.result.ledger)
        }
        let health = told.map(\.progress.health)
        return LoadProgress(
            atMicroseconds: told.map(\.progress.atMicroseconds).max() ?? 0,
            users: told.reduce(0) { $0 + $1.progress.users },
            starts: told.reduce(into: PacingAccount()) { $0 += $1.progress.starts },
            measurements: measurements, deliveries: ledger.account(isOver: false),
            health: health.max { $0.state < $1.state } ?? GeneratorHealth().verdict(),
            failureCount: told.reduce(0) { $0 + $1.progress.failureCount },
            causes: FailureCause.merged(told.flatMap(\.progress.causes)),
            mistakeCount: told.reduce(0) { sum, one in
                one.progress.mistakeCount.flatMap { count in sum.map { $0 + count } }
            })
    }
}
