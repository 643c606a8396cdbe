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
    private var playing: [Int: ScenarioExecution] = [:]

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
        while self.freeSlots > 0, self.next < self.suite.members.count, self.progress.mayBegin {
            let index = self.next
            self.next += 1
            self.freeSlots -= 1
            self.play(index)
        }
        guard self.playing.isEmpty, self.freeSlots > 0 else { return }
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

    private func play(_ index: Int, attempt: Int = 1, after rate: PassRate? = nil, since begin: Instant? = nil) {
        let member = self.suite.members[index]
        let start = self.worker.now
        let begin = begin ?? start
        let engine = self.engines.take()
        let batch = EntryBatch(self.emit) { [worker] batch in
            _ = worker.schedule(after: Self.holdingTime) { batch.flush() }
        }
        let execution = ScenarioExecution(
            member.definition, attempt: member.attempt(attempt, after: rate), settings: self.settings,
            worker: self.worker,
            network: self.network, engine: engine, emit: { batch.add($0) },
            onEnd: { end in
                self.progress.note(
                    .init(
                        outcome: end.outcome, attempt: attempt, isRetried: end.isRetried,
                        duration: self.worker.now - start, passes: end.passes, isUnreachable: end.isUnreachable))
                // The execution is still on the stack; its slot is filled when it has returned.
                _ = self.worker.schedule(after: .zero) {
                    self.playing[index] = nil
                    self.engines.giveBack(engine, after: end.outcome)
                    if end.isRetried {
                        return self.play(index, attempt: attempt + 1, after: end.passes, since: begin)
                    }
                    self.onPlayed?(member.definition.id, self.worker.now - begin, end.outcome)
                    self.left[member.definition.file, default: 0] -= 1
                    if self.left[member.definition.file] == 0 { self.parts.end(file: member.definition.file) }
                    self.freeSlots += 1
                    self.fillSlots()
                }
            })
        self.playing[index] = execution
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
