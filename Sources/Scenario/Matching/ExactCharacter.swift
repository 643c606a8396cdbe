/// A character that equals only one with the same bytes, so that é is another one where it is composed otherwise.
struct ExactCharacter: Equatable {
    let character: Character

    init(_ character: Character) { self.character = character }

    static func == (left: ExactCharacter, right: ExactCharacter) -> Bool {
        left.character.hasSameBytes(as: right.character)
    }
}

extension Character {
    /// Whether both consist of the same bytes.
    func hasSameBytes(as other: Character) -> Bool {
        // Most differ, and that is told sooner.
        self == other && self.utf8.elementsEqual(other.utf8)
    }
}
