import Machines
import Testing

@Suite("Texts of which the beginning is shown")
struct StringShortenedTests {
    @Test(
        "a text is cut to a length with its mark, and never longer",
        arguments: [
            ("", 5, ""), ("abcde", 5, "abcde"), ("abcdef", 5, "abcd…"), ("👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", 2, "👩‍👩‍👧…"), ("a\r\nb", 2, "a…"),
        ])
    func shortened(text: String, length: Int, result: String) {
        #expect(text.shortened(to: length) == result)
    }

    @Test("a character without an end is no way around that", arguments: [5, 500])
    func endless(length: Int) {
        let marked = "a" + String(repeating: "\u{301}", count: 100_000)
        let shortened = marked.shortened(to: length)
        #expect(shortened.unicodeScalars.elementsEqual(Array(marked.unicodeScalars.prefix(8 * length)) + ["…"]))
    }
}
