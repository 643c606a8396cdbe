import JSON
import Machines

/// A stored transcript beside the conversation that was found, line by line.
struct TranscriptComparison {
    /// What became of a line.
    enum Step: Hashable {
        case comment(String)
        /// A gap; it stands for so many entries.
        case gap(String, count: Int)
        case same(stored: TranscriptEntry, text: String, found: TranscriptEntry)
        case changed(stored: TranscriptEntry, text: String, found: TranscriptEntry)
        case missing(stored: TranscriptEntry, text: String)
        case unexpected(TranscriptEntry)
    }

    private(set) var steps: [Step] = []

    /// Whether the conversation is what the transcript asks for.
    var isSame: Bool {
        self.steps.allSatisfy { step in
            switch step {
            case .comment, .gap, .same: true
            case .changed, .missing, .unexpected: false
            }
        }
    }

    /// Above this many pairs of lines, what differs is shown as one block and not matched line by line.
    private static let mostPairs = 250_000

    /// Compares, with as few differences as possible.
    init(_ stored: StoredTranscript, _ found: [TranscriptEntry]) {
        var begin = 0
        var rows = stored.lines[...]
        // What is the same at the beginning needs no table.
        while let row = rows.first {
            if case .comment(let text) = row {
                self.steps.append(.comment(text))
            } else if case .entry(let entry, let text) = row, begin < found.count,
                TranscriptTemplate.fits(entry, found[begin])
            {
                self.steps.append(.same(stored: entry, text: text, found: found[begin]))
                begin += 1
            } else {
                break
            }
            rows.removeFirst()
        }
        let columns = found[begin...]
        guard (rows.count + 1) * (columns.count + 1) <= Self.mostPairs else {
            for row in rows { self.steps.append(Self.missing(row)) }
            self.steps += columns.map { .unexpected($0) }
            return
        }
        self.align(Array(rows), Array(columns))
    }

    private static func missing(_ row: StoredTranscript.Line) -> Step {
        switch row {
        case .comment(let text): .comment(text)
        case .gap(let text): .gap(text, count: 0)
        case .entry(let entry, let text): .missing(stored: entry, text: text)
        }
    }

    /// The price of leaving a line out or putting one in; changing one costs less than either.
    private static let single = 10.0

    /// Texts that are less alike are no change of one another: the line has gone, and another one has come.
    private static let leastLikeness = 1.0 / 3

    /// Returns the price of taking an entry for a line of the same kind, or nil if it is another one.
    private static func price(_ stored: TranscriptEntry, _ found: TranscriptEntry) -> Double? {
        guard TranscriptTemplate.isLike(stored, found) else { return nil }
        if TranscriptTemplate.fits(stored, found) { return 0 }
        let likeness: Double
        if let left = stored.fields["text"]?.string, let right = found.fields["text"]?.string {
            likeness = TextDistance.tokenSetRatio(left, right)
            guard likeness >= Self.leastLikeness else { return nil }
        } else {
            let fitting = stored.fields.count { name, value in TranscriptTemplate.fits(value, name, of: found) }
            likeness = Double(fitting) / Double(max(1, stored.fields.count))
        }
        return 4 + 5 * (1 - likeness)
    }

    private mutating func align(_ rows: [StoredTranscript.Line], _ columns: [TranscriptEntry]) {
        let width = columns.count + 1
        var costs = [Double](repeating: 0, count: (rows.count + 1) * width)
        for row in 0...rows.count {
            for column in 0...columns.count where row > 0 || column > 0 {
                costs[row * width + column] =
                    self.moves(rows, columns, row, column).map { costs[$0.from] + $0.cost }.min() ?? 0
            }
        }
        var (row, column) = (rows.count, columns.count)
        var steps: [Step] = []
        var gapCount = 0
        while row > 0 || column > 0 {
            let cost = costs[row * width + column]
            guard let move = self.moves(rows, columns, row, column).first(where: { costs[$0.from] + $0.cost == cost })
            else { break }
            let (previousRow, previousColumn) = (move.from / width, move.from % width)
            switch (row - previousRow, column - previousColumn) {
            case (1, 1):
                if case .entry(let entry, let text) = rows[row - 1] {
                    steps.append(
                        move.cost == 0
                            ? .same(stored: entry, text: text, found: columns[column - 1])
                            : .changed(stored: entry, text: text, found: columns[column - 1]))
                }
            case (1, 0):
                if case .gap(let text) = rows[row - 1] {
                    steps.append(.gap(text, count: gapCount))
                    gapCount = 0
                } else {
                    steps.append(Self.missing(rows[row - 1]))
                }
            default:
                if move.cost == 0 { gapCount += 1 } else { steps.append(.unexpected(columns[column - 1])) }
            }
            (row, column) = (previousRow, previousColumn)
        }
        self.steps += steps.reversed()
    }

    /// The ways to come to a place of the table, the best ones first where they cost the same.
    private func moves(
        _ rows: [StoredTranscript.Line], _ columns: [TranscriptEntry], _ row: Int, _ column: Int
    ) -> [(from: Int, cost: Double)] {
        let width = columns.count + 1
        let above = (row - 1) * width + column
        let before = row * width + column - 1
        guard row > 0 else { return [(before, Self.single)] }
        switch rows[row - 1] {
        case .comment: return [(above, 0)]
        case .gap: return column > 0 ? [(before, 0), (above, 0)] : [(above, 0)]
        case .entry(let entry, _):
            var moves: [(from: Int, cost: Double)] = []
            if column > 0 {
                if let price = Self.price(entry, columns[column - 1]) { moves.append((above - 1, price)) }
                moves.append((before, Self.single))
            }
            moves.append((above, Self.single))
            return moves
        }
    }

    /// The transcript as it has to be stored from now on: what still fits stays as it is written.
    var renewed: StoredTranscript {
        StoredTranscript(
            lines: self.steps.compactMap { step in
                switch step {
                case .comment(let text): return .comment(text)
                case .gap(let text, _): return .gap(text)
                case .same(_, let text, _): return .comment(text)
                case .changed(let stored, _, let found):
                    let entry = TranscriptTemplate.renewed(stored, with: found)
                    return .entry(entry, text: entry.line)
                case .missing: return nil
                case .unexpected(let entry): return .entry(entry.stored, text: entry.stored.line)
                }
            })
    }

    /// How many lines around a difference are shown.
    private static let contextCount = 2

    /// At most this many lines of a difference are shown.
    private static let mostLines = 80

    /// A step that is shown, or how many are not.
    enum Shown: Hashable {
        case step(Step)
        case hidden(Int)
    }

    /// What differs, with a few lines around it; comments are left out.
    var shown: [Shown] {
        let steps = self.steps.filter { if case .comment = $0 { false } else { true } }
        var isShown = [Bool](repeating: false, count: steps.count)
        for (index, step) in steps.enumerated() {
            switch step {
            case .comment, .gap, .same: continue
            case .changed, .missing, .unexpected:
                for near in max(0, index - Self.contextCount)...min(steps.count - 1, index + Self.contextCount) {
                    isShown[near] = true
                }
            }
        }
        var shown: [Shown] = []
        var hidden = 0
        for (index, step) in steps.enumerated() {
            guard isShown[index] else {
                hidden += 1
                continue
            }
            if hidden > 0 { shown.append(.hidden(hidden)) }
            hidden = 0
            shown.append(.step(step))
        }
        return hidden > 0 ? shown + [.hidden(hidden)] : shown
    }

    /// The difference message by message: `-` what is stored and did not come, `+` what came and is not stored.
    var lines: [String] {
        var lines: [String] = []
        for shown in self.shown {
            switch shown {
            case .hidden(let count): lines.append("  (\(count) \(count == 1 ? "line" : "lines") as stored)")
            case .step(.comment): continue
            case .step(.gap(let text, _)), .step(.same(_, let text, _)): lines.append("  " + Self.short(text))
            case .step(.changed(let stored, let text, let found)):
                lines.append("- " + Self.short(text))
                // Of what was found only what the stored line is about.
                let fields = found.shownFields.filter { stored.fields[$0.0] != nil }
                lines.append("+ " + Self.short(found.line(fields: JSONObject(fields))))
            case .step(.missing(_, let text)): lines.append("- " + Self.short(text))
            case .step(.unexpected(let entry)): lines.append("+ " + Self.short(entry.stored.line))
            }
        }
        if lines.count > Self.mostLines {
            lines = lines.prefix(Self.mostLines) + ["  (\(lines.count - Self.mostLines) more lines differ)"]
        }
        return lines + ["(- stored, + found; repartee test --update stores what was found)"]
    }

    private static func short(_ text: String) -> String { text.shortened(to: 200) }
}
