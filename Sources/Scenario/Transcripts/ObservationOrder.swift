/// Puts what several clients observed in the order of a stored transcript, as far as nothing else orders it.
///
/// In real time it is chance whose connection is read first: what different clients observe between two commands has no
/// order, and only what each of them observes has one. Commands stay where they are, for the script may have waited for
/// what came before.
struct ObservationOrder {
    /// What was observed between two commands, and the command that ends it; the last has none.
    private struct Stretch {
        var observed: [TranscriptEntry] = []
        var command: TranscriptEntry?
    }

    /// Above this many pairs of lines the conversation is compared as it is.
    private static let mostPairs = 250_000

    private var stretches: ArraySlice<Stretch>

    /// What has its place.
    private var arranged: [TranscriptEntry] = []

    /// Where the last gap is, within the stretch, and who has observed something behind it.
    private var gap: (place: Int, passed: Set<String>)?

    private init(_ found: [TranscriptEntry]) {
        var stretches = [Stretch()]
        for entry in found {
            if entry.direction == .did {
                stretches[stretches.count - 1].command = entry
                stretches.append(Stretch())
            } else {
                stretches[stretches.count - 1].observed.append(entry)
            }
        }
        self.stretches = stretches[...]
    }

    /// Returns the same conversation with what nothing orders in the order of a transcript, where it fits.
    static func arranged(_ found: [TranscriptEntry], like stored: StoredTranscript) -> [TranscriptEntry] {
        guard Set(found.map(\.actor)).count > 1, found.count * stored.lines.count <= Self.mostPairs else {
            return found
        }
        var order = Self(found)
        for line in stored.lines {
            switch line {
            case .comment: continue
            case .gap: order.gap = (order.arranged.count, [])
            case .entry(let entry, _) where entry.direction == .did: order.place(command: entry)
            case .entry(let entry, _): order.place(observed: entry)
            }
        }
        while !order.stretches.isEmpty { order.endStretch() }
        return order.arranged
    }

    /// Takes what is left of the stretch as it came, and the command behind it.
    private mutating func endStretch() {
        guard let stretch = self.stretches.popFirst() else { return }
        self.arranged += stretch.observed
        if let command = stretch.command { self.arranged.append(command) }
        if self.gap != nil { self.gap = (self.arranged.count, []) }
    }

    /// Goes on to the command that a line asks for: the next one, or behind a gap the first that fits.
    private mutating func place(command stored: TranscriptEntry) {
        let isBehindGap = self.gap.map { $0.passed.isEmpty } ?? false
        let place = self.stretches.firstIndex { stretch in
            stretch.command.map { TranscriptTemplate.fits(stored, $0) } ?? false
        }
        guard let place, isBehindGap || place == self.stretches.startIndex else { return }
        while let first = self.stretches.indices.first, first <= place { self.endStretch() }
        self.gap = nil
    }

    /// Takes the next that the actor of a line observed if it fits, or behind a gap the first that does.
    private mutating func place(observed stored: TranscriptEntry) {
        if let gap = self.gap, gap.passed.isEmpty {
            let place = self.stretches.firstIndex { stretch in
                stretch.observed.contains { TranscriptTemplate.fits(stored, $0) }
            }
            guard let place else { return }
            while let first = self.stretches.indices.first, first < place { self.endStretch() }
        }
        guard let first = self.stretches.indices.first else { return }
        let own = self.stretches[first].observed.indices.filter {
            self.stretches[first].observed[$0].actor == stored.actor
        }
        let fitting = own.firstIndex { TranscriptTemplate.fits(stored, self.stretches[first].observed[$0]) }
        let isBehindGap = self.gap.map { !$0.passed.contains(stored.actor) } ?? false
        guard let fitting, isBehindGap || fitting == own.startIndex else { return }
        let taken = own[...fitting].map { self.stretches[first].observed[$0] }
        for place in own[...fitting].reversed() { self.stretches[first].observed.remove(at: place) }
        // What the gap stands for comes where the gap is.
        if let gap = self.gap {
            self.arranged.insert(contentsOf: taken.dropLast(), at: gap.place)
            self.gap?.place += taken.count - 1
            self.gap?.passed.insert(stored.actor)
        }
        self.arranged.append(contentsOf: taken.suffix(1))
    }
}
