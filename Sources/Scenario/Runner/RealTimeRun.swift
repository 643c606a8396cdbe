import Machines
import NIOCore
import RunRecord
import Transport

/// The scenarios of a suite played in real time on one event loop, several at a time.
final class RealTimeRun {
    private let suite: ScenarioSuite
    private let settings: ExecutionSettings
    private let progress: RunProgress
    private let worker: Worker
    private let network: SocketNetwork
    private let engines: HostPool
    private let parts: RealTimeSetups

    /// So long a script has to say that what it just observed is a secret.
    private static let holdingTime = Duration.milliseconds(50)

    /// How many scenarios of each file are still to be played.
    private var left: [String: Int] = [:]
    private let emit: ([RunEntry]) -> Void
    private let onPlayed: ((String, Duration, Outcome) -> Void)?
    private let onEnd: (Duration) -> Void
    private var freeSlots: Int
    private var next = 0

    /// What plays, by the numbers of attempts.
    private var playing: [Int: ScenarioExecution] = [:]

    /// The scenarios that several tries decide, by their places.
    private var series: [Int: Series] = [:]

    /// A scenario whose tries may play at the same time.
    private struct Series {
        var tries: TryOrder
        let begin: Instant
        var playing: Set<Int> = []

        /// What tries gave whose turn has not come.
        var held: [Int: [RunEntry]] = [:]

        /// How it ended.
        var outcome = Outcome.error
    }

    /// Whether the plays have been told to end.
    private var isEnding = false

    init(
        suite: ScenarioSuite, settings: ExecutionSettings, slots: Int, progress: RunProgress, loop: any EventLoop,
        emit: @escaping ([RunEntry]) -> Void, onPlayed: ((String, Duration, Outcome) -> Void)?,
        onEnd: @escaping (Duration) -> Void
    ) {
        self.suite = suite
        self.settings = settings
        self.engines = HostPool(settings)
        self.progress = progress
        self.worker = Worker(loop: loop)
        let network = SocketNetwork(eventLoop: loop)
        network.scope = self.worker
        self.network = network
        self.parts = RealTimeSetups(settings: settings, worker: self.worker, network: self.network)
        for member in suite.members { self.left[member.definition.file, default: 0] += 1 }
        self.emit = emit
        self.onPlayed = onPlayed
        self.onEnd = onEnd
        self.freeSlots = slots
    }

    /// Begins the first scenarios; ``onEnd`` is called when the last has ended, with how long that took.
    func begin() {
        self.watchForInterruption()
        self.fillSlots()
    }

    private func fillSlots() {
        while self.freeSlots > 0 {
            if let (index, number) = self.nextTry() {
                self.freeSlots -= 1
                self.playTry(number, of: index)
                continue
            }
            guard self.next < self.suite.members.count, self.progress.mayBegin else { break }
            let index = self.next
            self.next += 1
            if let tries = self.suite.members[index].tries {
                self.series[index] = Series(tries: tries, begin: self.worker.now)
            } else {
                self.freeSlots -= 1
                self.play(index)
            }
        }
        guard self.playing.isEmpty, self.series.isEmpty, self.freeSlots > 0 else { return }
        self.skipRest()
        self.parts.endAll {
            for (number, problem) in self.parts.problems.enumerated() {
                self.emit(problem.entries(numbered: self.suite.firstFreeIndex + number))
                self.progress.note(problem.played)
            }
            self.onEnd(self.worker.now - .start)
        }
    }

    private func skipRest() {
        guard let reason = self.progress.skipReason else { return }
        for member in self.suite.members[self.next...] {
            self.emit(member.skipped(reason, seed: self.settings.seed))
            self.progress.note(.skipped(reason))
        }
        self.next = self.suite.members.count
    }

    /// Tries of scenarios that are begun come first, so that these come to an end.
    private func nextTry() -> (index: Int, number: Int)? {
        for index in self.series.keys.sorted() {
            if let number = self.series[index]?.tries.next() { return (index, number) }
        }
        return nil
    }

    private func play(_ index: Int, attempt: Int = 1, since begin: Instant? = nil) {
        let start = self.worker.now
        let begin = begin ?? start
        let member = self.suite.members[index]
        self.begin(member, member.attempt(attempt), emit: self.emit) { end, _ in
            self.progress.note(.init(end, attempt: attempt, duration: self.worker.now - start))
            if end.isRetried { return self.play(index, attempt: attempt + 1, since: begin) }
            self.freeSlots += 1
            self.ended(member, since: begin, end.outcome)
        }
    }

    private func playTry(_ number: Int, of index: Int) {
        let start = self.worker.now
        let member = self.suite.members[index]
        let attempt = member.attempt(number)
        self.series[index]?.playing.insert(attempt.index)
        self.begin(
            member, attempt,
            emit: { entries in
                guard let tries = self.series[index]?.tries, !tries.isOver else { return }
                if number == tries.head { return self.emit(entries) }
                self.series[index]?.held[number, default: []] += entries
            },
            onEnd: { end, evidence in
                self.freeSlots += 1
                self.tryEnded(end, evidence, attempt, of: index, after: self.worker.now - start)
            })
    }

    private func tryEnded(
        _ end: ScenarioEnd, _ evidence: TryEvidence, _ attempt: ScenarioAttempt, of index: Int,
        after duration: Duration
    ) {
        guard var series = self.series[index] else { return }
        series.playing.remove(attempt.index)
        for (number, end) in series.tries.add(end, evidence) {
            self.emit((series.held.removeValue(forKey: number) ?? []) + [.scenarioEnded(end)])
            self.progress.note(.init(end, attempt: number, duration: duration))
            if !end.isRetried { series.outcome = end.outcome }
        }
        if let entries = series.held.removeValue(forKey: series.tries.head), !series.tries.isOver {
            self.emit(entries)
        }
        self.series[index] = series
        guard series.tries.isOver else { return self.fillSlots() }
        // One that broke has ended the scenario; what the others come to is not asked any more.
        for other in series.playing { self.playing[other]?.end(because: Self.notNeeded) }
        guard series.playing.isEmpty else { return self.fillSlots() }
        self.series[index] = nil
        self.ended(self.suite.members[index], since: series.begin, series.outcome)
    }

    private static let notNeeded = ScenarioFailure(
        category: .error, typeName: "interrupted", message: "another try has ended the scenario")

    /// Takes note that a scenario has ended.
    private func ended(_ member: ScenarioSuite.Member, since begin: Instant, _ outcome: Outcome) {
        self.onPlayed?(member.definition.id, self.worker.now - begin, outcome)
        self.left[member.definition.file, default: 0] -= 1
        if self.left[member.definition.file] == 0 { self.parts.end(file: member.definition.file) }
        self.fillSlots()
    }

    /// Begins an attempt; the end of a try is handed over by whoever judges it.
    private func begin(
        _ member: ScenarioSuite.Member, _ attempt: ScenarioAttempt, emit: @escaping ([RunEntry]) -> Void,
        onEnd: @escaping (ScenarioEnd, TryEvidence) -> Void
    ) {
        let engine = self.engines.take()
        let batch = EntryBatch(emit) { [worker] batch in
            _ = worker.schedule(after: Self.holdingTime) { batch.flush() }
        }
        let execution = ScenarioExecution(
            member.definition, attempt: attempt, settings: self.settings, worker: self.worker,
            network: self.network, engine: engine, emit: batch.add,
            onEnd: { end in
                batch.end(attempt, end)
                // The execution is still on the stack; its slot is filled when it has returned.
                _ = self.worker.schedule(after: .zero) {
                    let evidence = self.playing.removeValue(forKey: attempt.index)?.evidence
                    self.engines.giveBack(engine, after: end.outcome)
                    onEnd(end, evidence ?? TryEvidence(number: attempt.number, isWhole: false))
                }
            })
        self.playing[attempt.index] = execution
        execution.shared.parts = self.parts
        execution.start(member.file)
        if self.isEnding { execution.end(because: self.progress.interruption.failure) }
    }

    private func watchForInterruption() {
        _ = self.worker.schedule(after: .milliseconds(50)) {
            let interruption = self.progress.interruption
            if interruption.isUrgent {
                for execution in self.playing.values { execution.abandon(because: interruption.failure) }
                self.parts.abandon(because: interruption.failure)
            } else if interruption.isRequested, !self.isEnding {
                self.isEnding = true
                for execution in self.playing.values { execution.end(because: interruption.failure) }
                self.parts.end(because: interruption.failure)
            }
            if !self.playing.isEmpty || self.parts.isPlaying { self.watchForInterruption() }
        }
    }
}
