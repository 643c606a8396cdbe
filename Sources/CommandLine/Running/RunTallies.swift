import RunRecord
import Synchronization

/// What the entries of a run come to: which scenarios play, how tries were decided, and whether anything but scripts
/// and expectations is to blame.
///
/// It is asked also when the thread that plays hangs and cannot tell any more. So its lock is held for bookkeeping
/// alone.
final class RunTallies: Sendable {
    private struct Playing {
        let start: ScenarioStart
        /// Whether the record has its start.
        var isRecorded = false
    }

    private struct State {
        var playing: [Int: Playing] = [:]
        /// How far those have come that play. It changes with each entry, and so it stands apart from their starts,
        /// which would be moved to be changed.
        var times: [Int: Int64] = [:]
        var rates: [String: (end: ScenarioEnd, passes: PassRate)] = [:]
        var hasHarnessErrors = false
        var brokenAskers: Set<String> = []
        var counts = OutcomeCounts()
        var hasEnded = false

        /// How long the run has lasted on its own clock, as far as its entries tell: the sum of its scenarios in
        /// virtual time, in which each has a time line of its own.
        var nanoseconds: Int64 = 0
        var isVirtual = false

        mutating func begin(_ scenario: Playing) {
            self.playing[scenario.start.index] = scenario
            self.times[scenario.start.index] = 0
        }

        mutating func note(_ entry: RunEntry) {
            switch entry {
            case .runStarted(let start): self.isVirtual = start.clock == .virtual
            case .runEnded: self.hasEnded = true
            case .scenarioStarted(let start): self.begin(Playing(start: start, isRecorded: true))
            case .happened(let index, let atNanoseconds, _): self.times[index]? = atNanoseconds
            case .scenarioEnded(let end):
                let start = self.playing.removeValue(forKey: end.index)?.start
                self.times[end.index] = nil
                let time = end.atNanoseconds
                self.nanoseconds = self.isVirtual ? self.nanoseconds &+ time : max(self.nanoseconds, time)
                guard !end.isRetried else { return }
                self.counts.add(end.outcome, isRetry: start?.isRetry == true)
                if end.problems.contains(where: \.isHarness) { self.hasHarnessErrors = true }
                if !end.outcome.isGood, let start, let asker = start.askedBy, start.isOf(asker) {
                    self.brokenAskers.insert(asker.file + "::" + asker.name)
                }
                guard let start, start.isTry, let passes = end.passes, passes.verdict != nil else { return }
                self.rates[start.id] = (end, passes)
            }
        }
    }

    private let state = Mutex(State())

    /// Takes note that a scenario begins, before the record has it.
    func begin(_ start: ScenarioStart) {
        self.state.withLock { $0.begin(Playing(start: start)) }
    }

    /// Takes note of what goes to the record.
    func note(_ entries: [RunEntry]) {
        self.state.withLock { state in
            for entry in entries { state.note(entry) }
        }
    }

    /// Whether a target could not be reached or the harness failed.
    var hasHarnessErrors: Bool { self.state.withLock { $0.hasHarnessErrors } }

    /// The scenarios that have to be played again because of what they share, whatever came of themselves, by their
    /// ids; of a file that could not be loaded its name with `::`.
    var brokenAskers: Set<String> { self.state.withLock { $0.brokenAskers } }

    /// How scenarios ended whose tries were decided, by their ids.
    var rates: [String: (end: ScenarioEnd, passes: PassRate)] { self.state.withLock { $0.rates } }

    /// The end of the record of a run that was interrupted; nothing if it has its end.
    var interruptedEnd: [RunEntry] {
        self.state.withLock { state in
            guard !state.hasEnded else { return [] }
            return [
                .runEnded(
                    RunEnd(counts: state.counts, durationNanoseconds: state.nanoseconds, isInterrupted: true))
            ]
        }
    }

    /// What ends the record of those that play, with an error.
    ///
    /// - Parameters:
    ///   - reason: Why they will never end by themselves.
    ///   - kind: What kind of problem that is.
    func entries(endingBecause reason: String, as kind: ProblemKind) -> [RunEntry] {
        let (playing, times) = self.state.withLock { ($0.playing.sorted { $0.key < $1.key }, $0.times) }
        return playing.flatMap { index, playing -> [RunEntry] in
            let problem = Problem(
                category: .error, kind: kind, message: reason, detail: reason,
                file: playing.start.file, line: playing.start.line)
            let end = ScenarioEnd(
                index: index, atNanoseconds: times[index] ?? 0, outcome: .error, problems: [problem])
            return (playing.isRecorded ? [] : [.scenarioStarted(playing.start)]) + [.scenarioEnded(end)]
        }
    }
}

extension ScenarioStart {
    /// Whether it is what a scenario shares, or a file itself, and not what whoever asks only happens to be the first
    /// to meet, such as a target at which nobody answers.
    fileprivate func isOf(_ asker: Asker) -> Bool { !asker.name.isEmpty || self.file == asker.file }
}
