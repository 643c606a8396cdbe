import Dispatch
import Load
import Machines
import Metrics
import NIOCore
import RunRecord
import Scenario
import Synchronization
import Transport

/// Plays the users of a run in real time on as many cores as it is to have: each has a thread with an event loop, a Lua
/// state and a part of the users, as a shard on a machine of its own has.
///
/// What each core measures is put together once a second, on a thread beside theirs, for those who watch the run, for
/// what is kept on disk, and for the thresholds that may end it.
final class LoadWorkers: Sendable {
    /// What the run tells while it goes.
    struct Listeners: Sendable {
        let onProgress: @Sendable (LoadProgress) -> Void
        /// Gets what makes the results by shard; called once a second.
        let onCheckpoint: @Sendable (() -> [Int: ShardResult]) -> Void
    }

    /// The loop of one core and the users on it.
    private struct Core: Sendable {
        let loop = SocketLoop()
        let shard: Int
        let settings: LoadSettings
    }

    /// What one core plays, and where.
    private struct Part {
        let run: LoadRun
        let pool: VirtualUserPool
    }

    private let suite: ScenarioSuite
    private let settings: LoadSettings
    private let cores: [Core]
    private let medium: VirtualUserPool.Medium
    private let interruption: Interruption
    private let listeners: Listeners
    private let queue = DispatchQueue(label: "repartee.cores")
    private let progress: Mutex<CoreProgress>
    /// Ends the part of each core before its time.
    private let aborts = Mutex<[@Sendable (ShardResult.Ending) -> Void]>([])

    /// - Throws: `ShapeError` if the shape cannot be dealt to as many cores.
    init(
        _ setup: LoadSetup, interruption: Interruption, listeners: Listeners
    ) throws(ShapeError) {
        self.suite = setup.suite
        self.settings = setup.settings
        self.medium = setup.usesSockets ? .sockets(setup.sockets) : .memory
        self.interruption = interruption
        self.listeners = listeners
        var cores: [Core] = []
        for number in 1...setup.settings.cores {
            let settings = try setup.settings.part(ofCore: number)
            cores.append(Core(shard: settings.plan.shard.index, settings: settings))
        }
        self.cores = cores
        self.progress = Mutex(
            CoreProgress(cores: cores.count, phases: setup.settings.phases, run: setup.settings.run))
    }

    /// Plays until the last user of every core has gone.
    ///
    /// - Parameter start: What time counts from; as soon as all cores are ready if nil.
    func play(from start: EpochTime?) async -> LoadConclusion {
        let coordination =
            self.cores.count > 1
            ? SharedCoordination(
                on: self.cores[0].loop.eventLoop, limit: self.settings.execution.project.heldMemoryLimit) : nil
        var promises: [EventLoopPromise<LoadRun.Conclusion>] = []
        var parts: [EventLoopFuture<NIOLoopBound<Part>>] = []
        for core in self.cores {
            let promise = core.loop.eventLoop.makePromise(of: LoadRun.Conclusion.self)
            promises.append(promise)
            parts.append(core.loop.eventLoop.submit { self.part(of: core, coordination, promise) })
        }
        let complaint = await self.begin(parts, from: AgreedStart(time: start))
        var conclusions: [Int: LoadRun.Conclusion] = [:]
        for (core, promise) in zip(self.cores, promises) {
            // The promise is always kept: every user has a time limit.
            guard let conclusion = try? await promise.futureResult.get() else {
                preconditionFailure("a run always ends")
            }
            conclusions[core.shard] = conclusion
        }
        self.queue.sync {}
        for core in self.cores { await core.loop.shutDown() }
        return LoadConclusion(
            conclusions, complaints: (complaint.map { [$0] } ?? []) + (coordination?.complaints ?? []))
    }

    /// Lets the parts of all cores begin, whose time lines count from one instant: a text says by that of its sender
    /// when it was sent.
    ///
    /// - Returns: What is wrong with when they begin; nil if nothing is.
    private func begin(_ parts: [EventLoopFuture<NIOLoopBound<Part>>], from start: AgreedStart) async -> String? {
        var ready: [(NIOLoopBound<Part>, any EventLoop)] = []
        for part in parts { if let bound = try? await part.get() { ready.append((bound, part.eventLoop)) } }
        let clocks = WallClock.reading
        let now = EpochTime(nanoseconds: clocks.epochNanoseconds)
        let origin = clocks.deadline + .nanoseconds(start.delay(at: now).clampedNanoseconds)
        for (part, loop) in ready {
            loop.scheduleTask(deadline: origin) { part.value.run.begin(at: part.value.pool.instant(of: origin)) }
        }
        return start.complaint(at: now, shards: self.settings.plan.shard.count)
    }

    /// Makes what one core plays.
    private func part(
        of core: Core, _ coordination: SharedCoordination?, _ promise: EventLoopPromise<LoadRun.Conclusion>
    ) -> NIOLoopBound<Part> {
        let loop = core.loop.eventLoop
        let pool = VirtualUserPool(
            settings: core.settings.execution, loop: loop, medium: self.medium, coordination: coordination)
        var last: LoadProgress?
        let run = LoadRun(
            self.suite, settings: core.settings, pool: pool, probe: ProcessProbe(), interruption: self.interruption,
            onProgress: { last = $0 },
            onCheckpoint: { result in
                guard let progress = last else { return }
                self.tell(progress, result, of: core)
            },
            onEnd: { conclusion in
                pool.close()
                self.progress.withLock { $0.end(conclusion, ofShard: core.shard) }
                promise.succeed(conclusion)
            })
        if self.cores.count > 1 {
            let bound = NIOLoopBound(run, eventLoop: loop)
            self.aborts.withLock { $0.append { ending in loop.execute { bound.value.abort(ending) } } }
        }
        return NIOLoopBound(Part(run: run, pool: pool), eventLoop: loop)
    }

    /// Takes over what a core has come to, on its own thread.
    private func tell(_ progress: LoadProgress, _ result: () -> ShardResult, of core: Core) {
        guard self.cores.count > 1 else {
            self.listeners.onProgress(progress)
            return self.listeners.onCheckpoint { [core.shard: result()] }
        }
        let result = result()
        self.queue.async { [self] in
            let whole = self.progress.withLock { $0.take(progress, result, ofShard: core.shard) }
            guard let whole else { return }
            self.listeners.onProgress(whole)
            self.listeners.onCheckpoint { self.progress.withLock(\.results) }
            let reason =
                self.settings.mayAbort
                ? self.settings.abortReason(
                    whole.measurements, whole.deliveries, atMicroseconds: whole.atMicroseconds) : nil
            let ending: ShardResult.Ending? = reason.map { .aborted($0) } ?? (whole.isHopeless ? .mistaken : nil)
            guard let ending else { return }
            for abort in self.aborts.withLock({ $0 }) { abort(ending) }
        }
    }
}
