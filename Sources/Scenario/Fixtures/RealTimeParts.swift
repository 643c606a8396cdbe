import JSON
import Machines
import RunRecord
import Transport

/// Plays shared parts in real time beside the scenarios, on their event loop.
final class RealTimeParts {
    private final class Slot {
        let part: SharedPart
        let engine: any ScriptHost
        var execution: ScenarioExecution?
        var value: SharedValue?
        var waiting: [(SharedValue) -> Void] = []
        var entries: [RunEntry] = []
        var outcome: Outcome?
        let begin: Instant

        init(_ part: SharedPart, engine: any ScriptHost, begin: Instant) {
            self.part = part
            self.engine = engine
            self.begin = begin
        }
    }

    /// So many plays that went wrong are kept; a load test may make many.
    private static let mostProblems = 1000

    private let settings: ExecutionSettings
    private let worker: Worker
    private let network: any Network

    /// In the order in which they were first asked for.
    private var slots: [Slot] = []
    private var askers = PartAskers()

    /// What parts gave that could not be made: whoever asks later fails for the same reason, as in virtual time.
    private var failed: [SharedPart.Key: SharedValue] = [:]
    private(set) var problems: [SharedCase] = []

    /// What went wrong with parts that were made or skipped, of which no user heard.
    private(set) var endingProblems: [Problem] = []
    private var onAllEnded: (() -> Void)?

    init(settings: ExecutionSettings, worker: Worker, network: any Network) {
        self.settings = settings
        self.worker = worker
        self.network = network
    }

    /// Tears down what the scenarios of a file shared, once none of them is left to be played.
    func end(file: String) {
        for slot in self.slots.reversed() where slot.part.key.file == file { slot.execution?.endSharedPart() }
    }

    /// Tears down everything, what was made last first, and calls back when all has ended.
    func endAll(_ action: @escaping () -> Void) {
        self.onAllEnded = action
        self.endNext()
    }

    /// Whether a part is playing, or waits for its end.
    var isPlaying: Bool { self.slots.contains { $0.outcome == nil } }

    /// Breaks off the plays that have no value yet because the run is to end.
    func end(because failure: ScenarioFailure) {
        for slot in self.slots where slot.value == nil { slot.execution?.end(because: failure) }
    }

    /// Ends the plays at once.
    func abandon(because failure: ScenarioFailure) {
        for slot in self.slots { slot.execution?.abandon(because: failure) }
    }

    private func endNext() {
        guard let action = self.onAllEnded else { return }
        guard let slot = self.slots.last(where: { $0.outcome == nil }) else {
            self.onAllEnded = nil
            return action()
        }
        slot.execution?.endSharedPart()
    }

    private func ended(_ slot: Slot, _ end: ScenarioEnd) {
        slot.outcome = end.outcome
        slot.entries.append(.scenarioEnded(end))
        let ended = SharedCase(
            of: slot.part.key, slot.entries, outcome: end.outcome, duration: self.worker.now - slot.begin)
        if var ended, self.problems.count < Self.mostProblems {
            ended.asker = self.askers.asker(of: slot.part.key)
            self.problems.append(ended)
            if slot.value?.saysNothingOfFailures == true { self.endingProblems += ended.problems }
        }
        slot.entries = []
        // The execution is still on the stack; it is let go when it has returned.
        _ = self.worker.schedule(after: .zero) {
            slot.execution = nil
            slot.engine.close()
            self.slots.removeAll { $0 === slot }
            self.endNext()
        }
    }
}

extension RealTimeParts: SharedParts {
    func value(
        of part: SharedPart, for asker: ScenarioDefinition, chain: [SharedPart.Key],
        progress: @escaping () -> Void, completion: @escaping (SharedValue) -> Void
    ) {
        self.askers.note(part.key, askedBy: asker, chain: chain)
        if let value = self.failed[part.key] { return completion(value) }
        // One that was torn down, because its file seemed to be done, is played again.
        if let slot = self.slots.last(where: { $0.part.key == part.key && $0.outcome == nil }) {
            if let value = slot.value { completion(value) } else { slot.waiting.append(completion) }
            return
        }
        let slot = Slot(part, engine: self.settings.makeHost(), begin: self.worker.now)
        self.slots.append(slot)
        slot.waiting.append(completion)
        let execution = ScenarioExecution(
            part.definition, attempt: SharedPart.attempt, settings: self.settings, worker: self.worker,
            network: self.network,
            engine: slot.engine, emit: { slot.entries.append($0) }, onEnd: { self.ended(slot, $0) })
        slot.execution = execution
        execution.shared.parts = self
        execution.start(part, chain: chain) { value in
            slot.value = value
            if case .failure = value.result { self.failed[part.key] = value }
            let waiting = slot.waiting
            slot.waiting = []
            for completion in waiting { completion(value) }
        }
    }
}
