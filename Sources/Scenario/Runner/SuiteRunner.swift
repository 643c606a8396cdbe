import Machines
import NIOCore
public import RunRecord
import Synchronization
import Transport

/// Plays the scenarios of a suite and tells what happens, entry by entry.
public struct SuiteRunner: Sendable {
    /// How many scenarios are played at the same time: threads in virtual time, conversations in real time.
    public var workers: Int

    /// Whether nothing new is begun after the first scenario that does not pass.
    public var failsFast: Bool

    /// Tells how much time has passed on the monotonic clock of the machine since some instant; nothing reads a clock here.
    public var stopwatch: @Sendable () -> Duration = { .zero }

    /// Is told of each scenario its id, how long all attempts at it took by the monotonic clock of the machine, and how
    /// the last one ended; from any thread. A run in virtual time says nothing of that, for its record is always the same.
    public var onPlayed: (@Sendable (_ id: String, _ elapsed: Duration, _ outcome: Outcome) -> Void)?

    private let suite: ScenarioSuite
    private let settings: PlaySettings

    /// Creates a runner.
    public init(_ suite: ScenarioSuite, settings: PlaySettings, workers: Int = 1, failsFast: Bool = false) {
        self.suite = suite
        self.settings = settings
        self.workers = max(1, workers)
        self.failsFast = failsFast
    }

    /// Plays all scenarios.
    ///
    /// - Parameters:
    ///   - toolVersion: The version to note in the run record.
    ///   - startedAt: The wall-clock time to note, or nil for a record that is the same in every run.
    ///   - interruption: Set from outside to end the run early.
    ///   - emit: Gets the entries in order; called from one thread at a time.
    /// - Returns: The counts.
    public func run(
        toolVersion: String, startedAt: String?, interruption: Interruption,
        emit: @escaping @Sendable ([RunEntry]) -> Void
    ) async -> RunEnd {
        emit([
            .runStarted(
                RunStart(
                    toolVersion: toolVersion, seed: self.settings.seed,
                    clock: self.settings.isVirtual ? .virtual : .real,
                    target: self.targetName, startedAt: startedAt, shard: self.suite.shard,
                    plannedScenarios: self.suite.members.count))
        ])
        let end: RunEnd
        if self.settings.isVirtual {
            end = await self.playInVirtualTime(interruption, emit: emit)
        } else {
            end = await self.playInRealTime(interruption, emit: emit)
        }
        emit([.runEnded(end)])
        return end
    }

    private func playInVirtualTime(
        _ interruption: Interruption, emit: @escaping @Sendable ([RunEntry]) -> Void
    ) async -> RunEnd {
        let progress = RunProgress(failsFast: self.failsFast, interruption: interruption)
        guard self.workers == 1 else {
            return await self.playInVirtualTimeInParallel(
                PlayOrder(count: self.suite.members.count, progress: progress, emit: emit), interruption)
        }
        let engines = EnginePool()
        let parts = VirtualSharedParts(settings: self.settings, interruption: interruption)
        for index in self.suite.members.indices {
            guard progress.mayBegin else { break }
            let attempts = self.playInVirtualTime(index, engines, parts, interruption: interruption, emit: emit)
            attempts.forEach(progress.note)
        }
        for (number, problem) in parts.problems.enumerated() {
            emit(problem.entries(numbered: self.suite.firstFreeIndex + number))
            progress.note(problem.played)
        }
        return progress.end
    }

    /// Plays scenarios on several threads; their entries come out in the order of the suite.
    private func playInVirtualTimeInParallel(_ order: PlayOrder, _ interruption: Interruption) async -> RunEnd {
        let parts = VirtualSharedParts(settings: self.settings, interruption: interruption)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<self.workers {
                group.addTask {
                    let engines = EnginePool()
                    while let index = order.next() {
                        var entries: [RunEntry] = []
                        let played = self.playInVirtualTime(index, engines, parts, interruption: interruption) {
                            entries += $0
                        }
                        order.add(index, played, entries)
                        // The threads of the process are as many as its processors; reports and signals need one, too.
                        await Task.yield()
                    }
                }
            }
        }
        order.add(parts.problems, from: self.suite.firstFreeIndex)
        return order.end
    }

    private var targetName: String {
        if case .named(let name, _) = self.settings.destination { name } else { "embedded" }
    }

    /// Plays one scenario until an attempt is not followed by another.
    private func playInVirtualTime(
        _ index: Int, _ engines: EnginePool, _ parts: VirtualSharedParts, interruption: Interruption,
        emit: @escaping ([RunEntry]) -> Void
    ) -> [RunProgress.Played] {
        let member = self.suite.members[index]
        let start = self.stopwatch()
        var attempts: [RunProgress.Played] = []
        repeat {
            let attempt = member.attempt(attempts.count + 1)
            attempts.append(
                self.playInVirtualTime(member, attempt, engines, parts, interruption: interruption, emit: emit))
        } while attempts.last?.isRetried == true
        self.onPlayed?(member.definition.id, self.stopwatch() - start, attempts.last?.outcome ?? .error)
        return attempts
    }

    /// Plays one attempt on a time line of its own; returns its outcome and how long it took on that line.
    private func playInVirtualTime(
        _ member: ScenarioSuite.Member, _ attempt: ScenarioAttempt, _ engines: EnginePool,
        _ parts: VirtualSharedParts, interruption: Interruption,
        emit: @escaping ([RunEntry]) -> Void
    ) -> RunProgress.Played {
        let worker = Worker()
        let engine = engines.take()
        let batch = EntryBatch(emit)
        var end: ScenarioEnd?
        let play = ScenarioPlay(
            member.definition, attempt: attempt, settings: self.settings, worker: worker,
            network: MemoryNetwork(scheduler: worker), engine: engine,
            emit: { batch.add($0) }, onEnd: { end = $0 })
        play.sharedParts = parts
        play.start(member.file)
        worker.play(play, interruption: interruption) { end != nil }
        engines.giveBack(engine, after: end?.outcome ?? .error)
        return RunProgress.Played(
            outcome: end?.outcome ?? .error, attempt: attempt.number, isRetried: end?.isRetried ?? false,
            duration: worker.now - .start)
    }

    private func playInRealTime(
        _ interruption: Interruption, emit: @escaping @Sendable ([RunEntry]) -> Void
    ) async -> RunEnd {
        let loop = SocketLoop()
        let eventLoop = loop.eventLoop
        let promise = eventLoop.makePromise(of: RunEnd.self)
        eventLoop.execute {
            let progress = RunProgress(failsFast: self.failsFast, interruption: interruption)
            RealTimeRun(
                suite: self.suite, settings: self.settings, slots: self.workers, progress: progress, loop: eventLoop,
                emit: emit, onPlayed: self.onPlayed, onEnd: { promise.succeed(progress.end) }
            ).begin()
        }
        // The promise is always kept: a run ends when its last scenario has, and each has a time limit.
        let end = try? await promise.futureResult.get()
        await loop.shutDown()
        return end ?? RunEnd(counts: OutcomeCounts(), durationNanoseconds: 0, isInterrupted: true)
    }
}

extension ScenarioFailure {
    /// A scenario in virtual time whose time cannot move any more.
    static let deadlock = ScenarioFailure(
        category: .error, typeName: "deadlock",
        message: "nothing can happen any more: no script is ready, no timer runs and no byte is under way")
}
