import Machines
import Testing

@testable import Scenario

@Suite("How far texts are apart")
struct TextDistanceWordsTests {
    /// The distance by its definition: what is left of both after their first elements, in three ways.
    private static func distance<Element: Equatable>(_ left: ArraySlice<Element>, _ right: ArraySlice<Element>) -> Int {
        guard let first = left.first else { return right.count }
        guard let second = right.first else { return left.count }
        if first == second { return Self.distance(left.dropFirst(), right.dropFirst()) }
        return 1
            + min(
                Self.distance(left.dropFirst(), right), Self.distance(left, right.dropFirst()),
                Self.distance(left.dropFirst(), right.dropFirst()))
    }

    @Test("the distance is the one of its definition", arguments: 0..<40)
    func reference(seed: UInt64) {
        var random = RandomSource(seed: seed)
        for _ in 0..<10 {
            let (left, right) = (random.text(of: "abc", count: 0...6), random.text(of: "abc", count: 0...6))
            #expect(TextDistance.levenshtein(left, right) == Self.distance(Array(left)[...], Array(right)[...]))
        }
    }

    @Test(
        "the distance of long texts that share all but some words is the number of these", arguments: [63, 64, 65, 129])
    func wordsAcrossBlocks(count: Int) {
        let words = (0..<count).map { "w\($0)" }
        var changed = words
        changed[0] = "x"
        changed[count / 2] = "y"
        changed.removeLast()
        #expect(TextDistance.distance(words, changed) == 3)
        let text = words.joined(separator: " ")
        #expect(TextDistance.wordErrorRate(wanted: text, found: changed.joined(separator: ", ")) == 3 / Double(count))
    }

    @Test(
        "words are letters, digits and apostrophes, in lower case",
        arguments: [
            ("Don't — I'm O’Hara!", ["don't", "i'm", "o’hara"]), ("a-b_c", ["a", "b", "c"]),
            ("12.5 kg", ["12", "5", "kg"]),
            ("ÄPFEL Straße", ["äpfel", "straße"]), ("", []), (" .,;", []), ("😀 hi", ["hi"]),
        ] as [(String, [String])])
    func words(text: String, words: [String]) {
        #expect(TextDistance.words(text) == words)
    }

    @Test("of texts with more than two thousand words from the first difference on, the rest is taken to differ")
    func bound() {
        let long = Array(repeating: "a", count: 3_000).joined(separator: " ")
        let other = Array(repeating: "b", count: 3_000).joined(separator: " ")
        #expect(TextDistance.wordErrorRate(wanted: long, found: long) == 0)
        #expect(TextDistance.wordErrorRate(wanted: long, found: long + " b") == 1.0 / 3_000)
        #expect(TextDistance.wordErrorRate(wanted: long, found: other) == 1)
        #expect(TextDistance.tokenSetRatio(long + " b", long) == 2.0 / 3)
    }

    @Test("a ratio lies between 0 and 1 and is the same from both sides", arguments: 0..<30)
    func symmetry(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let (left, right) = (random.text(of: "ab c", count: 0...12), random.text(of: "ab c", count: 0...12))
        for ratio in [TextDistance.ratio, TextDistance.tokenSetRatio] as [(String, String) -> Double] {
            #expect(ratio(left, right) == ratio(right, left))
            #expect(0...1 ~= ratio(left, right))
            #expect(ratio(left, left) == 1)
        }
    }
}
