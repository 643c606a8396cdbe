import RunRecord
import Synchronization

/// Deals out the scenarios of a run to several threads, and puts what they play into the order of the suite.
final class ExecutionOrder: Sendable {
    private struct State {
        var next = 0
        var emitted = 0
        var waiting: [Int: (played: [RunProgress.Played], entries: [RunEntry])] = [:]
        let progress: RunProgress
    }

    private let suite: ScenarioSuite
    private let seed: UInt64
    private let state: Mutex<State>
    private let emit: @Sendable ([RunEntry]) -> Void

    init(
        _ suite: ScenarioSuite, seed: UInt64, progress: sending RunProgress,
        emit: @escaping @Sendable ([RunEntry]) -> Void
    ) {
        self.suite = suite
        self.seed = seed
        self.state = Mutex(State(progress: progress))
        self.emit = emit
    }

    /// Returns the number of the next scenario to play, or nil if there is none or none may begin.
    func next() -> Int? {
        self.state.withLock { state in
            guard state.next < self.suite.members.count, state.progress.mayBegin else { return nil }
            defer { state.next += 1 }
            return state.next
        }
    }

    /// Hands over what a scenario gave; it is passed on once all before it have been.
    func add(_ index: Int, _ played: [RunProgress.Played], _ entries: [RunEntry]) {
        self.state.withLock { state in
            state.waiting[index] = (played, entries)
            while let (played, entries) = state.waiting.removeValue(forKey: state.emitted) {
                self.emit(entries)
                played.forEach(state.progress.note)
                state.emitted += 1
            }
        }
    }

    /// Skips the scenarios that were not begun, if the run was not interrupted; to be called when all others have
    /// ended.
    func skipRest() {
        self.state.withLock { state in
            guard let reason = state.progress.skipReason else { return }
            for member in self.suite.members[state.next...] {
                self.emit(member.skipped(reason, seed: self.seed))
                state.progress.note(.skipped(reason))
            }
        }
    }

    /// Hands over what went wrong in what scenarios share; comes after all scenarios.
    func add(_ problems: [SharedCase], from first: Int) {
        self.state.withLock { state in
            for (number, problem) in problems.enumerated() {
                self.emit(problem.entries(numbered: first + number))
                state.progress.note(problem.played)
            }
        }
    }

    /// The end of the run as it stands.
    var end: RunEnd { self.state.withLock { $0.progress.end } }
}
