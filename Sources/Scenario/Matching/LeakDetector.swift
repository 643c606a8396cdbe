/// Finds a text that must not be given away, such as the instructions of a model, in what a system says
/// (`match.leaks`).
///
/// Case, punctuation and line breaks do not count, so that a quotation is found however it is set.
struct LeakDetector {
    /// So many of its words in a row give it away; fewer are chance. A shorter text is given away by all of its words.
    static let tellingWords = 8

    /// The text as the script gave it.
    let text: String

    /// Every row of so many words.
    private let telling: Set<[String]>
    private let count: Int

    /// Reads a text.
    ///
    /// - Throws: ``UsageError`` if it has no words, for then nothing could give it away.
    init(_ text: String) throws(UsageError) {
        let words = Self.words(text)
        guard !words.isEmpty else {
            throw UsageError("match.leaks takes a text with words, for without any nothing could be found")
        }
        self.text = text
        self.count = min(words.count, Self.tellingWords)
        self.telling = Self.rows(of: words, self.count)
    }

    /// Returns whether another text gives it away.
    func isLeaked(by text: String) -> Bool { self.leaked(by: text) != nil }

    /// Returns the words by which another text gives it away first; nil if it does not.
    func leaked(by text: String) -> String? {
        let words = Self.words(text)
        guard words.count >= self.count else { return nil }
        let rows = (0...(words.count - self.count)).lazy.map { Array(words[$0..<($0 + self.count)]) }
        return rows.first(where: self.telling.contains)?.joined(separator: " ")
    }

    /// The words of a text in lower case, without punctuation and characters that nobody sees.
    private static func words(_ text: String) -> [String] {
        let seen = String(String.UnicodeScalarView(text.unicodeScalars.filter { !SeenText.isInvisible($0) }))
        return seen.lowercased().split { !$0.isLetter && !$0.isNumber }.map { String($0) }
    }

    private static func rows(of words: [String], _ count: Int) -> Set<[String]> {
        Set((0...(words.count - count)).map { Array(words[$0..<($0 + count)]) })
    }
}
