import RunRecord
import Synchronization

/// The rates by mutator and the usage of models of a run whose entries come from several threads, one at a time.
final class SharedTally: Sendable {
    private let tally = Mutex((robustness: RobustnessTally(), usage: ModelUsage()))

    /// Takes the next entries of the record.
    func record(_ entries: [RunEntry]) {
        self.tally.withLock { tally in
            for entry in entries {
                tally.robustness.record(entry)
                tally.usage.record(entry)
            }
        }
    }

    /// The rates so far.
    var rates: [MutatorRate] { self.tally.withLock { $0.robustness.rates } }

    /// What the answers of models took so far; nil if none told it.
    var usage: ModelUsage? { self.tally.withLock { $0.usage.isEmpty ? nil : $0.usage } }
}
