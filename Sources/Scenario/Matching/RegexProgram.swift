/// What a regular expression is compiled to: instructions that are all followed side by side.
///
/// No text makes it go back, so a match takes at most program length × text length steps. That is why it knows neither
/// back references nor look-around.
struct RegexProgram {
    /// Longer programs are refused, because a server chooses the text that they run on.
    static let longest = 2000

    /// Where a character must not be taken but looked at.
    enum Place {
        case start, end, boundary, noBoundary
    }

    /// One instruction.
    enum Instruction {
        case character(RegexCharacters)
        /// Goes on at both places.
        case split(Int, Int)
        case jump(Int)
        case place(Place)
        case accept
    }

    private(set) var instructions: [Instruction] = []

    /// The number of the next instruction.
    var end: Int { self.instructions.count }

    /// Adds an instruction.
    ///
    /// - Returns: Its number.
    @discardableResult mutating func add(_ instruction: Instruction) -> Int {
        self.instructions.append(instruction)
        return self.instructions.count - 1
    }

    /// Puts an instruction in the place of one that stood for it.
    mutating func set(_ number: Int, _ instruction: Instruction) {
        self.instructions[number] = instruction
    }

    /// Returns whether a whole text matches.
    func matches(_ text: [Character]) -> Bool {
        var marks = [Int](repeating: -1, count: self.instructions.count)
        var current: [Int] = []
        var next: [Int] = []
        self.follow(0, at: 0, text, &marks, into: &current)
        for place in text.indices {
            guard !current.isEmpty else { return false }
            next.removeAll(keepingCapacity: true)
            for number in current {
                if case .character(let characters) = self.instructions[number], characters.contains(text[place]) {
                    self.follow(number + 1, at: place + 1, text, &marks, into: &next)
                }
            }
            swap(&current, &next)
        }
        return current.contains { if case .accept = self.instructions[$0] { true } else { false } }
    }

    /// Adds the instructions that can be reached without taking a character; each at most once a place.
    private func follow(
        _ first: Int, at place: Int, _ text: [Character], _ marks: inout [Int], into list: inout [Int]
    ) {
        var waiting = [first]
        while let number = waiting.popLast() {
            guard marks[number] != place else { continue }
            marks[number] = place
            switch self.instructions[number] {
            case .split(let one, let other): waiting += [other, one]
            case .jump(let target): waiting.append(target)
            case .place(let wanted): if Self.holds(wanted, at: place, text) { waiting.append(number + 1) }
            case .character, .accept: list.append(number)
            }
        }
    }

    private static func holds(_ wanted: Place, at place: Int, _ text: [Character]) -> Bool {
        switch wanted {
        case .start: return place == 0
        case .end: return place == text.count
        case .boundary, .noBoundary:
            let before = place > 0 && RegexCharacters.isWord(text[place - 1])
            let after = place < text.count && RegexCharacters.isWord(text[place])
            return (before != after) == (wanted == .boundary)
        }
    }
}

/// A set of characters of a regular expression.
struct RegexCharacters {
    /// A member of a set.
    enum Member {
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
    static func isWord(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }
}
