import Patterns

/// A regular expression of a form's field.
///
/// It comes from a server, as does the text in part, so it is looked at in a time linear in the text.
struct FieldPattern {
    /// Longer patterns are not checked.
    static let patternLimit = 500

    /// Longer texts are not checked.
    static let textLimit = 10_000

    private let expression: TextRegex?

    /// Reads a pattern; one that cannot be read, or needs to go back in the text, fits everything: the server checks
    /// the text anyway.
    init(_ pattern: String) {
        let isShort = pattern.utf8.count <= Self.patternLimit
        self.expression = isShort ? try? TextRegex(pattern, longest: TextRegex.longestOfServer) : nil
    }

    /// Whether the whole of a text fits, as with the pattern of an HTML input.
    func fits(_ text: String) -> Bool {
        guard let expression, text.utf8.count <= Self.textLimit else { return true }
        return expression.matches(text)
    }
}
