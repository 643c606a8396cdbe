import Machines
import Testing

@Suite("Text forms of the wire")
struct TextTests {
    @Test(
        "a time stamp comes back as it was written",
        arguments: [
            "1970-01-01T00:00:00.000Z", "2000-02-29T23:59:59.999Z", "2024-12-31T12:30:05.007Z",
            "1969-12-31T23:59:59.999Z",
            "2100-03-01T00:00:00.000Z",
        ])
    func timestamps(text: String) throws {
        let milliseconds = try #require(Timestamp.epochMilliseconds(text))
        #expect(Timestamp.text(epochMilliseconds: milliseconds) == text)
    }

    @Test("known instants have known time stamps")
    func knownTimestamps() {
        #expect(Timestamp.epochMilliseconds("2001-09-09T01:46:40Z") == 1_000_000_000_000)
        #expect(Timestamp.text(epochMilliseconds: 1_234_567_890_123) == "2009-02-13T23:31:30.123Z")
    }

    @Test(
        "other texts are no time stamps",
        arguments: ["", "2024-13-01T00:00:00Z", "2024-01-01 00:00:00Z", "2024-01-01T00:00:00"])
    func wrongTimestamps(text: String) {
        #expect(Timestamp.epochMilliseconds(text) == nil)
    }

    @Test("a form body comes back as it was written")
    func forms() {
        let pairs = [("a b", "1&2=3"), ("ü", "🎈"), ("empty", "")]
        let text = FormEncoding.encode(pairs)
        #expect(text == "a%20b=1%262%3D3&%C3%BC=%F0%9F%8E%88&empty=")
        #expect(FormEncoding.decode(text).map { $0.0 } == pairs.map { $0.0 })
        #expect(FormEncoding.decode(text).map { $0.1 } == pairs.map { $0.1 })
    }

    @Test("broken escapes stay as they are")
    func brokenEscapes() {
        #expect(FormEncoding.percentDecode("%zz%4") == "%zz%4")
        #expect(FormEncoding.decode("a=b+c&d")[0].1 == "b c")
    }

    @Test(
        "base64 follows the test vectors of RFC 4648",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy"),
            ("ÿ~>?", "w79+Pj8="),
        ])
    func base64(text: String, encoded: String) {
        #expect(Base64.encode(Array(text.utf8)) == encoded)
        #expect(Base64.decode(encoded) == Array(text.utf8))
    }

    @Test("text that is not base64 is refused", arguments: ["Z", "Zg=", "Zg==Zg==", "====", "Zm9*"])
    func wrongBase64(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test("what HTML gives a meaning to is replaced, and control characters are dropped")
    func html() {
        #expect(
            HTMLText.escape("<b a=\"1\" c='2'>&\u{1}\u{7F}\n\té") == "&lt;b a=&quot;1&quot; c=&#39;2&#39;&gt;&amp;\n\té"
        )
    }

    @Test(
        "visible ASCII has nothing that ends or divides a line",
        arguments: [("", true), ("!az~", true), ("a b", false), ("a\r\n", false), ("ü", false), ("\u{7F}", false)])
    func visibleASCII(text: String, isVisible: Bool) {
        #expect(text.isVisibleASCII == isVisible)
    }
}
