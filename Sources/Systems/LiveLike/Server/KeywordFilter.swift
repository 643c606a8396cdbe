/// Masks words as the service's keyword filter does: every letter becomes an asterisk.
struct KeywordFilter: Sendable {
    /// The words in lower case.
    let words: [String]

    /// Returns a text with the words masked; only whole words count.
    func masked(_ text: String) -> String {
        guard !self.words.isEmpty else { return text }
        var result = ""
        var word = ""
        func flush() {
            result += self.words.contains(word.lowercased()) ? String(repeating: "*", count: word.count) : word
            word = ""
        }
        for character in text {
            if character.isLetter || character.isNumber {
                word.append(character)
            } else {
                flush()
                result.append(character)
            }
        }
        flush()
        return result
    }
}
