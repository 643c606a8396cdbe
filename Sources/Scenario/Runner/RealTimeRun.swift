import ChatCore
import NIOCore
import RunRecord
import Transport

/// The scenarios of a suite played in real time on one event loop, several at a time.
final class RealTimeRun {
    private let suite: ScenarioSuite
    private let settings: PlaySettings
    private let progress: RunProgress
    private let worker: Worker
    private let network: SocketNetwork
    private let engines = EnginePool()
    private let emit: ([RunEntry]) -> Void
    private let onEnd: () -> Void
    private var freeSlots: Int
    private var next = 0
    private var playing: [Int: ScenarioPlay] = [:]

    init(
        suite: ScenarioSuite, settings: PlaySettings, slots: Int, progress: RunProgress, loop: any EventLoop,
        emit: @escaping ([RunEntry]) -> Void, onEnd: @escaping () -> Void
    ) {
        self.suite = suite
        self.settings = settings
        self.progress = progress
        self.worker = Worker(loop: loop)
        self.network = SocketNetwork(eventLoop: loop)
        self.emit = emit
        self.onEnd = onEnd
        self.freeSlots = slots
    }

    /// Begins the first scenarios; ``onEnd`` is called when the last has ended.
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
        if self.playing.isEmpty, self.freeSlots > 0 { self.onEnd() }
    }

    private func play(_ index: Int) {
        let member = self.suite.members[index]
        let start = self.worker.now
        let engine = self.engines.take()
        let play = ScenarioPlay(
            member.definition, index: index, settings: self.settings, worker: self.worker, network: self.network,
            engine: engine, emit: { [emit] in emit([$0]) },
            onEnd: { outcome in
                self.progress.note(.init(outcome: outcome, duration: self.worker.now - start))
                // The play is still on the stack; its slot is filled when it has returned.
                _ = self.worker.schedule(after: .zero) {
                    self.playing[index] = nil
                    self.engines.giveBack(engine, after: outcome)
                    self.freeSlots += 1
                    self.fillSlots()
                }
            })
        self.playing[index] = play
        play.start(member.file)
    }

    private func watchForInterruption() {
        _ = self.worker.schedule(after: .milliseconds(50)) {
            guard self.progress.interruption.isRequested else {
                if !self.playing.isEmpty { self.watchForInterruption() }
                return
            }
            for play in self.playing.values { play.abandon(because: .interrupted) }
        }
    }
}
