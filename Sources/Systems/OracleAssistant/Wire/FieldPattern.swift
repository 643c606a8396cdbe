/// A regular expression of a form's field, used only if it cannot run away.
///
/// The pattern comes from a server. A repeated group that itself repeats something makes a backtracking engine take time
/// that doubles with each character, so such patterns are not checked here; the server checks them anyway.
struct FieldPattern {
    /// Longer patterns are not checked.
    static let patternLimit = 500

    /// Longer texts are not checked.
    static let textLimit = 10_000

    private let expression: Regex<AnyRegexOutput>?

    /// Reads a pattern; one that cannot be read or is not safe fits everything.
    init(_ pattern: String) {
        let isSafe = pattern.utf8.count <= Self.patternLimit && !Self.repeatsRepetition(pattern)
        self.expression = isSafe ? try? Regex(pattern) : nil
    }

    /// Whether the whole of a text fits, as with the pattern of an HTML input.
    func fits(_ text: String) -> Bool {
        guard let expression, text.utf8.count <= Self.textLimit else { return true }
        return (try? expression.wholeMatch(in: text)) != nil
    }

    /// Whether a group that holds a repetition or a choice is itself repeated.
    static func repeatsRepetition(_ pattern: String) -> Bool {
        var groups: [Bool] = []
        var closed = false
        var isEscaped = false, isInClass = false
        for character in pattern {
            defer { if character != "\\" || isEscaped { isEscaped = false } else { isEscaped = true } }
            if isEscaped {
                closed = false
                continue
            }
            if isInClass {
                isInClass = character != "]"
                closed = false
                continue
            }
            switch character {
            case "[":
                isInClass = true
                closed = false
            case "(":
                groups.append(false)
                closed = false
            case ")":
                closed = groups.popLast() ?? false
                if closed, !groups.isEmpty { groups[groups.count - 1] = true }
            case "*", "+", "{":
                if closed { return true }
                if !groups.isEmpty { groups[groups.count - 1] = true }
                closed = false
            case "|":
                if !groups.isEmpty { groups[groups.count - 1] = true }
                closed = false
            default: closed = false
            }
        }
        return false
    }
}
