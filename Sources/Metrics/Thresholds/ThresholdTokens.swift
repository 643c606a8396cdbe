/// The words of a threshold with their places.
struct ThresholdTokens {
    /// A word, a number, a quoted text or a sign.
    struct Token: Hashable {
        enum Kind: Hashable {
            case word
            case number
            case quoted
            case sign
        }

        let kind: Kind
        let text: String
        let column: Int
    }

    let text: String
    private let tokens: [Token]
    private var position = 0

    /// Longer texts are no thresholds; it bounds what an error must show.
    private static let lengthLimit = 500

    init(_ text: String) throws(ThresholdError) {
        self.text = text
        guard text.count <= Self.lengthLimit else {
            throw ThresholdError(
                text: String(text.prefix(60)) + "…", column: 0,
                message: "a threshold has at most \(Self.lengthLimit) characters")
        }
        let characters = Array(text)
        var tokens: [Token] = []
        var rest = characters[...]
        while let start = rest.firstIndex(where: { !$0.isWhitespace }) {
            let kind = Self.kind(of: characters[start])
            guard let end = Self.end(of: kind, rest[start...]) else {
                throw ThresholdError(text: text, column: start, message: "the closing quotation mark is missing")
            }
            let content = kind == .quoted ? start + 1..<end - 1 : start..<end
            tokens.append(Token(kind: kind, text: String(characters[content]), column: start))
            rest = characters[end...]
        }
        self.tokens = tokens
    }

    private static func kind(of first: Character) -> Token.Kind {
        first == "\"" ? .quoted : Self.isDigit(first) ? .number : Self.isLetter(first) ? .word : .sign
    }

    /// Returns the place behind the token with which characters begin; nil if its closing quotation mark is missing.
    private static func end(of kind: Token.Kind, _ characters: ArraySlice<Character>) -> Int? {
        switch kind {
        case .quoted: return characters.dropFirst().firstIndex(of: "\"").map { $0 + 1 }
        case .number: return characters.prefix { Self.isDigit($0) || $0 == "." }.endIndex
        case .word: return characters.prefix { Self.isLetter($0) || Self.isDigit($0) || "-.".contains($0) }.endIndex
        case .sign:
            let isComparison = characters.first.map { "<>=!".contains($0) } ?? false
            return characters.startIndex + (isComparison && characters.dropFirst().first == "=" ? 2 : 1)
        }
    }

    private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }

    private static func isLetter(_ character: Character) -> Bool { character.isLetter || character == "_" }

    /// The next token, which stays.
    var next: Token? { self.position < self.tokens.count ? self.tokens[self.position] : nil }

    /// The place of the next token or the end.
    var column: Int { self.next?.column ?? self.text.count }

    /// Takes the next token if it is that text.
    mutating func take(_ text: String) -> Bool {
        guard let next = self.next, next.kind != .quoted, next.text == text else { return false }
        self.position += 1
        return true
    }

    /// Takes the next token if it is of that kind.
    mutating func take(_ kind: Token.Kind) -> Token? {
        guard let next = self.next, next.kind == kind else { return nil }
        self.position += 1
        return next
    }

    /// Whether the next token follows the one before without a space.
    var isAttached: Bool {
        guard self.position > 0, let next = self.next else { return false }
        let before = self.tokens[self.position - 1]
        return before.column + before.text.count == next.column
    }

    func error(_ message: String, at column: Int? = nil) -> ThresholdError {
        ThresholdError(text: self.text, column: column ?? self.column, message: message)
    }
}
