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
}
