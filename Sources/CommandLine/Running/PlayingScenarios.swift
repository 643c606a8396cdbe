import RunRecord
import Synchronization

/// Knows which scenarios are playing, for the moment when the thread that plays them cannot tell any more.
final class PlayingScenarios: Sendable {
    private struct Playing {
        let start: ScenarioStart
        /// Whether the record has its start.
        var isRecorded = false
        var atNanoseconds: Int64 = 0
    }

    private let playing = Mutex<[Int: Playing]>([:])

    /// Takes note that a scenario begins.
    func begin(_ start: ScenarioStart) {
        self.playing.withLock { $0[start.index] = Playing(start: start) }
    }

    /// Takes note of what goes to the record.
    func note(_ entries: [RunEntry]) {
        self.playing.withLock { playing in
            for entry in entries {
                switch entry {
                case .scenarioStarted(let start): playing[start.index] = Playing(start: start, isRecorded: true)
                case .happened(let index, let atNanoseconds, _): playing[index]?.atNanoseconds = atNanoseconds
                case .scenarioEnded(let end): playing[end.index] = nil
                default: break
                }
            }
        }
    }

    /// What ends the record of those that play, with an error.
    ///
    /// - Parameter reason: Why they will never end by themselves.
    func entries(endingBecause reason: String) -> [RunEntry] {
        let playing = self.playing.withLock { $0.sorted { $0.key < $1.key } }
        return playing.flatMap { index, playing -> [RunEntry] in
            let problem = Problem(
                category: .error, typeName: "hang", message: reason, detail: reason, file: playing.start.file,
                line: playing.start.line)
            let end = ScenarioEnd(
                index: index, atNanoseconds: playing.atNanoseconds, outcome: .error, problems: [problem])
            return (playing.isRecorded ? [] : [.scenarioStarted(playing.start)]) + [.scenarioEnded(end)]
        }
    }
}
