/// A regular expression that must match a whole text.
struct TextRegex {
    /// Longer texts never match: the engine backtracks, and a server chooses the text.
    static let longestText = 100_000

    /// The expression as the script wrote it.
    let pattern: String

    private let regex: Regex<AnyRegexOutput>

    /// Reads an expression.
    ///
    /// - Throws: The engine's own description of what it cannot read.
    init(_ pattern: String) throws {
        self.pattern = pattern
        self.regex = try Regex(pattern)
    }

    /// Returns whether a whole text matches.
    func matches(_ text: String) -> Bool {
        guard text.utf8.count <= Self.longestText else { return false }
        return (try? self.regex.wholeMatch(in: text)) != nil
    }
}
