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

    /// Why the pattern checks nothing, a part of a sentence; nil if it can be read.
    let problem: String?

    /// Reads a pattern; one that cannot be read, or needs to go back in the text, fits everything: the server checks
    /// the text anyway.
    init(_ pattern: String) {
        guard pattern.utf8.count <= Self.patternLimit else {
            self.expression = nil
            self.problem = "it is longer than \(Self.patternLimit) bytes"
            return
        }
        do throws(RegexError) {
            self.expression = try TextRegex(pattern, longest: TextRegex.longestOfServer)
            self.problem = nil
        } catch {
            self.expression = nil
            self.problem = error.message
        }
    }

    /// Whether the whole of a text fits, as with the pattern of an HTML input.
    func fits(_ text: String) -> Bool {
        guard let expression, text.utf8.count <= Self.textLimit else { return true }
        return expression.matches(text)
    }
}
