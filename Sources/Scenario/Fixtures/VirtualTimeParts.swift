import JSON
import Machines
import RunRecord
import Synchronization
import Transport

/// Plays shared parts in virtual time, each to its end when it is first asked for.
///
/// A part depends on its seed alone, so where two threads ask for it at once, both may play it: they get the same, and
/// the first one counts. Nobody waits for another thread, so no threads can wait for each other.
final class VirtualTimeParts: Sendable {
    private struct Played {
        let value: SharedValue
        let problem: SharedCase?
    }

    private let settings: ExecutionSettings
    private let interruption: Interruption
    private let played = Mutex<[SharedPart.Key: Played]>([:])
    private let askers = Mutex(PartAskers())

    init(settings: ExecutionSettings, interruption: Interruption) {
        self.settings = settings
        self.interruption = interruption
    }

    /// The plays in which something went wrong, in the order of their keys.
    var problems: [SharedCase] {
        let problems = self.played.withLock { $0.values.compactMap(\.problem) }.sorted { $0.key < $1.key }
        return self.askers.withLock { askers in
            problems.map { problem in
                var problem = problem
                problem.asker = askers.asker(of: problem.key)
                return problem
            }
        }
    }

    /// Returns the first play that did not go well of some parts and of those that these use; nil if all did. Who has
    /// got its value does not hear of it where that was at its end.
    func failure(among keys: Set<SharedPart.Key>) -> SharedCase? {
        self.problems.first { problem in
            !problem.outcome.isGood && self.askers.withLock { $0.isUsed(problem.key, by: keys) }
        }
    }

    private func play(_ part: SharedPart, _ chain: [SharedPart.Key], _ progress: @escaping () -> Void) -> Played {
        let worker = Worker()
        defer { worker.end() }
        let engine = self.settings.makeHost()
        var entries: [RunEntry] = []
        var outcome: Outcome?
        var value: SharedValue?
        let execution = ScenarioExecution(
            part.definition, attempt: SharedPart.attempt, settings: self.settings, worker: worker,
            network: MemoryNetwork(scheduler: worker), engine: engine, emit: { entries.append($0) },
            onEnd: { end in
                entries.append(.scenarioEnded(end))
                outcome = end.outcome
            })
        execution.shared.parts = self
        execution.shared.onProgress = progress
        execution.start(part, chain: chain) { value = $0 }
        worker.play(execution, interruption: self.interruption) {
            progress()
            return value != nil || outcome != nil
        }
        execution.endSharedPart()
        worker.play(execution, interruption: self.interruption) {
            progress()
            return outcome != nil
        }
        engine.close()
        let ended = outcome ?? .error
        let failure = ScenarioFailure(
            category: .error, kind: .fixture, message: "\(part.description) ended without a value")
        return Played(
            value: value ?? SharedValue(result: .failure(failure)),
            problem: SharedCase(of: part.key, entries, outcome: ended, duration: worker.now - .start))
    }
}

extension VirtualTimeParts: SharedParts {
    func value(
        of part: SharedPart, for asker: ScenarioDefinition, chain: [SharedPart.Key],
        progress: @escaping () -> Void, completion: @escaping (SharedValue) -> Void
    ) {
        self.askers.withLock { $0.note(part.key, askedBy: asker, chain: chain) }
        if let known = self.played.withLock({ $0[part.key]?.value }) { return completion(known) }
        let mine = self.play(part, chain, progress)
        let kept = self.played.withLock { played in
            if let earlier = played[part.key] { return earlier }
            played[part.key] = mine
            return mine
        }
        completion(kept.value)
    }
}
