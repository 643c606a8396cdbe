import Machines
import NIOCore
public import RunRecord
import Synchronization
import Transport

/// Plays the scenarios of a suite and tells what happens, entry by entry.
public struct SuiteRunner: Sendable {
    /// How many scenarios are played at the same time: threads in virtual time, conversations in real time.
    public var workers: Int

    /// On how many event loops conversations in real time are spread at most: as many as can run at the same time.
    public var processors = System.coreCount

    /// After so many scenarios that do not pass nothing new is begun, and the others are skipped; nil for no limit.
    public var failureLimit: Int?

    /// Whether a real target is tried before the first scenario begins.
    public var triesTarget = true

    /// Tells how much time has passed on the monotonic clock of the machine since some instant; nothing reads a clock
    /// here.
    public var stopwatch: @Sendable () -> Duration = { .zero }

    /// Is told of each scenario its id, how long all attempts at it took by the monotonic clock of the machine, and how
    /// the last one ended; from any thread. A run in virtual time says nothing of that, for its record is always the
    /// same.
    public var onPlayed: (@Sendable (_ id: String, _ elapsed: Duration, _ outcome: Outcome) -> Void)?

    /// Is told of each attempt at a scenario that it begins; from any thread, where several play before its entry is
    /// handed over.
    public var onBegin: (@Sendable (ScenarioStart) -> Void)?

    /// Holds scenarios in virtual time before whatever they do next; with one worker only.
    public var gate: PlayGate?

    private let suite: ScenarioSuite
    private let settings: ExecutionSettings

    /// Creates a runner.
    public init(_ suite: ScenarioSuite, settings: ExecutionSettings, workers: Int = 1, failureLimit: Int? = nil) {
        self.suite = suite
        self.settings = settings
        self.workers = max(1, workers)
        self.failureLimit = failureLimit
    }

    /// Plays all scenarios.
    ///
    /// - Parameters:
    ///   - toolVersion: The version to note in the run record.
    ///   - startedAt: The wall-clock time to note, or nil for a record that is the same in every run.
    ///   - interruption: Set from outside to end the run early.
    ///   - report: Gets the entries in order; called from one thread at a time.
    /// - Returns: The counts.
    public func run(
        toolVersion: String, startedAt: String?, interruption: Interruption,
        emit report: @escaping @Sendable ([RunEntry]) -> Void
    ) async -> RunEnd {
        let record = SharedRecord(report)
        let emit: @Sendable ([RunEntry]) -> Void = record.add
        emit([
            .runStarted(
                RunStart(
                    toolVersion: toolVersion, seed: self.settings.seed,
                    clock: self.settings.isVirtual ? .virtual : .real,
                    target: self.settings.destination.name, startedAt: startedAt, shard: self.suite.shard,
                    plannedScenarios: self.suite.members.count, fault: self.settings.disturbance.fault?.name.description
                ))
        ])
        let cases = self.suite.outsideCases
        for (place, problem) in cases.enumerated() {
            emit(problem.entries(numbered: self.suite.index(ofOutsideCase: place), seed: self.settings.seed))
        }
        var end: RunEnd
        if self.settings.isVirtual {
            end = await self.playInVirtualTime(interruption, emit: emit)
        } else {
            end = await self.playInRealTime(interruption, emit: emit)
        }
        end.robustness = record.rates
        end.usage = record.usage
        if let plan = self.suite.shard?.plan {
            let reads = self.settings.files.reads
            let read = self.settings.digests(of: Set(reads.dates.keys).subtracting(reads.written))
            end.files = read.filter { plan.files[$0.key] == nil }
        }
        emit([.runEnded(end)])
        return end
    }

    private func playInVirtualTime(
        _ interruption: Interruption, emit: @escaping @Sendable ([RunEntry]) -> Void
    ) async -> RunEnd {
        let progress = self.progress(interruption)
        guard self.workers == 1 else {
            return await self.playInVirtualTimeInParallel(
                ExecutionOrder(self.suite, seed: self.settings.seed, progress: progress, emit: emit), interruption)
        }
        let engines = HostPool(self.settings)
        let parts = VirtualTimeParts(settings: self.settings, interruption: interruption)
        for index in self.suite.members.indices {
            guard progress.mayBegin else {
                guard let reason = progress.skipReason else { break }
                emit(self.suite.members[index].skipped(reason, seed: self.settings.seed))
                progress.note(.skipped(reason), at: index)
                continue
            }
            let attempts = self.playAttempts(at: index, engines, parts, interruption: interruption, emit: emit)
            for attempt in attempts { progress.note(attempt, at: index) }
        }
        for (number, problem) in parts.problems.enumerated() {
            emit(problem.entries(numbered: self.suite.firstFreeIndex + number))
            progress.note(problem)
        }
        return progress.end
    }

    /// Plays scenarios on several threads; their entries come out in the order of the suite.
    private func playInVirtualTimeInParallel(_ order: ExecutionOrder, _ interruption: Interruption) async -> RunEnd {
        let parts = VirtualTimeParts(settings: self.settings, interruption: interruption)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<self.workers {
                group.addTask {
                    let engines = HostPool(self.settings)
                    while let job = await order.next(at: self.stopwatch()) {
                        self.play(job, of: order, engines, parts, interruption: interruption)
                        // The threads of the process are as many as its processors; reports and signals need one, too.
                        await Task.yield()
                    }
                }
            }
        }
        order.skipRest()
        order.add(parts.problems, from: self.suite.firstFreeIndex)
        return order.end
    }

    /// The progress of a run that begins; files that cannot be loaded count already.
    private func progress(_ interruption: Interruption) -> RunProgress {
        let progress = RunProgress(failureLimit: self.failureLimit, interruption: interruption)
        self.suite.outsideCases.forEach(progress.note)
        return progress
    }

    /// Plays what one of several threads was dealt.
    private func play(
        _ job: DealtPlay, of order: ExecutionOrder, _ engines: HostPool, _ parts: VirtualTimeParts,
        interruption: Interruption
    ) {
        var entries: [RunEntry] = []
        let emit = { (new: [RunEntry]) in
            if case .scenarioStarted(let start)? = new.first { self.onBegin?(start) }
            entries += new
        }
        switch job {
        case .scenario(let index):
            let played = self.playAttempts(at: index, engines, parts, interruption: interruption, emit: emit)
            order.add(index, played, entries)
        case .try(let index, let number):
            let member = self.suite.members[index]
            let attempt = self.playAttempt(
                member, member.attempt(number), engines, parts, interruption: interruption, emit: emit)
            if let (begin, outcome) = order.add(index, attempt, entries) {
                self.onPlayed?(member.definition.id, self.stopwatch() - begin, outcome)
            }
        }
    }

    /// Plays one scenario in virtual time until an attempt is not followed by another.
    private func playAttempts(
        at index: Int, _ engines: HostPool, _ parts: VirtualTimeParts, interruption: Interruption,
        emit: @escaping ([RunEntry]) -> Void
    ) -> [RunProgress.Played] {
        let member = self.suite.members[index]
        let start = self.stopwatch()
        var attempts: [RunProgress.Played] = []
        let play = { (number: Int, earlier: ScenarioEnd?) in
            self.playAttempt(
                member, member.attempt(number, after: earlier), engines, parts, interruption: interruption, emit: emit)
        }
        if var tries = member.tries {
            while let number = tries.next() {
                let attempt = play(number, nil)
                for (number, end) in tries.add(attempt.end, attempt.evidence) {
                    emit([.scenarioEnded(end)])
                    attempts.append(.init(end, attempt: number, duration: attempt.duration))
                }
            }
        } else {
            var earlier: ScenarioEnd?
            repeat {
                let number = attempts.count + 1
                let attempt = play(number, earlier)
                earlier = attempt.end
                attempts.append(.init(attempt.end, attempt: number, duration: attempt.duration))
            } while attempts.last?.isRetried == true
        }
        self.onPlayed?(member.definition.id, self.stopwatch() - start, attempts.last?.outcome ?? .error)
        return attempts
    }

    /// Plays one attempt on a virtual time line of its own; the end of a try is handed over by whoever judges it.
    private func playAttempt(
        _ member: ScenarioSuite.Member, _ attempt: ScenarioAttempt, _ engines: HostPool,
        _ parts: VirtualTimeParts, interruption: Interruption,
        emit: @escaping ([RunEntry]) -> Void
    ) -> PlayedAttempt {
        let worker = Worker()
        defer { worker.end() }
        let engine = engines.take()
        let batch = EntryBatch(emit)
        let begin = self.stopwatch()
        var end: ScenarioEnd?
        let execution = ScenarioExecution(
            member.definition, attempt: attempt, settings: self.settings, worker: worker,
            network: MemoryNetwork(scheduler: worker), engine: engine, emit: batch.add,
            onEnd: { ended in
                var ended = ended
                // For reports and not for the record.
                ended.wallNanoseconds = (self.stopwatch() - begin).clampedNanoseconds
                batch.end(attempt, ended)
                end = ended
            })
        execution.shared.parts = parts
        if let gate = self.gate { worker.beforeResuming = { gate.pass { batch.flush() } } }
        execution.start(member.file)
        worker.play(execution, interruption: interruption) { end != nil }
        engines.giveBack(engine, after: end?.outcome ?? .error)
        return PlayedAttempt(
            // Whoever plays it does so until it has ended.
            end: end ?? ScenarioEnd(index: attempt.index, atNanoseconds: 0, outcome: .error),
            evidence: execution.evidence ?? TryEvidence(number: attempt.number, isWhole: false),
            duration: worker.now - .start)
    }

    private func playInRealTime(
        _ interruption: Interruption, emit: @escaping @Sendable ([RunEntry]) -> Void
    ) async -> RunEnd {
        var unreachable: OutsideCase?
        if self.triesTarget, let first = self.suite.members.first {
            let preflight = TargetPreflight(of: self.settings.destination)
            unreachable = await preflight.deadTarget(replayedBy: first.definition.file, unless: interruption)
        }
        let progress = self.progress(interruption)
        if let unreachable {
            let number = self.suite.index(ofOutsideCase: self.suite.outsideCases.count)
            emit(unreachable.entries(numbered: number, seed: self.settings.seed))
            progress.note(unreachable)
            progress.stop(because: "not begun: nobody answers at the target \(self.settings.destination.name)")
        }
        return await RealTimeRun(
            self.suite, settings: self.settings, slots: self.workers, processors: self.processors, progress: progress,
            interruption: interruption, emit: emit, onPlayed: self.onPlayed
        ).play()
    }
}

extension ScenarioFailure {
    /// A scenario in virtual time whose time cannot move any more.
    static let deadlock = ScenarioFailure(
        category: .error, kind: .deadlock,
        message: "nothing can happen any more: no script is ready, no timer runs and no byte is under way")
}
