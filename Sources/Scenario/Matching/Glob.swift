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
    func matches(_ text: String) -> Bool {
        let text = Array(text)
        var textIndex = 0
        var patternIndex = 0
        var retry: (pattern: Int, text: Int)?
        while textIndex < text.count {
            if patternIndex < self.characters.count, self.characters[patternIndex] == "*" {
                retry = (patternIndex + 1, textIndex)
                patternIndex += 1
            } else if patternIndex < self.characters.count,
                self.characters[patternIndex] == "?" || self.characters[patternIndex] == text[textIndex]
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
        return self.characters[patternIndex...].allSatisfy { $0 == "*" }
    }
}
