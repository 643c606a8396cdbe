/// How far texts are apart, for fuzzy matching and for suggestions.
public enum TextDistance {
    /// Returns the least number of characters to insert, delete or replace that turns one text into the other.
    public static func levenshtein(_ left: some Collection<Character>, _ right: some Collection<Character>) -> Int {
        Self.distance(left, right)
    }

    /// Returns the least number of elements to insert, delete or replace that turns one sequence into the other.
    ///
    /// By Myers' algorithm in the form of Hyyrö (2003): 64 rows of the table at once, as the bits of words that say
    /// where the next row is one more or one less. Two texts of 10,000 characters take milliseconds.
    public static func distance<Element: Hashable>(
        _ left: some Collection<Element>, _ right: some Collection<Element>
    ) -> Int {
        guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
        let blockCount = (left.count + 63) / 64
        let none = [UInt64](repeating: 0, count: blockCount)
        var places: [Element: [UInt64]] = [:]
        for (row, element) in left.enumerated() { places[element, default: none][row / 64] |= 1 << UInt64(row % 64) }
        var more = [UInt64](repeating: .max, count: blockCount)
        var less = none
        var distance = left.count
        for element in right {
            let equal = places[element] ?? none
            // The row above the first counts up, since each further element is one more insertion.
            var (carriesMore, carriesLess) = (true, false)
            for block in 0..<blockCount {
                let last: UInt64 = block == blockCount - 1 ? 1 << UInt64((left.count - 1) % 64) : 1 << 63
                let vertical = equal[block] | less[block]
                let matching = equal[block] | (carriesLess ? 1 : 0)
                let horizontal = (((matching & more[block]) &+ more[block]) ^ more[block]) | matching
                var rises = less[block] | ~(horizontal | more[block])
                var falls = more[block] & horizontal
                let carry = (rises & last != 0, falls & last != 0)
                rises = rises << 1 | (carriesMore ? 1 : 0)
                falls = falls << 1 | (carriesLess ? 1 : 0)
                more[block] = falls | ~(vertical | rises)
                less[block] = rises & vertical
                (carriesMore, carriesLess) = carry
            }
            distance += carriesMore ? 1 : carriesLess ? -1 : 0
        }
        return distance
    }

    /// Returns the end of a sentence that says that there is no such name: what was meant, or else what there is.
    ///
    /// - Parameters:
    ///   - name: The name that was given.
    ///   - known: The names that there are.
    ///   - lead: What comes before them if they are told.
    public static func hint(_ name: String, among known: [String], listing lead: String = "there are") -> String {
        Self.hint(
            name, among: known,
            otherwise: known.isEmpty ? "there are none" : "\(lead) \(known.joined(separator: ", "))")
    }

    /// Returns the end of a sentence that says that there is no such name: what was meant, or else what to do.
    ///
    /// - Parameters:
    ///   - name: The name that was given.
    ///   - known: The names that there are.
    ///   - remedy: What is said if none of them is near; nothing if it is empty.
    public static func hint(
        _ name: String, among known: some Sequence<String>, otherwise remedy: @autoclosure () -> String
    ) -> String {
        if let suggestion = Self.suggestion(for: name, among: known) { return "; did you mean \"\(suggestion)\"?" }
        let remedy = remedy()
        return remedy.isEmpty ? "" : "; \(remedy)"
    }

    /// Returns how alike two texts are: 1 for equal ones, 0 for ones that share nothing.
    ///
    /// Of texts that differ in more than 10,000 characters from the first difference to the last, the rest is taken to
    /// differ.
    public static func ratio(_ left: String, _ right: String) -> Double {
        let (left, right) = (Array(left), Array(right))
        let longest = max(left.count, right.count)
        guard longest > 0 else { return 1 }
        return 1 - Double(Self.distance(left, right, comparing: 10_000)) / Double(longest)
    }

    /// Returns the distance of two sequences of which at most so many elements, from the first difference on, are
    /// compared; those that follow as far as the last difference are taken to differ.
    public static func distance<Element: Hashable>(_ left: [Element], _ right: [Element], comparing most: Int) -> Int {
        let begin = zip(left, right).prefix { $0 == $1 }.count
        let (leftRest, rightRest) = (left[begin...], right[begin...])
        let end = zip(leftRest.reversed(), rightRest.reversed()).prefix { $0 == $1 }.count
        let (leftPart, rightPart) = (leftRest.dropLast(end), rightRest.dropLast(end))
        let cut = max(leftPart.count, rightPart.count, most) - most
        return cut + Self.distance(leftPart.prefix(most), rightPart.prefix(most))
    }

    /// Returns the known word that a misspelt one was most likely meant to be.
    public static func suggestion(for word: String, among known: some Sequence<String>) -> String? {
        let limit = max(1, word.count / 3)
        return known.map { ($0, Self.isSwapped(word, $0) ? 1 : Self.levenshtein(word, $0)) }
            .filter { $0.1 <= limit }
            .min { ($0.1, $0.0) < ($1.1, $1.0) }?.0
    }

    /// Whether two words differ as by a slip of a finger: by one character, or by two neighbors that are swapped.
    ///
    /// Words with digits never do, for those that count something, such as `room 1` and `room 2`, are alike on purpose;
    /// neither do words of one or two characters.
    ///
    /// Declarations are read anew for each user of a load test, with words held against the names of all types, so most
    /// pairs are told apart by their lengths, and the others by what remains between their first and last difference.
    public static func isSlip(_ left: String, _ right: String) -> Bool {
        let counts = (left.count, right.count)
        guard min(counts.0, counts.1) > 2, abs(counts.0 - counts.1) <= 1 else { return false }
        let begin = zip(left, right).prefix { $0 == $1 }.count
        let (leftRest, rightRest) = (left.dropFirst(begin), right.dropFirst(begin))
        let end = zip(leftRest.reversed(), rightRest.reversed()).prefix { $0 == $1 }.count
        let isOne: Bool
        switch (leftRest.count - end, rightRest.count - end) {
        case (0, 1), (1, 0), (1, 1): isOne = true
        case (2, 2):
            isOne = leftRest.first == rightRest.dropFirst().first && leftRest.dropFirst().first == rightRest.first
        default: isOne = false
        }
        return isOne && !left.contains(where: \.isNumber) && !right.contains(where: \.isNumber)
    }

    /// Whether two words differ in the order of two neighbors only, the most common slip of a typist.
    private static func isSwapped(_ left: String, _ right: String) -> Bool {
        guard left.count == right.count else { return false }
        let differing = zip(left, right).enumerated().filter { $0.element.0 != $0.element.1 }
        guard differing.count == 2, differing[0].offset + 1 == differing[1].offset else { return false }
        return differing[0].element.0 == differing[1].element.1 && differing[0].element.1 == differing[1].element.0
    }
}
