import RunRecord
import Synchronization

/// Remembers what the tries of scenarios came to.
final class PlayedRates: Sendable {
    private struct State {
        var playing: [Int: String] = [:]
        var rates: [String: (end: ScenarioEnd, passes: PassRate)] = [:]
    }

    private let state = Mutex(State())

    /// How scenarios ended whose tries were decided, by their ids.
    var rates: [String: (end: ScenarioEnd, passes: PassRate)] { self.state.withLock { $0.rates } }

    /// Looks at entries of the run record.
    func note(_ entries: [RunEntry]) {
        self.state.withLock { state in
            for entry in entries {
                switch entry {
                case .scenarioStarted(let start) where start.isTry: state.playing[start.index] = start.id
                case .scenarioEnded(let end):
                    guard let id = state.playing.removeValue(forKey: end.index), !end.isRetried,
                        let passes = end.passes, passes.verdict != nil
                    else { continue }
                    state.rates[id] = (end, passes)
                default: continue
                }
            }
        }
    }
}
