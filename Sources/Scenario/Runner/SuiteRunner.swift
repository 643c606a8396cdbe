import ChatCore
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
                    target: self.targetName, startedAt: startedAt, plannedScenarios: self.suite.members.count))
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
        if self.workers == 1 {
            for index in self.suite.members.indices {
                guard progress.mayBegin else { break }
                progress.note(self.playInVirtualTime(index, interruption: interruption, emit: emit))
            }
        } else {
            await self.playInVirtualTimeInParallel(progress, emit: emit)
        }
        return progress.end
    }

    private var targetName: String {
        if case .named(let name, _) = self.settings.destination { name } else { "embedded" }
    }

    /// Plays one scenario on a time line of its own; returns its outcome and how long it took on that line.
    private func playInVirtualTime(
        _ index: Int, interruption: Interruption, emit: @escaping ([RunEntry]) -> Void
    ) -> RunProgress.Played {
        let worker = Worker()
        let batch = EntryBatch(emit)
        let member = self.suite.members[index]
        var outcome: Outcome?
        let play = ScenarioPlay(
            member.definition, index: index, settings: self.settings, worker: worker,
            network: MemoryNetwork(scheduler: worker),
            emit: { batch.add($0) }, onEnd: { outcome = $0 })
        play.start(member.file)
        let stop = worker.runVirtually { outcome != nil || interruption.isRequested }
        if outcome == nil {
            play.abandon(
                because: stop == .nothingCanHappen
                    ? ScenarioFailure(
                        category: .error, typeName: "deadlock",
                        message:
                            "nothing can happen any more: no script is ready, no timer runs and no byte is under way")
                    : .interrupted)
        }
        return RunProgress.Played(outcome: outcome ?? .error, duration: worker.now - .start)
    }

    /// Plays scenarios on several threads; their entries come out in the order of the suite.
    private func playInVirtualTimeInParallel(
        _ progress: RunProgress, emit: @escaping @Sendable ([RunEntry]) -> Void
    ) async {
        await withTaskGroup(of: (Int, RunProgress.Played, [RunEntry]).self) { group in
            var next = 0
            var emitted = 0
            var waiting: [Int: (RunProgress.Played, [RunEntry])] = [:]
            let interruption = progress.interruption
            func begin() {
                guard next < self.suite.members.count, progress.mayBegin else { return }
                let index = next
                next += 1
                group.addTask {
                    var entries: [RunEntry] = []
                    let played = self.playInVirtualTime(index, interruption: interruption) {
                        entries += $0
                    }
                    return (index, played, entries)
                }
            }
            for _ in 0..<self.workers { begin() }
            for await (index, played, entries) in group {
                waiting[index] = (played, entries)
                while let (played, entries) = waiting.removeValue(forKey: emitted) {
                    emit(entries)
                    progress.note(played)
                    emitted += 1
                }
                begin()
            }
        }
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
                emit: emit, onEnd: { promise.succeed(progress.end) }
            ).begin()
        }
        // The promise is always kept: a run ends when its last scenario has, and each has a time limit.
        let end = try? await promise.futureResult.get()
        await loop.shutDown()
        return end ?? RunEnd(counts: OutcomeCounts(), durationNanoseconds: 0, isInterrupted: true)
    }
}
