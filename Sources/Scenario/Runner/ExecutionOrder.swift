import RunRecord
import Synchronization

/// Deals out the scenarios of a run to several threads, and puts what they play into the order of the suite.
final class ExecutionOrder: Sendable {
    /// A scenario whose tries several threads may play at the same time.
    private struct Series {
        var tries: TryOrder
        let begin: Duration
        var playing = 0
        var played: [RunProgress.Played] = []
        var entries: [RunEntry] = []

        /// What tries gave whose turn has not come.
        var waiting: [Int: (attempt: PlayedAttempt, entries: [RunEntry])] = [:]
    }

    private struct State {
        var next = 0
        var emitted = 0
        var waiting: [Int: [RunEntry]] = [:]
        var series: [Int: Series] = [:]

        /// Threads for which there is nothing to play until a try has ended.
        var idle: [CheckedContinuation<DealtPlay?, Never>] = []
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

    /// Returns what to play next; nil if there is nothing more, or nothing may begin.
    ///
    /// - Parameter now: The time by the clock of the machine.
    func next(at now: Duration) async -> DealtPlay? {
        await withCheckedContinuation { continuation in
            let job = self.state.withLock { state -> DealtPlay?? in
                if let job = self.take(from: &state, at: now) { return .some(job) }
                guard !state.series.isEmpty else { return .some(nil) }
                state.idle.append(continuation)
                return nil
            }
            if let job { continuation.resume(returning: job) }
        }
    }

    /// Tries of scenarios that are begun come first, so that these come to an end.
    private func take(from state: inout State, at now: Duration) -> DealtPlay? {
        for index in state.series.keys.sorted() {
            guard let number = state.series[index]?.tries.next() else { continue }
            state.series[index]?.playing += 1
            return .try(index, number: number)
        }
        guard state.next < self.suite.members.count, state.progress.mayBegin else { return nil }
        defer { state.next += 1 }
        guard let tries = self.suite.members[state.next].tries else { return .scenario(state.next) }
        state.series[state.next] = Series(tries: tries, begin: now)
        return self.take(from: &state, at: now)
    }

    /// Hands over what a scenario gave; its entries are passed on once those of all before it have been.
    func add(_ index: Int, _ played: [RunProgress.Played], _ entries: [RunEntry]) {
        self.state.withLock { self.take(index, played, entries, into: &$0) }
    }

    /// How it went counts at once: a scenario before it that takes long does not keep the run from being ended.
    private func take(
        _ index: Int, _ played: [RunProgress.Played], _ entries: [RunEntry], into state: inout State
    ) {
        for played in played { state.progress.note(played, at: index) }
        state.waiting[index] = entries
        while let entries = state.waiting.removeValue(forKey: state.emitted) {
            self.emit(entries)
            state.emitted += 1
        }
    }

    /// Hands over what a try gave.
    ///
    /// - Returns: When its scenario began by the clock of the machine, and how it ended, if it was the last.
    func add(
        _ index: Int, _ attempt: PlayedAttempt, _ entries: [RunEntry]
    ) -> (begin: Duration, outcome: Outcome)? {
        typealias Jobs = [(CheckedContinuation<DealtPlay?, Never>, DealtPlay?)]
        let (ended, jobs) = self.state.withLock { state -> (Series?, Jobs) in
            guard var series = state.series[index] else { return (nil, []) }
            series.playing -= 1
            series.waiting[attempt.evidence.number] = (attempt, entries)
            for (number, end) in series.tries.add(attempt.end, attempt.evidence) {
                guard let (attempt, entries) = series.waiting.removeValue(forKey: number) else { continue }
                series.entries += entries + [.scenarioEnded(end)]
                series.played.append(.init(end, attempt: number, duration: attempt.duration))
            }
            let isOver = series.tries.isOver && series.playing == 0
            state.series[index] = isOver ? nil : series
            if isOver { self.take(index, series.played, series.entries, into: &state) }
            return (isOver ? series : nil, self.jobsOfIdle(&state, at: series.begin))
        }
        for (continuation, job) in jobs { continuation.resume(returning: job) }
        return ended.map { ($0.begin, $0.played.last?.outcome ?? .error) }
    }

    /// What threads play that had nothing to.
    private func jobsOfIdle(
        _ state: inout State, at now: Duration
    ) -> [(CheckedContinuation<DealtPlay?, Never>, DealtPlay?)] {
        var jobs: [(CheckedContinuation<DealtPlay?, Never>, DealtPlay?)] = []
        while let continuation = state.idle.last {
            let job = self.take(from: &state, at: now)
            guard job != nil || state.series.isEmpty else { break }
            state.idle.removeLast()
            jobs.append((continuation, job))
        }
        return jobs
    }

    /// Skips the scenarios that were not begun, if the run was not interrupted; to be called when all others have
    /// ended.
    func skipRest() {
        self.state.withLock { state in
            guard let reason = state.progress.skipReason else { return }
            for index in self.suite.members.indices[state.next...] {
                self.emit(self.suite.members[index].skipped(reason, seed: self.seed))
                state.progress.note(.skipped(reason), at: index)
            }
        }
    }

    /// Hands over what went wrong in what scenarios share; comes after all scenarios.
    func add(_ problems: [SharedCase], from first: Int) {
        self.state.withLock { state in
            for (number, problem) in problems.enumerated() {
                self.emit(problem.entries(numbered: first + number))
                state.progress.note(problem)
            }
        }
    }

    /// The end of the run as it stands.
    var end: RunEnd { self.state.withLock { $0.progress.end } }
}
