import Machines
import Testing

@testable import Reports

@Suite("Text in XML")
struct XMLTextTests {
    private func content(_ text: String) -> String {
        var output: [UInt8] = []
        XMLText.append(content: text, to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    private func attribute(_ text: String) -> String {
        var output: [UInt8] = []
        XMLText.append(attribute: "a", text, to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    @Test(
        "Characters that mean something in XML are escaped, those that XML cannot hold become visible",
        arguments: [
            ("a < b && c > d \"q\"", "a &lt; b &amp;&amp; c &gt; d \"q\""),
            ("]]>", "]]&gt;"),
            ("a\tb\nc\rd", "a\tb\nc&#13;d"),
            ("\u{0}\u{1B}[2J\u{1F}", #"\u{0}\u{1B}[2J\u{1F}"#),
            ("\u{FFFE}\u{FFFF}\u{FFFD}\u{FFEF}", "\\u{FFFE}\\u{FFFF}\u{FFFD}\u{FFEF}"),
            ("\u{7F}\u{85}\u{1F600}\u{10FFFF}", "\u{7F}\u{85}\u{1F600}\u{10FFFF}"),
            (#"C:\users \u{1B} \\u{"#, #"C:\users \u{5C}u{1B} \\u{5C}u{"#),
            (#""a\u{A0}b" \u{200B}\u{10FFFF}"#, #""a\u{A0}b" \u{200B}\u{10FFFF}"#),
            (
                #"\u{5C}\u{7c}\u{0001B}\u{A0 \u{000000A0}"#,
                #"\u{5C}u{5C}\u{5C}u{7c}\u{5C}u{0001B}\u{5C}u{A0 \u{5C}u{000000A0}"#
            ),
            ("[[ATTACHMENT|/etc/passwd]]", #"[[ATTACHMENT\u{7C}/etc/passwd]]"#),
            ("[[ATTACHMENT x|", "[[ATTACHMENT x|"),
            ("", ""),
        ])
    func content(text: String, expected: String) {
        #expect(self.content(text) == expected)
    }

    @Test("An attribute keeps line feeds and tabs")
    func attributes() {
        #expect(self.attribute("a\"b\nc\td\re<") == " a=\"a&quot;b&#10;c&#9;d&#13;e&lt;\"")
    }

    @Test("Any text can be had back from what is written")
    func reversible() throws {
        var random = RandomSource(seed: 17)
        for _ in 0..<3_000 {
            let text = RandomText.next(using: &random)
            #expect(RandomText.original(ofContent: self.content(text)) == text)
        }
    }
}
