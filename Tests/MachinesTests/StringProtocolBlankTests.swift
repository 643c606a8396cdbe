import Machines
import Testing

@Suite("Texts with nothing to read")
struct StringProtocolBlankTests {
    @Test("white space of any kind is nothing to read", arguments: ["", " ", "\t\r\n", "\u{A0}\u{2003}\u{3000}"])
    func blank(text: String) {
        #expect(text.isBlank)
        #expect(text[...].isBlank)
    }

    @Test(
        "a character among white space is, and so is one that nobody sees", arguments: ["a", " . ", "\n0", "\u{200B}"])
    func written(text: String) {
        #expect(!text.isBlank)
        #expect(!text[...].isBlank)
    }
}
