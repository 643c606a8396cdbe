import RunRecord
import Synchronization

/// The rates by mutator of a run whose entries come from several threads, one at a time.
final class SharedTally: Sendable {
    private let tally = Mutex(RobustnessTally())

    /// Takes the next entries of the record.
    func record(_ entries: [RunEntry]) {
        self.tally.withLock { tally in for entry in entries { tally.record(entry) } }
    }

    /// The rates so far.
    var rates: [MutatorRate] { self.tally.withLock { $0.rates } }
}
