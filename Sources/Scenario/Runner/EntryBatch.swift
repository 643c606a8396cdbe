import RunRecord

/// Hands entries on in batches: what begins or ends a scenario at once, what happens in between thousands at a time.
///
/// In virtual time thousands of entries come in a millisecond; handing over each one alone would cost more than it. And
/// a script may say only after an answer has come that something in it is a secret: what is held is masked, too, for
/// the entries are masked by whoever writes them.
final class EntryBatch {
    static let size = 4096

    private var entries: [RunEntry] = []
    private let emit: ([RunEntry]) -> Void
    private let delay: ((EntryBatch) -> Void)?

    /// - Parameter delay: Flushes the batch after a while, where people watch; it is called when the first entry is
    ///   held.
    init(_ emit: @escaping ([RunEntry]) -> Void, delay: ((EntryBatch) -> Void)? = nil) {
        self.emit = emit
        self.delay = delay
    }

    /// Takes an entry.
    func add(_ entry: RunEntry) {
        self.entries.append(entry)
        guard case .happened = entry, self.entries.count < Self.size else { return self.flush() }
        if self.entries.count == 1 { self.delay?(self) }
    }

    /// Takes the end of an attempt; that of a try is handed over by whoever judges it.
    func end(_ attempt: ScenarioAttempt, _ end: ScenarioEnd) {
        if attempt.isTry { self.flush() } else { self.add(.scenarioEnded(end)) }
    }

    /// Hands on what is held.
    func flush() {
        guard !self.entries.isEmpty else { return }
        self.emit(self.entries)
        self.entries = []
    }
}
