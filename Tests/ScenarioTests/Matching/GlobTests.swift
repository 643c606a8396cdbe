import Machines
import Testing

@testable import Scenario

@Suite("Globs")
struct GlobTests {
    /// Matches by trying everything that a star can take.
    private static func matches(_ pattern: Substring, _ text: Substring) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        if first == "*" {
            return text.indices.contains { Self.matches(pattern.dropFirst(), text[$0...]) }
                || Self.matches(pattern.dropFirst(), text[text.endIndex...])
        }
        guard let character = text.first, first == "?" || first == character else { return false }
        return Self.matches(pattern.dropFirst(), text.dropFirst())
    }

    @Test("a glob accepts what trying everything accepts", arguments: 0..<60)
    func reference(seed: UInt64) {
        var random = RandomSource(seed: seed)
        for _ in 0..<50 {
            let pattern = random.text(of: "ab*?", count: 0...7)
            let text = random.text(of: "ab", count: 0...8)
            #expect(Glob(pattern).matches(text) == Self.matches(pattern[...], text[...]), "\(pattern) on \(text)")
        }
    }

    @Test(
        "a question mark is one character as people count them, and nothing else has a meaning",
        arguments: [
            ("?", "é", true), ("?", "e\u{301}", true), ("?", "👨‍👩‍👧", true), ("??", "👨‍👩‍👧", false), ("[ab]", "a", false),
            ("[ab]", "[ab]", true), ("a.c", "abc", false), ("\\*", "\\anything", true), ("\\*", "*", false),
            ("", "", true), ("", "a", false), ("*", "", true), ("**", "x", true), ("a*", "a\nb", true),
            ("?", "\r\n", true),
        ] as [(String, String, Bool)] as [(String, String, Bool)])
    func characters(pattern: String, text: String, isMatch: Bool) {
        #expect(Glob(pattern).matches(text) == isMatch)
    }
}
