/// Counts over the entries of a record how robust the scenarios are whose rows name a mutator.
public struct RobustnessTally: Sendable {
    /// By the scenarios' indices.
    private var running: [Int: String] = [:]
    private var ended: [String: MutatorRate] = [:]

    /// Creates a tally of a run that has not begun.
    public init() {}

    /// The rates so far, in the order of the names.
    public var rates: [MutatorRate] { self.ended.values.sorted { $0.mutator < $1.mutator } }

    /// Takes the next entry of the record; of several attempts the last one counts.
    public mutating func record(_ entry: RunEntry) {
        switch entry {
        case .scenarioStarted(let start):
            if let mutator = start.mutator { self.running[start.index] = mutator }
        case .scenarioEnded(let end):
            guard let mutator = self.running.removeValue(forKey: end.index), !end.isRetried else { return }
            var rate = self.ended[mutator] ?? MutatorRate(mutator: mutator)
            switch end.outcome {
            case .passed: rate.passed += 1
            case .failed, .expectedFailure: rate.failed += 1
            case .error: rate.errors += 1
            case .skipped: rate.skipped += 1
            }
            self.ended[mutator] = rate
        case .runStarted, .happened, .runEnded: break
        }
    }
}
