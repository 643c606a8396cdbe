/// A set of characters of a regular expression, each a code point.
///
/// Looking a character up takes a time that grows with the logarithm of how many members the set has: characters and
/// ranges of them lie in order, and there are only so many classes. Only sets within it are looked into one by one.
package struct RegexCharacters: Sendable {
    /// A member of a set.
    enum Member: Sendable {
        case one(Unicode.Scalar)
        case range(ClosedRange<Unicode.Scalar>)
        case of(Class)
        case set(RegexCharacters)
    }

    /// Characters that have something in common, or with `false` those that do not have it.
    enum Class: Hashable, Sendable {
        case digit(Bool), word(Bool), space(Bool), letter(Bool), number(Bool), punctuation(Bool)
        case uppercase(Bool), lowercase(Bool)
        case any, anyButNewline
    }

    /// The characters that are members by themselves, as code points: in order, and no two ranges touch.
    private let ranges: [ClosedRange<UInt32>]
    private let classes: [Class]
    private let sets: [RegexCharacters]
    private let isNegated: Bool
    private let ignoresCase: Bool

    /// How many sets there are within this one that each take a time of their own.
    let setCount: Int

    init(members: [Member], isNegated: Bool = false, ignoresCase: Bool = false) {
        var ranges: [ClosedRange<UInt32>] = []
        var classes: [Class] = []
        var sets: [RegexCharacters] = []
        for member in members {
            switch member {
            case .one(let character): ranges.append(character.value...character.value)
            case .range(let range): ranges.append(range.lowerBound.value...range.upperBound.value)
            case .of(let class_): if !classes.contains(class_) { classes.append(class_) }
            case .set(let set):
                guard !set.ignoresCase, set.sets.isEmpty, !set.isNegated || set.classes.isEmpty else {
                    sets.append(set)
                    continue
                }
                ranges += set.isNegated ? Self.others(set.ranges) : set.ranges
                for one in set.classes where !classes.contains(one) { classes.append(one) }
            }
        }
        self.ranges = Self.joined(ranges)
        self.classes = classes
        self.sets = sets
        self.isNegated = isNegated
        self.ignoresCase = ignoresCase
        self.setCount = sets.reduce(0) { $0 + 1 + $1.setCount }
    }

    /// Puts ranges in order and joins those that touch.
    private static func joined(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
        var joined: [ClosedRange<UInt32>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = joined.last, range.lowerBound <= last.upperBound + 1 {
                joined[joined.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        return joined
    }

    /// Returns what lies between ranges that are in order.
    private static func others(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
        var others: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges {
            if range.lowerBound > next { others.append(next...(range.lowerBound - 1)) }
            next = range.upperBound + 1
        }
        if next <= 0x10FFFF { others.append(next...0x10FFFF) }
        return others
    }

    /// Returns whether a character belongs to the set.
    func contains(_ character: Unicode.Scalar) -> Bool {
        var isMember = self.hasMember(character)
        if !isMember, self.ignoresCase {
            isMember = Self.otherCases(of: character).contains { self.hasMember($0) }
        }
        return isMember != self.isNegated
    }

    private func hasMember(_ character: Unicode.Scalar) -> Bool {
        var (low, high) = (0, self.ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if self.ranges[middle].upperBound < character.value { low = middle + 1 } else { high = middle }
        }
        if low < self.ranges.count, self.ranges[low].lowerBound <= character.value { return true }
        return self.classes.contains { $0.contains(character) } || self.sets.contains { $0.contains(character) }
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

extension RegexCharacters.Class {
    /// Returns whether a character belongs to the class.
    func contains(_ character: Unicode.Scalar) -> Bool {
        switch self {
        case .digit(let wanted): ("0"..."9").contains(character) == wanted
        case .word(let wanted): RegexCharacters.isWord(character) == wanted
        case .space(let wanted): character.properties.isWhitespace == wanted
        case .letter(let wanted): character.properties.isAlphabetic == wanted
        case .number(let wanted): (character.properties.numericType != nil) == wanted
        case .punctuation(let wanted): Character(character).isPunctuation == wanted
        case .uppercase(let wanted): Character(character).isUppercase == wanted
        case .lowercase(let wanted): Character(character).isLowercase == wanted
        case .any: true
        case .anyButNewline: !Self.isNewline(character)
        }
    }

    private static func isNewline(_ character: Unicode.Scalar) -> Bool {
        switch character {
        case "\n"..."\r", "\u{85}", "\u{2028}", "\u{2029}": true
        default: false
        }
    }
}
