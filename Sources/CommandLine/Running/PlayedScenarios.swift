import RunRecord
import Synchronization

/// Collects from any thread how the scenarios of a run went.
final class PlayedScenarios: Sendable {
    private let played = Mutex<[String: RunHistory.Entry]>([:])

    /// The scenarios by id.
    var entries: [String: RunHistory.Entry] { self.played.withLock { $0 } }

    /// Notes a scenario; of several plays the bad one counts.
    @Sendable func note(_ id: String, _ elapsed: Duration, _ outcome: Outcome) {
        let microseconds = Int(min(1e15, elapsed / .microseconds(1)))
        self.played.withLock { played in
            let before = played[id]
            let isSkipped = if case .skipped = outcome { before?.isSkipped != false } else { false }
            played[id] = RunHistory.Entry(
                isGood: outcome.isGood && before?.isGood != false, microseconds: microseconds, isSkipped: isSkipped)
        }
    }
}
