/// How far texts are apart, for fuzzy matching and for suggestions.
public enum TextDistance {
    /// Returns the least number of characters to insert, delete or replace that turns one text into the other.
    public static func levenshtein(_ left: some Collection<Character>, _ right: some Collection<Character>) -> Int {
        Self.distance(left, right)
    }

    /// Returns the least number of elements to insert, delete or replace that turns one sequence into the other.
    public static func distance<Element: Equatable>(
        _ left: some Collection<Element>, _ right: some Collection<Element>
    ) -> Int {
        var row = Array(0...right.count)
        for (leftIndex, leftCharacter) in left.enumerated() {
            var diagonal = row[0]
            row[0] = leftIndex + 1
            for (rightIndex, rightCharacter) in right.enumerated() {
                let substitution = diagonal + (leftCharacter == rightCharacter ? 0 : 1)
                diagonal = row[rightIndex + 1]
                row[rightIndex + 1] = min(substitution, diagonal + 1, row[rightIndex] + 1)
            }
        }
        return row[right.count]
    }

    /// Returns the end of a sentence that says that there is no such name: what was meant, or else what there is.
    public static func hint(_ name: String, among known: [String]) -> String {
        if let suggestion = Self.suggestion(for: name, among: known) { return "; did you mean \"\(suggestion)\"?" }
        return known.isEmpty ? "; it names none" : "; there are \(known.joined(separator: ", "))"
    }

    /// Returns how alike two texts are: 1 for equal ones, 0 for ones that share nothing.
    ///
    /// Texts above 10,000 characters are compared by their beginnings.
    public static func ratio(_ left: String, _ right: String) -> Double {
        let left = Array(left.prefix(10_000))
        let right = Array(right.prefix(10_000))
        let longest = max(left.count, right.count)
        guard longest > 0 else { return 1 }
        return 1 - Double(Self.levenshtein(left, right)) / Double(longest)
    }

    /// Returns the known word that a misspelt one was most likely meant to be.
    public static func suggestion(for word: String, among known: some Sequence<String>) -> String? {
        let limit = max(1, word.count / 3)
        return known.map { ($0, Self.isSwapped(word, $0) ? 1 : Self.levenshtein(word, $0)) }
            .filter { $0.1 <= limit }
            .min { ($0.1, $0.0) < ($1.1, $1.0) }?.0
    }

    /// Whether two words differ in the order of two neighbors only, the most common slip of a typist.
    private static func isSwapped(_ left: String, _ right: String) -> Bool {
        guard left.count == right.count else { return false }
        let differing = zip(left, right).enumerated().filter { $0.element.0 != $0.element.1 }
        guard differing.count == 2, differing[0].offset + 1 == differing[1].offset else { return false }
        return differing[0].element.0 == differing[1].element.1 && differing[0].element.1 == differing[1].element.0
    }
}
