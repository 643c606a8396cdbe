/// A regular expression that takes a time linear in its text, whoever wrote the one and the other.
///
/// Servers send expressions (fields of forms, names of sessions) and texts; an engine that goes back in the text would
/// let either of them stop a run. ``RegexReader`` says what is known.
public struct TextRegex: Sendable {
    /// Longer texts never match: a server chooses the text, and the time grows with it.
    public static let longestText = 100_000

    /// The most bytes that an expression may have.
    static let longestPattern = 20_000

    /// The most instructions that an expression of a script may have.
    public static let longestOfScript = 2000

    /// The most instructions that an expression may have that somebody else chose, above all a server.
    public static let longestOfServer = 500

    /// How many instructions a search for all matches may look at; what it has not found by then it does not find.
    private static let mostSteps = 4_000_000

    /// The expression as it was written.
    public let pattern: String

    /// What it is compiled to.
    let program: RegexProgram

    /// Reads an expression.
    ///
    /// - Parameter longest: The most instructions that it may have when its repetitions are written out.
    /// - Throws: ``RegexError`` that says what cannot be read.
    public init(_ pattern: String, longest: Int = Self.longestOfScript) throws(RegexError) {
        guard pattern.utf8.count <= Self.longestPattern else {
            throw RegexError("the expression is longer than \(Self.longestPattern) bytes")
        }
        self.pattern = pattern
        self.program = try RegexReader.program(pattern, longest: longest)
    }

    /// Whether a text is so long that nothing is looked for in it.
    public static func isTooLong(_ text: String) -> Bool { text.utf8.count > Self.longestText }

    /// Returns whether a whole text matches; takes at most expression length × text length steps.
    public func matches(_ text: String) -> Bool {
        guard !Self.isTooLong(text) else { return false }
        var steps = Int.max
        return self.program.matches(Array(text.unicodeScalars), steps: &steps)
    }

    /// Returns whether some part of a text matches; takes at most expression length × text length steps.
    public func isFound(in text: String) -> Bool {
        guard !Self.isTooLong(text) else { return false }
        var steps = Int.max
        return self.program.firstMatch(in: Array(text.unicodeScalars), from: 0, steps: &steps) != nil
    }

    /// Returns where an expression matches within a text, in order and without overlaps; empty matches are left out.
    /// A match begins and ends between code points, be it within what is shown as one character.
    ///
    /// At each place the match is that of an engine that goes back: the leftmost, and of those the one that the
    /// expression prefers.
    ///
    /// - Parameters:
    ///   - text: Nothing is found in one of more than ``longestText`` bytes.
    ///   - limit: The most matches.
    public func ranges(in text: String, limit: Int) -> [Range<String.Index>] {
        guard !Self.isTooLong(text) else { return [] }
        let indices = Array(text.unicodeScalars.indices) + [text.endIndex]
        let characters = Array(text.unicodeScalars)
        var steps = Self.mostSteps
        var ranges: [Range<String.Index>] = []
        var place = 0
        while ranges.count < limit, place <= characters.count,
            let match = self.program.firstMatch(in: characters, from: place, steps: &steps)
        {
            if !match.isEmpty { ranges.append(indices[match.lowerBound]..<indices[match.upperBound]) }
            place = match.isEmpty ? match.upperBound + 1 : match.upperBound
        }
        return ranges
    }
}
