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
        var place = 0
        while place < characters.count {
            let start = place
            let first = characters[place]
            if first.isWhitespace {
                place += 1
                continue
            }
            let kind: Token.Kind
            if first == "\"" {
                kind = .quoted
                guard let end = characters[(place + 1)...].firstIndex(of: "\"") else {
                    throw ThresholdError(text: text, column: place, message: "the closing quotation mark is missing")
                }
                tokens.append(Token(kind: kind, text: String(characters[(start + 1)..<end]), column: start))
                place = end + 1
                continue
            } else if Self.isDigit(first) {
                kind = .number
                while place < characters.count, Self.isDigit(characters[place]) || characters[place] == "." {
                    place += 1
                }
            } else if Self.isLetter(first) {
                kind = .word
                while place < characters.count,
                    Self.isLetter(characters[place]) || Self.isDigit(characters[place])
                        || "-.".contains(characters[place])
                {
                    place += 1
                }
            } else {
                kind = .sign
                place += "<>=!".contains(first) && place + 1 < characters.count && characters[place + 1] == "=" ? 2 : 1
            }
            tokens.append(Token(kind: kind, text: String(characters[start..<place]), column: start))
        }
        self.tokens = tokens
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
