import RunRecord
import Synchronization

/// Hands the entries of a run on that come from several threads, one at a time, and keeps what the rates by mutator and
/// the usage of models come to.
final class SharedRecord: Sendable {
    private let tally = Mutex((robustness: RobustnessTally(), usage: ModelUsage()))
    private let report: @Sendable ([RunEntry]) -> Void

    /// - Parameter report: Gets the entries; called from one thread at a time.
    init(_ report: @escaping @Sendable ([RunEntry]) -> Void) {
        self.report = report
    }

    /// Takes the next entries of the record, from any thread; those of one thread keep their order.
    func add(_ entries: [RunEntry]) {
        self.tally.withLock { tally in
            for entry in entries {
                tally.robustness.record(entry)
                tally.usage.record(entry)
            }
            self.report(entries)
        }
    }

    /// The rates so far.
    var rates: [MutatorRate] { self.tally.withLock { $0.robustness.rates } }

    /// What the answers of models took so far; nil if none told it.
    var usage: ModelUsage? { self.tally.withLock { $0.usage.isEmpty ? nil : $0.usage } }
}
