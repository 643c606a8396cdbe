import RunRecord

/// Hands entries on in batches: what begins or ends a scenario at once, what happens in between a few hundred at a time.
final class EntryBatch {
    /// In virtual time thousands of entries come in a millisecond; handing over each one alone would cost more than it.
    static let size = 256

    private var entries: [RunEntry] = []
    private let emit: ([RunEntry]) -> Void

    init(_ emit: @escaping ([RunEntry]) -> Void) {
        self.emit = emit
    }

    /// Takes an entry.
    func add(_ entry: RunEntry) {
        self.entries.append(entry)
        if case .happened = entry, self.entries.count < Self.size { return }
        self.emit(self.entries)
        self.entries = []
    }
}
