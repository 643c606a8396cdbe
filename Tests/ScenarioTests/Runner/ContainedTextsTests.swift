import Testing

@testable import Scenario

@Suite("Texts that others contain")
struct ContainedTextsTests {
    private func places(_ texts: [String]) -> Set<Int> { ContainedTexts.places(in: texts.map { Array($0.utf8) }) }

    @Test(
        "are found by their bytes",
        arguments: [
            (["a", "b"], []), (["a", "bab"], [0]), (["ab", "ba", "xbax", "xab"], [0, 1]), (["a", "a"], [0, 1]),
            (["", "b"], [0]), ([], []), (["é", "e\u{301}"], []), (["e", "e\u{301}"], [0]), (["abc", "abd", "bc"], [2]),
        ] as [([String], Set<Int>)])
    func found(texts: [String], places: Set<Int>) {
        #expect(self.places(texts) == places)
    }

    @Test("are the same that a search for each in each finds")
    func likeSearch() {
        var state: UInt64 = 7
        for _ in 0..<50 {
            let texts = (0..<40).map { _ in
                String(
                    (0..<8).prefix { _ in
                        state = state &* 6_364_136_223_846_793_005 &+ 1
                        return state >> 33 & 7 != 0
                    }.map { _ -> Character in
                        state = state &* 6_364_136_223_846_793_005 &+ 1
                        return state >> 33 & 1 == 0 ? "a" : "b"
                    })
            }
            let expected = texts.indices.filter { place in
                texts.indices.contains { $0 != place && texts[$0].hasBytes(texts[place]) }
            }
            #expect(self.places(texts) == Set(expected), "\(texts)")
        }
    }

    @Test("are all of them where there are too many to look at")
    func many() {
        let texts = (0..<20_000).map { String(repeating: "x", count: $0 % 100) + "\($0)" }
        #expect(self.places(texts).count == texts.count)
    }
}
