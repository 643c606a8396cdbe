import Machines

extension TextDistance {
    /// So many words are compared from the first difference on; what follows is taken to differ.
    private static let mostWords = 2000

    /// Returns the words of a text in lower case, without punctuation.
    static func words(_ text: String) -> [String] {
        text.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "'" || $0 == "’") }.map { String($0) }
    }

    /// Returns the word error rate: how many words were put in, left out or replaced, by the number of words wanted.
    ///
    /// Case and punctuation do not count. It is 0 for the same words and may be above 1.
    static func wordErrorRate(wanted: String, found: String) -> Double {
        let (wanted, found) = (Self.words(wanted), Self.words(found))
        guard !wanted.isEmpty else { return found.isEmpty ? 0 : 1 }
        return Double(Self.distance(wanted, found, comparing: Self.mostWords)) / Double(wanted.count)
    }

    /// Returns how alike the sets of words of two texts are, in whatever order and how often: twice the number of
    /// common words by the number of words of both, 1 for the same set and 0 for none in common.
    static func tokenSetRatio(_ left: String, _ right: String) -> Double {
        let (left, right) = (Set(Self.words(left)), Set(Self.words(right)))
        guard !left.isEmpty || !right.isEmpty else { return 1 }
        return 2 * Double(left.intersection(right).count) / Double(left.count + right.count)
    }
}
