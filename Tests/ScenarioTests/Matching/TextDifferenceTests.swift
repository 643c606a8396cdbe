import JSON
import RunRecord
import Testing

@testable import Scenario

@Suite("How a text differs from the one that was wanted")
struct TextDifferenceTests {
    /// The characters under marks.
    private func marked(_ side: MarkedText) -> String {
        String(zip(side.text, DifferenceText.carets(under: side)).filter { $0.1 == "^" }.map(\.0))
    }

    @Test(
        "the characters that differ are marked, and no others",
        arguments: [
            ("A-1001", "A-1O01", "0", "O"), ("Hello Ada", "Hello Bob", "Ada", "Bob"),
            ("same", "same", "", ""), ("", "x", "", "x"), ("x", "", "x", ""), ("", "", "", ""),
            ("one two three", "one three", "two ", ""), ("one three", "one two three", "", "two "),
            ("a b c d", "a x c y", "bd", "xy"), ("order 5 today", "Order 5 today!", "o", "O!"),
        ])
    func marks(wanted: String, found: String, left: String, right: String) {
        let difference = TextDifference(wanted: wanted, found: found)
        #expect(self.marked(difference.wanted) == left)
        #expect(self.marked(difference.found) == right)
        #expect(difference.found.text == "\"\(found)\"")
    }

    @Test("marks stand under what is shown, also behind what is written as an escape")
    func escapes() {
        let difference = TextDifference(wanted: "a\nb c", found: "a\nb d")
        #expect(difference.found.text == #""a\nb d""#)
        #expect(DifferenceText.carets(under: difference.found) == "      ^")
    }

    @Test(
        "what people do not see is shown as an escape where it differs, and that nothing else does is said",
        arguments: [
            ("caf\u{E9} 1", "cafe\u{301} 1", #""caf\u{E9} 1""#, #""cafe\u{301} 1""#, LookAlike.composedOtherwise),
            ("ab", "a\u{200B}b", #""ab""#, #""a\u{200B}b""#, .invisiblyDifferent),
            ("a b", "a\u{A0}b", #""a b""#, #""a\u{A0}b""#, .invisiblyDifferent),
            ("pay", "pay\u{202E}", #""pay""#, #""pay\u{202E}""#, .invisiblyDifferent),
            ("a\u{A0}b c", "a\u{A0}b d", "\"a\u{A0}b c\"", "\"a\u{A0}b d\"", nil),
            ("pay", "p\u{430}y", "\"pay\"", "\"p\u{430}y\"", nil), ("pay ", "pay", "\"pay \"", "\"pay\"", nil),
        ] as [(String, String, String, String, LookAlike?)])
    func unseen(wanted: String, found: String, left: String, right: String, lookAlike: LookAlike?) {
        let difference = TextDifference(wanted: wanted, found: found)
        #expect(difference.wanted.text.hasSameBytes(as: left))
        let note = lookAlike.map { " (\($0.rawValue))" } ?? ""
        #expect(difference.found.text.hasSameBytes(as: right + note))
        // What is said behind the text is no part of it.
        #expect(!DifferenceText.carets(under: difference.found).isEmpty || wanted.count > found.count)
        #expect(DifferenceText.carets(under: difference.found).count <= right.count)
    }

    @Test("a long text is shown around the first difference")
    func window() {
        let head = String(repeating: "word ", count: 1000)
        let difference = TextDifference(wanted: head + "yes" + head, found: head + "no" + head, width: 40)
        #expect(difference.found.text.count == 42)
        #expect(difference.found.text.hasPrefix("…") && difference.found.text.hasSuffix("…"))
        #expect(self.marked(difference.found) == "no")
        #expect(self.marked(difference.wanted) == "yes")
    }

    /// What is wanted and found, and how what is shown of that begins and ends.
    private static func hugeTexts() -> [(wanted: String, found: String, beginning: String, end: String)] {
        let (same, heads, tails) = ("a".times(2 << 20), "ä".times(9_000), "ö".times(9_000))
        let families = "👩‍👩‍👧".times(5_000)
        return [
            ("You said: hello", "x".times(20 << 20), "\"x", "…"), (same, same + "b", "…a", "b\""),
            (heads + "yes" + tails, heads + "no" + tails, "…ä", "ö…"),
            (families + "a", families + "b", "…", "b\""), ("e" + "\u{301}".times(1 << 20), "x", "\"x", "\""),
        ]
    }

    @Test("of huge texts a part around the first difference is compared, in little time", .timeLimit(.minutes(1)))
    func huge() {
        for (wanted, found, beginning, end) in Self.hugeTexts() {
            let shown = TextDifference(wanted: wanted, found: found).found.text
            let (first, last) = (shown.prefix(40), shown.suffix(40))
            #expect(first.hasPrefix(beginning) && last.hasSuffix(end), "\(first) … \(last)")
            let size = shown.utf8.count
            #expect(size < 20_000)
        }
    }

    @Test("marks stand under what differs, however far into a text")
    func far() {
        let (head, tail) = ("word ".times(100_000), " and so on".times(100_000))
        let difference = TextDifference(wanted: head + "Ada" + tail, found: head + "Bob" + tail)
        #expect(self.marked(difference.wanted) == "Ada" && self.marked(difference.found) == "Bob")
        let longer = TextDifference(wanted: head + tail, found: head + "once more ".times(50_000) + tail)
        #expect(longer.found.text.contains("once more") && !self.marked(longer.found).isEmpty)
    }

    @Test("texts with nothing in common are compared in little time", .timeLimit(.minutes(1)))
    func cost() {
        let left = (0..<50_000).map { "a\($0)" }.joined(separator: " ")
        let right = (0..<50_000).map { "b\($0)" }.joined(separator: " ")
        let difference = TextDifference(wanted: left, found: right)
        #expect(difference.wanted.text != difference.found.text)
    }
}

extension String {
    fileprivate func times(_ count: Int) -> String { String(repeating: self, count: count) }
}
