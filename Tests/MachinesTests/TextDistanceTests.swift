import Machines
import Testing

@Suite("How far texts are apart")
struct TextDistanceTests {
    /// The table of the textbook, row by row.
    private static func textbook(_ left: [Character], _ right: [Character]) -> Int {
        var row = Array(0...right.count)
        for (number, character) in left.enumerated() {
            var diagonal = row[0]
            row[0] = number + 1
            for (place, other) in right.enumerated() {
                (diagonal, row[place + 1]) = (
                    row[place + 1], min(diagonal + (character == other ? 0 : 1), row[place + 1] + 1, row[place] + 1)
                )
            }
        }
        return row[right.count]
    }

    @Test(
        "is a slip of a finger for one character or two that are swapped, but not where things are numbered",
        arguments: [
            ("aks", "ask", true), ("boks", "books", true), ("Books", "books", true), ("log in", "login", true),
            ("ask", "ask", false), ("GET /users", "GET /items", false), ("room 1", "room 2", false), ("a", "b", false),
            ("", "abc", false),
        ])
    func slip(left: String, right: String, isSlip: Bool) {
        #expect(TextDistance.isSlip(left, right) == isSlip)
        #expect(TextDistance.isSlip(right, left) == isSlip)
    }

    @Test("is a slip wherever the table of the textbook has one step, or two neighbors are swapped")
    func slips() {
        var words = [""]
        for _ in 0..<4 { words += words.flatMap { word in "abé".map { word + String($0) } } }
        let few = Set(words).filter { $0.count > 2 }
        for left in few {
            for right in few {
                let isSwapped = (1..<left.count).contains { place in
                    var swapped = Array(left)
                    swapped.swapAt(place - 1, place)
                    return left != right && String(swapped) == right
                }
                let isOne = Self.textbook(Array(left), Array(right)) == 1
                #expect(TextDistance.isSlip(left, right) == (isSwapped || isOne), "\(left) and \(right)")
            }
        }
    }

    @Test(
        "is what the table of the textbook says, above all where words of 64 rows meet",
        arguments: 0..<40 as Range<UInt64>)
    func textbook(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let alphabet = Array("abcdé")
        for length in [0, 1, 2, 63, 64, 65, 127, 128, 129, 200] {
            func text(_ length: Int) -> [Character] {
                (0..<length).map { _ in alphabet.randomElement(using: &random) ?? "a" }
            }
            let left = text(length)
            var near = left
            for _ in 0..<3 where !near.isEmpty {
                near.remove(at: Int.random(in: near.indices, using: &random))
                near.insert("x", at: Int.random(in: 0...near.count, using: &random))
            }
            for right in [near, text(Int.random(in: 0...150, using: &random))] {
                #expect(TextDistance.levenshtein(left, right) == Self.textbook(left, right))
                #expect(TextDistance.levenshtein(right, left) == Self.textbook(left, right))
            }
        }
    }

    @Test("is found for two texts of ten thousand characters in little time", .timeLimit(.minutes(1)))
    func long() {
        let left = String(repeating: "ab", count: 5_000)
        let right = String(repeating: "ba", count: 5_000)
        #expect(TextDistance.ratio(left, right) == 1 - 2.0 / 10_000)
    }

    @Test("of texts too long to be compared whole, what is not compared is taken to differ")
    func tooLong() {
        let text = String(repeating: "a", count: 20_000)
        #expect(TextDistance.ratio(text, text) == 1)
        #expect(TextDistance.ratio(text, text.dropLast(10_000) + String(repeating: "b", count: 10_000)) == 0.5)
        #expect(TextDistance.ratio(text, "b" + text.dropFirst()) == 1 - 1.0 / 20_000)
        #expect(TextDistance.ratio(text, String(repeating: "b", count: 20_000)) == 0)
        #expect(TextDistance.ratio(text, "") == 0)
    }
}
