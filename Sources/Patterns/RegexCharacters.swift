/// A set of characters of a regular expression, each a code point.
package struct RegexCharacters: Sendable {
    /// A member of a set.
    enum Member: Sendable {
        case one(Unicode.Scalar)
        case range(ClosedRange<Unicode.Scalar>)
        case digit(Bool), word(Bool), space(Bool), letter(Bool), number(Bool), punctuation(Bool)
        case uppercase(Bool), lowercase(Bool)
        case any, anyButNewline
        case set(RegexCharacters)
    }

    var members: [Member]
    var isNegated = false
    var ignoresCase = false

    /// Returns whether a character belongs to the set.
    func contains(_ character: Unicode.Scalar) -> Bool {
        var isMember = self.members.contains { Self.contains($0, character) }
        if !isMember, self.ignoresCase {
            isMember = Self.otherCases(of: character).contains { form in
                self.members.contains { Self.contains($0, form) }
            }
        }
        return isMember != self.isNegated
    }

    private static func contains(_ member: Member, _ character: Unicode.Scalar) -> Bool {
        switch member {
        case .one(let wanted): return character == wanted
        case .range(let range): return range.contains(character)
        case .digit(let wanted): return Self.isDigit(character) == wanted
        case .word(let wanted): return Self.isWord(character) == wanted
        case .space(let wanted): return character.properties.isWhitespace == wanted
        case .letter(let wanted): return character.properties.isAlphabetic == wanted
        case .number(let wanted): return (character.properties.numericType != nil) == wanted
        case .punctuation(let wanted): return Character(character).isPunctuation == wanted
        case .uppercase(let wanted): return Character(character).isUppercase == wanted
        case .lowercase(let wanted): return Character(character).isLowercase == wanted
        case .any: return true
        case .anyButNewline: return !Self.isNewline(character)
        case .set(let set): return set.contains(character)
        }
    }

    private static func isDigit(_ character: Unicode.Scalar) -> Bool {
        character.isASCII ? ("0"..."9").contains(character) : Character(character).wholeNumberValue != nil
    }

    private static func isNewline(_ character: Unicode.Scalar) -> Bool {
        switch character {
        case "\n"..."\r", "\u{85}", "\u{2028}", "\u{2029}": true
        default: false
        }
    }

    /// The small and the capital form of a character, as far as they are one character.
    private static func otherCases(of character: Unicode.Scalar) -> [Unicode.Scalar] {
        if character.isASCII {
            return ("a"..."z").contains(character) || ("A"..."Z").contains(character)
                ? [Unicode.Scalar(UInt8(character.value) ^ 0x20)] : []
        }
        return [character.properties.lowercaseMapping, character.properties.uppercaseMapping].compactMap { form in
            form.unicodeScalars.count == 1 ? form.unicodeScalars.first : nil
        }
    }

    /// Whether a character is a letter, a digit, an underscore, or combined with what is before it.
    static func isWord(_ character: Unicode.Scalar) -> Bool {
        let properties = character.properties
        if properties.isAlphabetic || properties.numericType != nil || character == "_" { return true }
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: return true
        default: return false
        }
    }

    /// Whether what is shown as one character begins with a letter, a digit or an underscore.
    package static func isWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }
}
