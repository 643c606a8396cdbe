/// A set of characters of a regular expression.
package struct RegexCharacters: Sendable {
    /// A member of a set.
    enum Member: Sendable {
        case one(Character)
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
    func contains(_ character: Character) -> Bool {
        var isMember = self.members.contains { Self.contains($0, character) }
        if !isMember, self.ignoresCase {
            let forms = [character.lowercased(), character.uppercased()].filter { $0.count == 1 }.map { Character($0) }
            isMember = forms.contains { form in self.members.contains { Self.contains($0, form) } }
        }
        return isMember != self.isNegated
    }

    private static func contains(_ member: Member, _ character: Character) -> Bool {
        switch member {
        case .one(let wanted): return character == wanted
        case .range(let range):
            guard let first = character.unicodeScalars.first, character.unicodeScalars.count == 1 else { return false }
            return range.contains(first)
        case .digit(let wanted): return (character.wholeNumberValue != nil && character.isNumber) == wanted
        case .word(let wanted): return Self.isWord(character) == wanted
        case .space(let wanted): return character.isWhitespace == wanted
        case .letter(let wanted): return character.isLetter == wanted
        case .number(let wanted): return character.isNumber == wanted
        case .punctuation(let wanted): return character.isPunctuation == wanted
        case .uppercase(let wanted): return character.isUppercase == wanted
        case .lowercase(let wanted): return character.isLowercase == wanted
        case .any: return true
        case .anyButNewline: return !character.isNewline
        case .set(let set): return set.contains(character)
        }
    }

    /// Whether a character is a letter, a digit or an underscore.
    package static func isWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }
}
