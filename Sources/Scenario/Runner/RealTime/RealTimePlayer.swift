import Machines
import NIOCore
import RunRecord
import Transport

/// Plays on one event loop what a ``RealTimeRun`` deals to it, several scenarios at a time.
///
/// It belongs to its loop, and so do the Lua states, connections and executions that it has; it tells the run only when
/// something has ended, and what goes to the record.
final class RealTimePlayer {
    private let number: Int
    private let run: RealTimeRun
    private let worker: Worker
    private let network: SocketNetwork
    private let engines: HostPool

    /// What scenarios share, as they ask for it here.
    private let parts: any SharedParts

    /// What plays that, on the one loop where it is played.
    private let ownParts: RealTimeParts?

    /// So long a script has to say that what it just observed is a secret.
    private static let holdingTime = Duration.milliseconds(50)

    private static let watchInterval = Duration.milliseconds(50)

    /// What plays, by the numbers of attempts.
    private var playing: [Int: ScenarioExecution] = [:]

    /// Whether the plays have been told to end.
    private var isEnding = false
    private var watch: ScheduledID?

    /// Creates a player; to be called on its loop.
    ///
    /// - Parameters:
    ///   - number: The number of the loop in the run.
    ///   - home: What plays the parts that scenarios share on another loop; nil if they play here.
    init(_ number: Int, of run: RealTimeRun, on loop: any EventLoop, home: NIOLoopBound<RealTimeParts>?) {
        self.number = number
        self.run = run
        self.worker = Worker(loop: loop)
        self.network = SocketNetwork(eventLoop: loop)
        self.network.scope = self.worker
        self.engines = HostPool(run.settings)
        if let home {
            self.ownParts = nil
            self.parts = RemoteParts(home, askedOn: loop)
        } else {
            let parts = RealTimeParts(settings: run.settings, worker: self.worker, network: self.network)
            self.ownParts = parts
            self.parts = parts
        }
        self.watchForInterruption()
    }

    /// What plays the parts that scenarios share, for players on other loops; nil if it is not here.
    func home(on loop: any EventLoop) -> NIOLoopBound<RealTimeParts>? {
        self.ownParts.map { NIOLoopBound($0, eventLoop: loop) }
    }

    // MARK: Plays

    /// Begins a play.
    func begin(_ play: DealtPlay) {
        switch play {
        case .scenario(let index): self.play(index, attempt: 1, after: nil, since: self.worker.now)
        case .try(let index, let number): self.playTry(number, of: index)
        }
    }

    private func play(_ index: Int, attempt: Int, after earlier: ScenarioEnd?, since begin: Instant) {
        let start = self.worker.now
        let member = self.run.suite.members[index]
        self.begin(member, member.attempt(attempt, after: earlier), emit: self.run.emit) { end, _ in
            self.run.note(.init(end, attempt: attempt, duration: self.worker.now - start), at: index)
            if end.isRetried { return self.play(index, attempt: attempt + 1, after: end, since: begin) }
            self.run.scenarioEnded(index, end.outcome, after: self.worker.now - begin, on: self.number)
        }
    }

    private func playTry(_ number: Int, of index: Int) {
        let start = self.worker.now
        let member = self.run.suite.members[index]
        self.begin(
            member, member.attempt(number),
            emit: { [run] in run.add($0, ofTry: number, of: index) },
            onEnd: { end, evidence in
                self.run.tryEnded(end, evidence, of: index, after: self.worker.now - start, on: self.number)
            })
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
            member.definition, attempt: attempt, settings: self.run.settings, worker: self.worker,
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
        if self.isEnding { execution.end(because: self.run.interruption.failure) }
    }

    /// Ends a try that nobody needs any more because another one has ended its scenario.
    func endTry(_ number: Int, of index: Int) {
        self.playing[self.run.suite.members[index].attempt(number).index]?.end(because: Self.notNeeded)
    }

    private static let notNeeded = ScenarioFailure(
        category: .error, kind: .interrupted, message: "another try has ended the scenario")

    // MARK: Shared parts

    /// Tears down what the scenarios of a file shared, once none of them is left to be played.
    func endParts(ofFile file: String) { self.ownParts?.end(file: file) }

    /// Breaks off the shared parts that have no value yet because the run is to end.
    func breakOffParts() { self.ownParts?.end(because: self.run.interruption.failure) }

    /// Tears down all shared parts, and tells the run what went wrong in them and how long it has lasted.
    func endAllParts() {
        guard let parts = self.ownParts else { return }
        parts.endAll {
            self.stop()
            self.run.end(parts.problems, after: self.worker.now - .start)
        }
    }

    // MARK: End

    /// Ends what has nothing more to play.
    func stop() {
        if let watch = self.watch { self.worker.cancel(watch) }
        self.watch = nil
        self.engines.closeAll()
    }

    /// Breaks off what plays because the run is to end; it cleans up.
    func breakOff() {
        guard !self.isEnding else { return }
        self.isEnding = true
        for execution in self.playing.values { execution.end(because: self.run.interruption.failure) }
        self.run.brokeOff()
    }

    private func watchForInterruption() {
        self.watch = self.worker.schedule(after: Self.watchInterval) {
            self.watchForInterruption()
            let interruption = self.run.interruption
            if interruption.isUrgent {
                for execution in self.playing.values { execution.abandon(because: interruption.failure) }
                self.ownParts?.abandon(because: interruption.failure)
            } else if interruption.isRequested, !self.isEnding {
                self.run.breakOff()
            }
        }
    }
}
