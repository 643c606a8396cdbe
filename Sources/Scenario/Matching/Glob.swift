/// A text pattern in which `*` stands for any text and `?` for one character; everything else is literal.
struct Glob {
    /// The pattern as the script wrote it.
    let pattern: String

    private let characters: [Character]

    init(_ pattern: String) {
        self.pattern = pattern
        self.characters = Array(pattern)
    }

    /// Returns whether a whole text matches; takes at most pattern length × text length steps.
    func matches(_ text: String) -> Bool { Self.matches(self.characters, Array(text)) { $0.hasSameBytes(as: $1) } }

    /// Returns whether a whole text matches as people see it.
    func matches(_ text: SeenText) -> Bool { Self.matches(SeenText(self.pattern).characters, text.characters, ==) }

    private static func matches(
        _ characters: [Character], _ text: [Character], _ isSame: (Character, Character) -> Bool
    ) -> Bool {
        var textIndex = 0
        var patternIndex = 0
        var retry: (pattern: Int, text: Int)?
        while textIndex < text.count {
            if patternIndex < characters.count, characters[patternIndex] == "*" {
                retry = (patternIndex + 1, textIndex)
                patternIndex += 1
            } else if patternIndex < characters.count,
                characters[patternIndex] == "?" || isSame(characters[patternIndex], text[textIndex])
            {
                patternIndex += 1
                textIndex += 1
            } else if let (pattern, text) = retry {
                // The last star takes one character more.
                patternIndex = pattern
                textIndex = text + 1
                retry = (pattern, text + 1)
            } else {
                return false
            }
        }
        return characters[patternIndex...].allSatisfy { $0 == "*" }
    }
}
