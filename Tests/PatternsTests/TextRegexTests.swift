import Machines
import Testing

@testable import Patterns

@Suite("Regular expressions")
struct TextRegexTests {
    @Test(
        "a whole text matches or not",
        arguments: [
            ("a|bc", "bc", true), ("a|bc", "abc", false), ("(?:ab)+", "abab", true), ("a{2,3}", "aaaa", false),
            ("a{2,}", "aaaa", true), ("a{2}", "aa", true), ("[a-c]x?", "b", true), ("[^a-c]", "b", false),
            (#"\d+ \w+"#, "12 ab_c", true), (#"\D"#, "1", false), (#"\s"#, "\t", true), (".", "\n", false),
            ("(?s).", "\n", true), ("(?i)HELLO", "hello", true), ("(?i:H)i", "hI", false), ("(?i:H)i", "hi", true),
            (#".*\bcat\b.*"#, "a cat!", true), (#".*\bcat\b.*"#, "concat", false), ("^ab$", "ab", true),
            ("a^b", "ab", false), (#"\p{L}\p{N}"#, "é5", true), (#"é"#, "é", true), ("x*?y", "xxy", true),
            ("(?<name>a)", "a", true), ("a{,3}", "a{,3}", true), ("[]a]", "]", true), ("[a-]", "-", true),
            ("a{1}{2}{1}", "aa", true),
            (#"\u00e9\x41\u{1F600}"#, "éA😀", true), (#"[\d.]+"#, "1.5", true), ("(a*)*", "", true),
            ("(|a)+", "aa", true), (#"\."#, ".", true),
            (#"\d"#, "４", false), (#"\d"#, "٣", false), (#"\D"#, "４", true), (#"[\d]"#, "½", false),
            ("[[:digit:]]", "४", false), (#"\p{N}"#, "４", true), (#"\w"#, "４", true),
        ])
    func matches(pattern: String, text: String, expected: Bool) throws {
        #expect(try TextRegex(pattern).matches(text) == expected)
    }

    @Test(
        "a set has its characters, ranges, classes and sets, however they lie",
        arguments: [
            ("[c-eax-za-c]+", "abcdexyz", true), ("[c-eax-za-c]", "f", false), ("[^b-da-c]", "e", true),
            ("[[^b]b]", "b", true), ("[[^a-c]b]", "a", false), ("[[^a-c]b]", "\u{10FFFF}", true),
            (#"[[^\d]1]"#, "1", true), (#"[[^\d]1]"#, "2", false), (#"[^[^\d]1]"#, "2", true),
            ("(?i)[K[^a]]", "A", false), ("(?i)[[k]]", "\u{212A}", true), ("(?i)[^[:alpha:]]", "1", true),
            ("[[:punct:][:digit:]]+", "+1!", true), ("[\u{0}-\u{10FFFF}]", "x", true),
            ("[^\u{0}-\u{10FFFF}]", "x", false),
        ])
    func sets(pattern: String, text: String, expected: Bool) throws {
        #expect(try TextRegex(pattern).matches(text) == expected)
    }

    @Test("a set of thousands of characters that is repeated takes no longer than one of a few")
    func largeSets() throws {
        // Every second character, so that they are no ranges; one by one they would take some 10^10 steps.
        let characters = (0..<6_000).compactMap { Unicode.Scalar(0x4E00 + 2 * $0) }
        let set = "[" + String(String.UnicodeScalarView(characters)) + "]"
        let regex = try TextRegex(set + "{400}!", longest: TextRegex.longestOfServer)
        #expect(!regex.isFound(in: String(repeating: "\(characters[5_999])", count: 15_000)))
    }

    @Test("sets within a set that each have to be looked into count as parts of the expression")
    func nestedSets() throws {
        let sets = String(repeating: #"[^\da]"#, count: 2_100)
        #expect(throws: RegexError.self) { try TextRegex("[\(sets)]") }
        #expect(throws: RegexError.self) { try TextRegex(#"[[^\da][^\db]]{200}"#, longest: TextRegex.longestOfServer) }
        #expect(try TextRegex(#"[[^\da][^\db]]{100}"#).matches(String(repeating: "x", count: 100)))
    }

    @Test(
        "what cannot be read is refused with the reason",
        arguments: [
            "(", ")", "[a", "*a", "a**+", #"(a)\1"#, "(?=a)", "(?<!a)", "(?>a)", #"\q"#, #"\p{Greek}"#, "a{3,2}",
            "[z-a]", #"a\"#, #"\u+041"#, #"\x+1"#, #"\u{-0}"#, #"\u{}"#, #"\u41"#, "(?x)a", "((a{90}){90}){90}",
            String(repeating: "(", count: 500),
            "a" + String(repeating: "{1}", count: 6000), "a" + String(repeating: "*", count: 10_000),
            String(repeating: "ab", count: 20_000),
        ])
    func refused(pattern: String) {
        #expect(throws: RegexError.self) { try TextRegex(pattern) }
    }

    /// Expressions that engines which go back need ages for, some by what they repeat, some by how often.
    private static let catastrophes = [
        "(a*)*(a|a)*(a+)+b", "(a+)+$b", "(a|aa)+b", "((a*)*)*b", "(.*)*b", "(a?){50}a{50}b", "([a-z]+)*\\d",
        "(.*a){12}b", "(|a|a)*b",
    ]

    @Test(
        "no repetition makes a long text that does not match take long", .timeLimit(.minutes(1)),
        arguments: Self.catastrophes)
    func catastrophe(pattern: String) throws {
        let text = String(repeating: "a", count: 5_000)
        #expect(try !TextRegex(pattern).matches(text))
        #expect(try TextRegex(pattern).ranges(in: text, limit: 100).isEmpty)
    }

    @Test("a match looks at no instruction twice at a place of the text", arguments: Self.catastrophes)
    func steps(pattern: String) throws {
        let program = try TextRegex(pattern).program
        for length in [10, 1_000, 5_000] {
            let text = [Unicode.Scalar](repeating: "a", count: length)
            let most = program.end * (length + 1)
            var matchSteps = most + 1
            #expect(!program.matches(text, steps: &matchSteps))
            #expect(matchSteps > 0)
            var searchSteps = most + 1
            #expect(program.firstMatch(in: text, from: 0, steps: &searchSteps) == nil)
            #expect(searchSteps > 0)
        }
    }

    @Test("what has used up its steps matches nothing")
    func fewSteps() throws {
        let program = try TextRegex("a*").program
        let text = [Unicode.Scalar](repeating: "a", count: 1_000)
        var (few, enough) = (100, 10_000)
        #expect(!program.matches(text, steps: &few))
        #expect(program.matches(text, steps: &enough))
    }

    @Test(
        "neither do repetitions of nothing, nor depth", .timeLimit(.minutes(1)),
        arguments: [
            "((((){2000}){2000}){2000}){2000}", "(a{0}){2000}", String(repeating: "[", count: 200_000),
            "[" + String(repeating: "[a", count: 200_000), String(repeating: "a{", count: 100_000),
        ])
    func hostile(pattern: String) {
        _ = try? TextRegex(pattern).matches("a")
    }

    @Test(
        "matches within a text are the leftmost, and of those the preferred",
        arguments: [
            ("tik-[0-9]+", "see tik-42, tik-7", ["tik-42", "tik-7"]), ("x*", "abc", []), ("a|ab", "abab", ["a", "a"]),
            ("ab|a", "abaa", ["ab", "a", "a"]), ("a+?", "aaa", ["a", "a", "a"]), ("a.*?b", "aXb aYb", ["aXb", "aYb"]),
            ("a.*b", "aXb aYb", ["aXb aYb"]), ("^a", "aa", ["a"]), ("a$", "aa", ["a"]),
            (#"\bé\w*"#, "été,é", ["été", "é"]), (#"\bhttps?://\S+"#, "see http://x", ["http://x"]),
            (#"\bfoo"#, "a foo", ["foo"]), (#"\Bo"#, "foo", ["o", "o"]), ("x{+2}", "xx x{+2}", []),
            ("(a.*b)|a", "aaa", ["a", "a", "a"]), ("https?://\\S+", "go http://a.test/x now", ["http://a.test/x"]),
            ("b??b", "bb", ["b", "b"]), ("a{1,2}?", "aaa", ["a", "a", "a"]), ("a{1,2}", "aaa", ["aa", "a"]),
        ])
    func search(pattern: String, text: String, expected: [String]) throws {
        #expect(try TextRegex(pattern).ranges(in: text, limit: 100).map { String(text[$0]) } == expected)
    }

    @Test(
        "a character is a code point, so that the end of a line is two and a combined letter has parts",
        arguments: [
            (#"\r\n"#, "\r\n", true), (#"a\r?\nb"#, "a\r\nb", true), ("[\r\n]{2}", "\r\n", true),
            ("(?s).", "\r\n", false),
            ("\r\n", "\r\n", true), ("[a-z]+", "e\u{301}", false), ("[a-z]\u{301}", "e\u{301}", true),
            (#"\w+"#, "e\u{301}te\u{301}", true), (#"\p{L}"#, "e\u{301}", false), (".{2}", "👍🏽", true),
            ("[👍🏽]", "👍", true), ("(?i)É", "é", true), ("(?i)[à-é]", "É", true), ("(?i)ß", "ß", true),
        ])
    func codePoints(pattern: String, text: String, expected: Bool) throws {
        #expect(try TextRegex(pattern).matches(text) == expected)
    }

    @Test("a match may begin and end within what is shown as one character, but a word does not")
    func partsOfCharacters() throws {
        func matches(_ pattern: String, _ text: String) throws -> [[Unicode.Scalar]] {
            try TextRegex(pattern).ranges(in: text, limit: 100).map { Array(text[$0].unicodeScalars) }
        }
        #expect(try matches("[a-z]+", "e\u{301}te\u{301}") == [["e"], ["t", "e"]])
        #expect(try matches("[^\r\n]+", "a\r\nb\r\n") == [["a"], ["b"]])
        #expect(try matches(#"\bt\w*"#, "e\u{301}te\u{301} te\u{301}") == [["t", "e", "\u{301}"]])
    }

    @Test("as many matches are found as are wanted")
    func limit() throws {
        #expect(try TextRegex("a").ranges(in: "aaaa", limit: 3).count == 3)
    }

    @Test("an expression of a server may have fewer parts than one of a script")
    func limits() {
        #expect(throws: Never.self) { try TextRegex("a{1000}") }
        #expect(throws: RegexError.self) { try TextRegex("a{1000}", longest: TextRegex.longestOfServer) }
    }

    @Test("random expressions are read or refused, and come to an end", arguments: 0..<300)
    func fuzz(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let alphabet = Array("ab(|)[]*+?{2,}^$\\d.-:i")
        let pattern = String((0..<14).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] })
        guard let regex = try? TextRegex(pattern) else { return }
        _ = regex.matches("aabb(2)")
        for range in regex.ranges(in: "aabb(2)", limit: 100) { #expect(!range.isEmpty) }
    }
}
