/// A conversation as it is stored: one line an entry, comments, and gaps.
struct StoredTranscript: Hashable {
    /// A line of the file.
    enum Line: Hashable {
        /// Begins with `#`, or is empty; means nothing.
        case comment(String)
        /// `…` or `...`: any entries, or none.
        case gap(String)
        case entry(TranscriptEntry, text: String)

        /// The line as it is written.
        var text: String {
            switch self {
            case .comment(let text), .gap(let text), .entry(_, let text): text
            }
        }
    }

    var lines: [Line]

    /// What stands above a transcript that is written for the first time.
    static func header(_ title: String) -> [Line] {
        [
            .comment("# The conversation of \"\(title.split(whereSeparator: \.isNewline).joined(separator: " "))\"."),
            .comment("# > the actor does, < it observes; fields may be left out, … stands for any lines,"),
            .comment("# and <uuid>, <number>, <integer>, <date>, <money>, <word>, <any> for what varies."),
        ]
    }

    init(lines: [Line]) { self.lines = lines }

    /// Reads the text of a file.
    ///
    /// - Throws: ``UsageError`` that names the file and the line.
    init(_ text: String, name: String) throws(UsageError) {
        self.lines = []
        var all = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        if all.last?.isEmpty == true { all.removeLast() }
        for (index, line) in all.enumerated() {
            let line = String(line)
            let content = line.drop(while: \.isWhitespace)
            if content.isEmpty || content.hasPrefix("#") {
                self.lines.append(.comment(line))
            } else if content == "…" || content == "..." {
                self.lines.append(.gap(line))
            } else {
                do throws(TranscriptEntry.Problem) {
                    self.lines.append(.entry(try TranscriptEntry(line: String(content)), text: line))
                } catch { throw UsageError("\(name):\(index + 1): \(error.message)") }
            }
        }
    }

    /// Whether it has lines of a conversation.
    var hasEntries: Bool { self.lines.contains { if case .entry = $0 { true } else { false } } }

    /// Whether it fits whatever is said: it has gaps and nothing between them.
    var asksForNothing: Bool {
        !self.hasEntries && self.lines.contains { if case .gap = $0 { true } else { false } }
    }

    /// Returns whether a line asks for an entry.
    func asks(for entry: TranscriptEntry) -> Bool {
        self.lines.contains { line in
            if case .entry(let stored, _) = line { TranscriptTemplate.fits(stored, entry) } else { false }
        }
    }

    /// Above this many pairs of lines nobody looks whether a conversation can still become what is stored.
    private static let mostPairs = 250_000

    /// Whether a conversation that begins like this may become what is stored, whatever is said later.
    ///
    /// Every line is taken for one that may still come. A transcript with `***`, which fits what is only found out to
    /// be a secret, and one that is too long for a look at each pair of lines may always be begun so.
    func mayBegin(with found: [TranscriptEntry]) -> Bool {
        let lines = self.lines.filter { if case .comment = $0 { false } else { true } }
        guard lines.count * found.count <= Self.mostPairs, !lines.contains(where: { $0.text.contains("***") }) else {
            return true
        }
        // The places between lines at which the conversation may stand; a gap is passed with any entries or none.
        var places = Self.passing(lines, from: [0])
        for entry in found {
            var next: Set<Int> = []
            for place in places where place < lines.count {
                switch lines[place] {
                case .gap: next.insert(place)
                case .entry(let stored, _): if TranscriptTemplate.fits(stored, entry) { next.insert(place + 1) }
                case .comment: break
                }
            }
            places = Self.passing(lines, from: next)
            if places.isEmpty { return false }
        }
        return true
    }

    /// Adds the places behind the gaps that some places are before.
    private static func passing(_ lines: [Line], from places: Set<Int>) -> Set<Int> {
        var all = places
        for place in places {
            var place = place
            while place < lines.count, case .gap = lines[place] {
                place += 1
                all.insert(place)
            }
        }
        return all
    }

    /// The text of the file.
    var text: String { self.lines.map { $0.text + "\n" }.joined() }
}
