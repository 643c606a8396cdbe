import Machines
import Testing
import XML

@Suite("Writing XML")
struct XMLWriterTests {
    @Test("an element is written with its namespace where it changes, and read again as it was")
    func roundTrip() throws {
        let node = XMLNode.element(
            XMLElement(
                name: "iq", namespace: "urn:client",
                attributes: [
                    XMLAttribute(name: "xmlns:p", value: "urn:p"), XMLAttribute(name: "id", value: "<\"'&>\n\t"),
                    XMLAttribute(name: "p:k", value: "1"), XMLAttribute(name: "xml:lang", value: "de"),
                ]),
            [
                .text("a < b & c > d \"e\" 'f' ä😀\r\n"),
                .element(XMLElement(name: "query", namespace: "urn:roster"), [.element(XMLElement(name: "x"), [])]),
                .element(XMLElement(name: "same", namespace: "urn:client"), []),
            ])
        let text = try XMLWriter.write(node)
        #expect(text.hasPrefix("<iq xmlns=\"urn:client\" xmlns:p=\"urn:p\" id=\"&lt;&quot;'&amp;&gt;&#10;&#9;\""))
        #expect(text.hasSuffix("<query xmlns=\"urn:roster\"><x xmlns=\"\"/></query><same/></iq>"))
        #expect(try XMLReader.read(Array(text.utf8)) == node)
    }

    @Test(
        "what is no name of XML is refused",
        arguments: ["", "1a", "a b", "a>", "-a", "p:a", "a\u{0}", "<a", "a=\"1\" b", ":"])
    func names(name: String) {
        #expect(throws: XMLProblem.self) { try XMLWriter.write(.element(XMLElement(name: name), [])) }
        guard name != "p:a" else { return }
        let element = XMLElement(name: "a", attributes: [XMLAttribute(name: name, value: "")])
        #expect(throws: XMLProblem.self) { try XMLWriter.write(.element(element, [])) }
    }

    @Test("an attribute that stands twice, xmlns as an attribute, and characters that XML has not are refused")
    func wrong() {
        let twice = [XMLAttribute(name: "b", value: "1"), XMLAttribute(name: "b", value: "2")]
        for element in [
            XMLElement(name: "a", attributes: twice),
            XMLElement(name: "a", attributes: [XMLAttribute(name: "xmlns", value: "u")]),
            XMLElement(name: "a", attributes: [XMLAttribute(name: "b", value: "\u{0}")]),
        ] {
            #expect(throws: XMLProblem.self) { try XMLWriter.write(.element(element, [])) }
        }
        for text in ["\u{1}", "\u{1F}", "\u{FFFE}"] { #expect(throws: XMLProblem.self) { try XMLWriter.escape(text) } }
    }

    @Test("whatever text is written is read again", arguments: 0..<50 as Range<UInt64>)
    func texts(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        var text = ""
        for _ in 0..<40 {
            let scalar = Unicode.Scalar(UInt32.random(in: 0x20..<0xD800, using: &random))
            text.unicodeScalars.append(scalar ?? " ")
        }
        let node = XMLNode.element(
            XMLElement(name: "a", attributes: [XMLAttribute(name: "b", value: text)]), [.text(text)])
        #expect(try XMLReader.read(Array(try XMLWriter.write(node).utf8)) == node)
    }
}
