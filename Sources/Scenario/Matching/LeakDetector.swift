/// Finds a text that must not be given away, such as the instructions of a model, in what a system says
/// (`match.leaks`).
///
/// Case, punctuation and line breaks do not count, so that a quotation is found however it is set. Where no spaces
/// divide words, as in Chinese, two characters are taken for one.
struct LeakDetector {
    /// So many of its words in a row give it away; fewer are chance. A shorter text is given away by all of its words.
    static let tellingWords = 8

    /// The text as the script gave it.
    let text: String

    /// Every row of so many words, each as short as it can be.
    private let telling: Set<[String]>

    /// How much such a row has at least, in halves of words.
    private let weight: Int

    /// Reads a text.
    ///
    /// - Throws: ``UsageError`` if it has no words, for then nothing could give it away.
    init(_ text: String) throws(UsageError) {
        let words = Self.words(text)
        guard !words.isEmpty else {
            throw UsageError("match.leaks takes a text with words, for without any nothing could be found")
        }
        self.text = text
        self.weight = min(words.reduce(0) { $0 + Self.weight(of: $1) }, 2 * Self.tellingWords)
        self.telling = Set(Self.rows(of: words, self.weight))
    }

    /// Returns whether another text gives it away.
    func isLeaked(by text: String) -> Bool { self.leaked(by: text) != nil }

    /// Returns the words by which another text gives it away first; nil if it does not.
    func leaked(by text: String) -> String? {
        Self.rows(of: Self.words(text), self.weight).first(where: self.telling.contains)?.joined(separator: " ")
    }

    /// The words of a text in lower case, without punctuation and characters that nobody sees; where no spaces divide
    /// words, its characters.
    private static func words(_ text: String) -> [String] {
        let seen = String(String.UnicodeScalarView(text.unicodeScalars.filter { !SeenText.isInvisible($0) }))
        return seen.lowercased().split { !$0.isLetter && !$0.isNumber }.flatMap { Self.words(inRun: $0) }
    }

    /// The words of letters and digits with nothing between them.
    private static func words(inRun run: Substring) -> [String] {
        guard run.contains(where: Self.isUndivided) else { return [String(run)] }
        var words: [String] = []
        var isWordOpen = false
        for character in run {
            if Self.isUndivided(character) || !isWordOpen {
                words.append(String(character))
            } else {
                words[words.count - 1].append(character)
            }
            isWordOpen = !Self.isUndivided(character)
        }
        return words
    }

    /// Whether a character is of a script that has no spaces between words: Thai, Lao, Myanmar, Khmer, kana and Han.
    ///
    /// These are the blocks of the scripts of the classes SA and ID of Unicode Standard Annex 14.
    private static func isUndivided(_ character: Character) -> Bool {
        switch character.unicodeScalars.first?.value ?? 0 {
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3005...0x3007, 0x3040...0x30FF, 0x31F0...0x31FF,
            0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0xFF66...0xFF9F, 0x2_0000...0x3_FFFF:
            true
        default: false
        }
    }

    /// How much a word is, in halves of words.
    private static func weight(of word: String) -> Int { word.first.map(Self.isUndivided) == true ? 1 : 2 }

    /// The rows of words that have so much, one from each word on, as long as there are enough behind it.
    private static func rows(of words: [String], _ weight: Int) -> some Sequence<[String]> {
        let weights = words.map { Self.weight(of: $0) }
        return words.indices.lazy.compactMap { begin -> [String]? in
            var rest = weight
            var end = begin
            while rest > 0, end < words.count {
                rest -= weights[end]
                end += 1
            }
            return rest > 0 ? nil : Array(words[begin..<end])
        }
    }
}
