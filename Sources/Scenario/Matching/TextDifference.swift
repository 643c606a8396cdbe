import JSON
import RunRecord

/// How a text differs from the one that was wanted: both as they are shown, with the characters marked that differ.
///
/// Words are compared first, then the characters of words that were replaced, so that `A-1O01` and `A-1001` differ in
/// one. However long the texts are, no more than a part of them is compared.
struct TextDifference {
    let wanted: MarkedText
    let found: MarkedText

    /// Longer texts are compared between what they have in common at both ends only, up to this many pieces.
    private static let mostPieces = 400

    /// What is shown before the first character that differs, where a text is too long.
    private static let lead = 24

    /// Of texts with more bytes only so many are compared, around where they differ first: no more could be shown.
    private static let longestWhole = 4_096

    /// So many bytes before and after what differs are compared with it.
    private static let context = 64

    /// Compares two texts.
    ///
    /// - Parameter width: The most characters that are shown of each.
    init(wanted: String, found: String, width: Int = 80) {
        var (left, right): (Set<Int>, Set<Int>) = ([], [])
        let parts = Self.parts(wanted, found)
        Self.compare(
            parts.wanted.text.map(ExactCharacter.init), parts.found.text.map(ExactCharacter.init), &left, &right)
        let lookAlike = LookAlike(parts.wanted.text, parts.found.text)
        self.wanted = Self.side(parts.wanted, left, width, lookAlike)
        var found = Self.side(parts.found, right, width, lookAlike)
        if let lookAlike { found.append(" (\(lookAlike.rawValue))") }
        self.found = found
    }

    /// What is compared of a text.
    private struct Part {
        let text: String

        /// Whether more of the text stands before it and after it.
        var isCut = (before: false, after: false)

        init(_ text: String) {
            self.text = text
        }

        /// Takes the bytes of a range, without characters of UTF-8 that it cuts.
        init(_ text: String, _ range: Range<Int>) {
            let bytes = text.utf8
            func place(_ offset: Int) -> String.Index {
                var place = bytes.index(bytes.startIndex, offsetBy: offset)
                while place < bytes.endIndex, place > bytes.startIndex, bytes[place] & 0xC0 == 0x80 {
                    place = bytes.index(before: place)
                }
                return place
            }
            self.text = String(decoding: bytes[place(range.lowerBound)..<place(range.upperBound)], as: UTF8.self)
            self.isCut = (range.lowerBound > 0, range.upperBound < bytes.count)
        }
    }

    /// Returns what is compared of both: all, or what lies between what they have in common at both ends, from its
    /// beginning on.
    private static func parts(_ wanted: String, _ found: String) -> (wanted: Part, found: Part) {
        let (left, right) = (wanted.utf8, found.utf8)
        guard max(left.count, right.count) > Self.longestWhole else { return (Part(wanted), Part(found)) }
        var head = 0
        for (one, other) in zip(left, right) {
            guard one == other else { break }
            head += 1
        }
        var tail = 0
        let longestTail = min(left.count, right.count) - head
        for (one, other) in zip(left.reversed(), right.reversed()) {
            guard one == other, tail < longestTail else { break }
            tail += 1
        }
        // Where not all can be compared, what follows would be taken for something else.
        let isWhole = max(left.count, right.count) - head - tail <= Self.longestWhole - 2 * Self.context
        let shownTail = isWhole ? min(tail, Self.context) : 0
        func part(of text: String, _ count: Int) -> Part {
            let start = max(0, head - Self.context)
            return Part(text, start..<min(count - tail + shownTail, start + Self.longestWhole))
        }
        return (part(of: wanted, left.count), part(of: found, right.count))
    }

    /// Collects the places of the characters that differ.
    private static func compare(
        _ wanted: [ExactCharacter], _ found: [ExactCharacter], _ left: inout Set<Int>, _ right: inout Set<Int>
    ) {
        let (first, second) = (Self.pieces(wanted), Self.pieces(found))
        var (low, highs) = (0, (first.count, second.count))
        while low < min(highs.0, highs.1), wanted[first[low]] == found[second[low]] { low += 1 }
        while highs.0 > low, highs.1 > low, wanted[first[highs.0 - 1]] == found[second[highs.1 - 1]] {
            highs.0 -= 1
            highs.1 -= 1
        }
        let (leftRest, rightRest) = (Array(first[low..<highs.0]), Array(second[low..<highs.1]))
        guard leftRest.count <= Self.mostPieces, rightRest.count <= Self.mostPieces else {
            Self.mark(leftRest, rightRest, wanted, found, &left, &right)
            return
        }
        // The longest common subsequence of the pieces; what lies between its members was replaced.
        var lengths = [[Int]](
            repeating: [Int](repeating: 0, count: rightRest.count + 1), count: leftRest.count + 1)
        for row in leftRest.indices.reversed() {
            for column in rightRest.indices.reversed() {
                lengths[row][column] =
                    wanted[leftRest[row]] == found[rightRest[column]]
                    ? lengths[row + 1][column + 1] + 1 : max(lengths[row + 1][column], lengths[row][column + 1])
            }
        }
        var (row, column) = (0, 0)
        var (removed, added): ([Range<Int>], [Range<Int>]) = ([], [])
        func close() {
            Self.mark(removed, added, wanted, found, &left, &right)
            (removed, added) = ([], [])
        }
        while row < leftRest.count || column < rightRest.count {
            if row < leftRest.count, column < rightRest.count, wanted[leftRest[row]] == found[rightRest[column]] {
                close()
                (row, column) = (row + 1, column + 1)
            } else if column == rightRest.count
                || row < leftRest.count && lengths[row + 1][column] >= lengths[row][column + 1]
            {
                removed.append(leftRest[row])
                row += 1
            } else {
                added.append(rightRest[column])
                column += 1
            }
        }
        close()
    }

    /// Marks what was replaced, without what both have in common at their ends.
    private static func mark(
        _ removed: [Range<Int>], _ added: [Range<Int>], _ wanted: [ExactCharacter], _ found: [ExactCharacter],
        _ left: inout Set<Int>, _ right: inout Set<Int>
    ) {
        var first = (removed.first?.lowerBound ?? 0)..<(removed.last?.upperBound ?? 0)
        var second = (added.first?.lowerBound ?? 0)..<(added.last?.upperBound ?? 0)
        while !first.isEmpty, !second.isEmpty, wanted[first.lowerBound] == found[second.lowerBound] {
            first = (first.lowerBound + 1)..<first.upperBound
            second = (second.lowerBound + 1)..<second.upperBound
        }
        while !first.isEmpty, !second.isEmpty, wanted[first.upperBound - 1] == found[second.upperBound - 1] {
            first = first.lowerBound..<(first.upperBound - 1)
            second = second.lowerBound..<(second.upperBound - 1)
        }
        left.formUnion(first)
        right.formUnion(second)
    }

    /// Divides a text into words and what stands between them.
    private static func pieces(_ text: [ExactCharacter]) -> [Range<Int>] {
        var pieces: [Range<Int>] = []
        var begin = 0
        for place in text.indices.dropFirst() where text[place].isSpace != text[place - 1].isSpace {
            pieces.append(begin..<place)
            begin = place
        }
        if begin < text.count { pieces.append(begin..<text.count) }
        return pieces
    }

    private static func side(_ part: Part, _ marked: Set<Int>, _ width: Int, _ lookAlike: LookAlike?) -> MarkedText {
        let shown = part.text.enumerated().map { place, character in
            let text = String(JSONValue.string(String(character)).description.dropFirst().dropLast())
            return marked.contains(place) ? LookAlike.visible(text, lookAlike) : text
        }
        var begin = 0
        if shown.count > width, let first = marked.min() { begin = max(0, min(first - Self.lead, shown.count - width)) }
        let end = min(shown.count, begin + width)
        var parts = [begin > 0 || part.isCut.before ? "…" : "\""]
        for place in begin..<end {
            if marked.contains(place) == parts.count.isMultiple(of: 2) {
                parts[parts.count - 1] += shown[place]
            } else {
                parts.append(shown[place])
            }
        }
        let tail = end < shown.count || part.isCut.after ? "…" : "\""
        if parts.count.isMultiple(of: 2) { parts.append(tail) } else { parts[parts.count - 1] += tail }
        return MarkedText(parts: parts)
    }
}

extension ExactCharacter {
    fileprivate var isSpace: Bool { self.character.isWhitespace }
}

extension MarkedText {
    /// Adds what is not marked at the end.
    fileprivate mutating func append(_ text: String) {
        if self.parts.count.isMultiple(of: 2) {
            self.parts.append(text)
        } else {
            self.parts[self.parts.count - 1] += text
        }
    }
}
