import ByteDivisions
import Machines
import Testing
import XML

@Suite("Reading XML")
struct XMLReaderTests {
    private static let document = """
        <?xml version='1.0'?><s:stream xmlns:s='urn:streams' xmlns='urn:client' id="a&amp;b"><!-- no event -->
        <message to='ada' xml:lang='de'><body>1 &lt; 2 &#x1F600; <![CDATA[<b>]]></body><x xmlns='urn:x' s:k='v'/></message
        ></s:stream>
        """

    private static func events(_ pieces: [[UInt8]], limits: XMLLimits = XMLLimits()) throws -> [XMLEvent] {
        let reader = XMLReader(limits: limits)
        var events: [XMLEvent] = []
        for piece in pieces {
            reader.feed(piece)
            while let event = try reader.next() { events.append(event) }
        }
        reader.finish()
        while let event = try reader.next() { events.append(event) }
        return events
    }

    @Test("a document is handed out with namespaces, attributes as written, and texts in one piece")
    func document() throws {
        #expect(
            try Self.events([Array(Self.document.utf8)]) == [
                .start(
                    XMLElement(
                        name: "stream", namespace: "urn:streams",
                        attributes: [
                            XMLAttribute(name: "xmlns:s", value: "urn:streams"), XMLAttribute(name: "id", value: "a&b"),
                        ])), .text("\n"),
                .start(
                    XMLElement(
                        name: "message", namespace: "urn:client",
                        attributes: [
                            XMLAttribute(name: "to", value: "ada"), XMLAttribute(name: "xml:lang", value: "de"),
                        ])), .start(XMLElement(name: "body", namespace: "urn:client")), .text("1 < 2 😀 <b>"),
                .end(name: "body", namespace: "urn:client"),
                .start(
                    XMLElement(
                        name: "x", namespace: "urn:x", attributes: [XMLAttribute(name: "s:k", value: "v")])),
                .end(name: "x", namespace: "urn:x"), .end(name: "message", namespace: "urn:client"),
                .end(name: "stream", namespace: "urn:streams"),
            ])
    }

    @Test("the events do not depend on how the bytes arrive")
    func divisions() throws {
        let whole = try Self.events([Array(Self.document.utf8)])
        for division in Divisions.all(of: Array(Self.document.utf8)) { #expect(try Self.events(division) == whole) }
    }

    @Test("a stream that does not end hands out what is complete")
    func stream() throws {
        let reader = XMLReader()
        reader.feed(Array("<stream><a>x".utf8))
        #expect(try reader.next() == .start(XMLElement(name: "stream")))
        #expect(try reader.next() == .start(XMLElement(name: "a")))
        #expect(try reader.next() == nil)
        reader.feed(Array("y</a".utf8))
        #expect(try reader.next() == nil)
        reader.feed(Array(">".utf8))
        #expect(try reader.next() == .text("xy"))
        #expect(try reader.next() == .end(name: "a", namespace: nil))
        #expect(try reader.next() == nil)
    }

    @Test(
        "entities are refused before anything is expanded or fetched",
        arguments: [
            """
            <!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;&lol;">
            <!ENTITY lol3 "&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;&lol2;">]><lolz>&lol3;</lolz>
            """,
            "<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a/>",
            "<!DOCTYPE a [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><a>&x;</a>", "<!DOCTYPE a><a/>",
        ])
    func entities(text: String) {
        let problem = #expect(throws: XMLProblem.self) { try XMLReader.read(Array(text.utf8)) }
        #expect(problem?.message.contains("declarations of document types are refused") == true)
        #expect(problem?.line == 1)
    }

    @Test(
        "what is no XML is refused with its line",
        arguments: [
            "", "x", "<a>", "<a></b>", "<a b='1' b='2'/>", "<a>&unknown;</a>", "<a/><b/>", "<a>\u{1}</a>",
            "<p:a xmlns='x'/>", "<a b=1/>", "<a>&#0;</a>",
        ])
    func wrong(text: String) {
        #expect(throws: XMLProblem.self) { try XMLReader.read(Array(text.utf8)) }
    }

    @Test("a namespace that each short tag would carry is bounded, and stands once in memory for all")
    func namespaces() throws {
        let address = String(repeating: "n", count: 2048)
        let root = try XMLReader.read(Array("<r xmlns=\"\(address)\"><a/><a/></r>".utf8))
        guard case .element(let element, let children) = root else {
            Issue.record("\(root)")
            return
        }
        #expect(element.namespace == address && children.count == 2)
        for long in ["<r xmlns=\"\(address)n\"/>", "<r xmlns:p=\"\(address)n\"/>"] {
            #expect(throws: XMLProblem.self) { try XMLReader.read(Array(long.utf8)) }
        }
    }

    @Test("bytes that are no UTF-8 are refused")
    func encoding() {
        #expect(throws: XMLProblem.self) { try XMLReader.read([0x3C, 0x61, 0x3E, 0xFF, 0x3C, 0x2F, 0x61, 0x3E]) }
    }

    @Test("depth, attributes, prefixes, lengths and number are bounded")
    func bounds() {
        var limits = XMLLimits()
        limits.depth = 3
        limits.attributes = 2
        limits.pieceBytes = 10_000
        limits.nodes = 10
        let long = String(repeating: "x", count: 20_000)
        for (text, message) in [
            ("<a><a><a><a/></a></a></a>", "elements nest more than 3 deep"),
            ("<a b='1' c='2' d='3'/>", "more than 2 attributes"),
            ("<a xmlns:b='1' xmlns:c='2' xmlns:d='3'/>", "more than 2 prefixes"),
            ("<\(long)/>", "more than 10000 bytes"), ("<a \(long)='1'/>", "more than 10000 bytes"),
            ("<a b='\(long)'/>", "more than 10000 bytes"), ("<a>\(long)</a>", "more than 10000 bytes"),
            ("<a><!--\(long)--></a>", "more than 10000 bytes"),
            ("<a>" + String(repeating: "<b/>", count: 20) + "</a>", "more than 10 elements"),
        ] {
            let problem = #expect(throws: XMLProblem.self) { try XMLReader.read(Array(text.utf8), limits: limits) }
            #expect(problem?.message.contains(message) == true, "\(text.prefix(30)): \(String(describing: problem))")
        }
    }

    @Test("a problem stays one")
    func problemStays() throws {
        let reader = XMLReader()
        reader.feed(Array("<a></b><c/>".utf8))
        #expect(try reader.next() == .start(XMLElement(name: "a")))
        for _ in 0..<3 { #expect(throws: XMLProblem.self) { try reader.next() } }
    }

    @Test("random and damaged documents never trap", arguments: 0..<50 as Range<UInt64>)
    func fuzz(seed: UInt64) {
        var random = RandomSource(seed: seed)
        var bytes = Array(Self.document.utf8)
        for _ in 0..<3 { bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random) }
        _ = try? Self.events(Divisions.random(of: bytes, longest: 9, using: &random))
        _ = try? Self.events([random.bytes(200)])
    }
}
