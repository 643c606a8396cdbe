/// A regular expression that must match a whole text.
struct TextRegex {
    /// Longer texts never match: a server chooses the text, and the time grows with it.
    static let longestText = 100_000

    /// The expression as the script wrote it.
    let pattern: String

    private let program: RegexProgram

    /// Reads an expression.
    ///
    /// - Throws: ``ScriptMistake`` that says what cannot be read.
    init(_ pattern: String) throws(ScriptMistake) {
        self.pattern = pattern
        self.program = try RegexReader.program(pattern)
    }

    /// Returns whether a whole text matches; takes at most expression length × text length steps.
    func matches(_ text: String) -> Bool {
        guard text.utf8.count <= Self.longestText else { return false }
        return self.program.matches(Array(text))
    }
}
