import JSON
import Machines
import Testing

@testable import Scenario

@Suite("xml in scripts")
struct XMLLibraryTests {
    @Test("an element is a table of name, namespace, attributes, children and its own text")
    func reading() throws {
        #expect(
            try ScriptRun.value(of: "xml.read '<a x=\"1\">one<b xmlns=\"urn:b\"/>two</a>'") == [
                "name": "a", "attributes": ["x": "1"], "text": "onetwo",
                "children": [
                    "one", ["name": "b", "namespace": "urn:b", "attributes": [:], "children": [], "text": ""], "two",
                ],
            ])
    }

    /// Makes the table of an element as scripts see it.
    private static func element(_ random: inout RandomSource, depth: Int, namespace: String?) -> JSONValue {
        let namespace =
            Bool.random(using: &random) ? namespace : [nil, "urn:a", "urn:b"].randomElement(using: &random) ?? nil
        var children: [JSONValue] = []
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let text = random.text(of: "a<>&\"'é€😀 \t\n", count: 1...5)
            if depth > 0, Bool.random(using: &random) {
                children.append(Self.element(&random, depth: depth - 1, namespace: namespace))
            } else if children.last?.string == nil {
                // Two texts in a row are one text when they are read.
                children.append(.string(text))
            }
        }
        var members: JSONObject = [
            "name": .string(random.text(of: "abc_", count: 1...1) + random.text(of: "ab-.1é", count: 0...3)),
            "attributes": .object(
                JSONObject(
                    (0..<Int.random(in: 0...3, using: &random)).map {
                        ("k\($0)", .string(random.text(of: "a<>&\"' \t\n", count: 0...4)))
                    })), "children": .array(children), "text": .string(children.compactMap(\.string).joined()),
        ]
        members["namespace"] = namespace.map { .string($0) }
        return .object(members)
    }

    @Test("any tree that is written is read back as it was", arguments: 0..<60)
    func roundTrip(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let tree = Self.element(&random, depth: 4, namespace: nil)
        let text = JSONValue.string(tree.description).description
        // Lua makes no difference between a list and a table that are empty, so that the members are compared by a
        // matcher.
        let run = try ScriptRun(
            body: """
                local tree = json.decode(\(Self.lua(tree.description)))
                local again = xml.read(xml.write(tree))
                expect(json.encode(again):gsub("{}", "[]"), (json.encode(tree):gsub("{}", "[]")))
                """)
        #expect(run.messages == [], "\(text)")
    }

    /// Writes a text as a literal of Lua.
    private static func lua(_ text: String) -> String {
        "\"" + text.utf8.map { "\\x" + Hexadecimal.encode([$0]) }.joined() + "\""
    }

    @Test(
        "what is written",
        arguments: [
            ("{ name = \"a\" }", "<a/>"), ("{ name = \"a\", text = \"\" }", "<a/>"),
            ("{ name = \"a\", text = \"1 < 2\" }", "<a>1 &lt; 2</a>"),
            ("{ name = \"a\", attributes = { z = 1, b = true, c = 1.5 } }", "<a b=\"true\" c=\"1.5\" z=\"1\"/>"),
            (
                "{ name = \"a\", namespace = \"urn:a\", children = { { name = \"b\", namespace = \"urn:a\" } } }",
                "<a xmlns=\"urn:a\"><b/></a>"
            ),
            (
                "{ name = \"a\", namespace = \"urn:a\", children = { { name = \"b\" } } }",
                "<a xmlns=\"urn:a\"><b xmlns=\"\"/></a>"
            ), ("{ name = \"a\", attributes = { [\"xml:lang\"] = \"de\" } }", "<a xml:lang=\"de\"/>"),
            ("{ name = \"a\", children = { \"x\", { name = \"b\" }, \"y\" }, text = \"xy\" }", "<a>x<b/>y</a>"),
            ("{ name = \"a\", attributes = { b = \"\\n\\\"\" } }", "<a b=\"&#10;&quot;\"/>"),
        ] as [(String, String)])
    func written(element: String, text: String) throws {
        #expect(try ScriptRun.value(of: "xml.write \(element)") == .string(text))
    }

    @Test(
        "documents that mean ill are refused before anything is expanded or fetched",
        arguments: [
            "<!DOCTYPE a [<!ENTITY x \\\"y\\\">]><a>&x;</a>", "<!DOCTYPE a SYSTEM \\\"file:///etc/passwd\\\"><a/>",
            "<!DOCTYPE a><a/>",
        ])
    func entities(text: String) throws {
        let message = try #require(try ScriptRun.mistake(in: "xml.read \"\(text)\""))
        #expect(message.hasPrefix("xml.read: declarations of document types are refused"), "\(message)")
    }

    @Test("entities but the five of XML are unknown, and elements that nest without end refused")
    func bounds() throws {
        #expect(try ScriptRun.mistake(in: "xml.read \"<a>&nbsp;</a>\"")?.contains("undefined entity") == true)
        #expect(try ScriptRun.value(of: "xml.read(\"<a>&lt;&gt;&amp;&quot;&apos;&#65;</a>\").text") == "<>&\"'A")
        #expect(try ScriptRun.mistake(in: "xml.read((\"<a>\"):rep(65) .. (\"</a>\"):rep(65))") != nil)
        #expect(try ScriptRun.value(of: "xml.read((\"<a>\"):rep(64) .. (\"</a>\"):rep(64)).name") == "a")
    }

    @Test(
        "what is no XML is told with its line, its place and what stands there",
        arguments: [
            ("", "no element found in line 1, of \"\""),
            ("<a>\\n<b></a>", "mismatched tag in line 2 at byte 9, of \"<a>\\n<b></a>\""),
            ("<a/>\\n\\n<b/>", "in line 3 at byte 6, of \"<a/>\\n\\n<b/>\""),
            ("<a b=1/>", "in line 1 at byte 5, of \"<a b=1/>\""),
            (
                "<a x=\\\"1\\\" x=\\\"2\\\"/>",
                "duplicate attribute in line 1 at byte 9, of \"<a x=\\\"1\\\" x=\\\"2\\\"/>\""
            ),
            ("\\xFF", "in line 1 at byte 0, of \"\u{FFFD}\""),
            ("<a>\\0</a>", "in line 1 at byte 3, of \"<a>\\u0000</a>\""),
            (
                "<message from='bot'><body>Fish & chips</body></message>",
                "(invalid token) in line 1 at byte 32, of \"…essage from='bot'><body>Fish & chips</body></message>\""
            ),
        ] as [(String, String)])
    func noXML(text: String, problem: String) throws {
        let message = try #require(try ScriptRun.mistake(in: "xml.read \"\(text)\""))
        #expect(message.hasPrefix("xml.read: ") && message.hasSuffix(problem), "\(message)")
    }

    @Test(
        "what cannot be written is told with the member that is wrong",
        arguments: [
            ("xml.write()", "xml.write takes an element: a table"),
            ("xml.write {}", "xml.write needs the member name: The name without a prefix."),
            ("xml.write { name = 5 }", "xml.write: name is a string, not 5"),
            ("xml.write { name = \"\" }", "xml.write: \"\" is not a valid XML name without a prefix"),
            ("xml.write { name = \"x:a\" }", "xml.write: \"x:a\" is not a valid XML name without a prefix"),
            ("xml.write { name = \"1a\" }", "xml.write: \"1a\" is not a valid XML name without a prefix"),
            (
                "xml.write { name = \"a\", attributes = { [\"b c\"] = 1 } }",
                "xml.write: \"b c\" is not a valid XML name"
            ),
            (
                "xml.write { name = \"a\", attributes = { xmlns = \"urn:x\" } }",
                "xml.write: the namespace of an element is its member namespace, not the attribute xmlns"
            ),
            (
                "xml.write { name = \"a\", attributes = { b = { 1 } } }",
                "xml.write: the attribute b of a is a text, a number, true or false, not [1]"
            ), ("xml.write { name = \"a\", text = \"\\1\" }", "xml.write: XML has no character with the number 1"),
            (
                "xml.write { name = \"a\", child = {} }",
                "xml.write has no member \"child\"; it has name, namespace, attributes, children, text"
            ),
            (
                "xml.write { name = \"a\", children = { 5 } }",
                "xml.write: an element is a table with a name, and its children are such tables and texts"
            ),
            (
                "xml.write { name = \"a\", children = { {} } }",
                "xml.write needs the member name: The name without a prefix."
            ),
            (
                "xml.write { name = \"a\", children = { \"x\" }, text = \"y\" }",
                "xml.write: a has children and another text besides; put the text among them"
            ),
            (
                "local a = { name = \"a\" } a.children = { a } xml.write(a)",
                "xml.write: argument 1 (element) is not JSON: a table contains itself and cannot stand in JSON (at children.1)"
            ),
            ("xml.escape(5)", "xml.escape: argument 1 (text) must be a string, not an integer"),
            ("xml.escape \"\\xFF\"", "xml.escape: argument 1 (text) must be a string in UTF-8"),
        ] as [(String, String)])
    func mistakes(call: String, message: String) throws {
        #expect(try ScriptRun.mistake(in: call) == message)
    }

    @Test("a reader gives the same events however the bytes arrive", arguments: 0..<20)
    func pieces(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let text = "<s:a xmlns:s=\"urn:s\"><b k=\"é\">x &lt; y</b><!-- no --><c><![CDATA[<z>]]></c></s:a>"
        let feeds = random.pieces(of: Array(text.utf8)).map { "feed \(Self.lua(bytes: $0))" }.joined(separator: "\n")
        let run = try ScriptRun(
            body: """
                local reader, events = xml.reader(), {}
                local function feed(bytes)
                    reader:feed(bytes)
                    for event in function() return reader:next() end do events[#events + 1] = event end
                end
                \(feeds)
                reader:finish()
                expect(reader:next(), nil)
                expect(events, {
                    { kind = "start", name = "a", namespace = "urn:s" }, { kind = "start", name = "b", attributes = { k = "é" } },
                    { kind = "text", text = "x < y" }, { kind = "end", name = "b" }, { kind = "start", name = "c" },
                    { kind = "text", text = "<z>" }, { kind = "end", name = "c" }, { kind = "end", name = "a", namespace = "urn:s" },
                })
                """)
        #expect(run.messages == [])
    }

    private static func lua(bytes: [UInt8]) -> String {
        "\"" + bytes.map { "\\x" + Hexadecimal.encode([$0]) }.joined() + "\""
    }

    @Test("a reader that met a problem tells of it each time, and one that ends too early at its end")
    func problems() throws {
        let run = try ScriptRun(
            body: """
                local reader = xml.reader()
                reader:feed "<a><b></a>"
                expect(reader:next().name, "a")
                expect(reader:next().name, "b")
                for _ = 1, 3 do expect(tostring(select(2, pcall(reader.next, reader))), match.contains "reader:next: mismatched tag in line 1") end
                local short = xml.reader()
                short:feed "<a>"
                short:next()
                short:finish()
                expect(tostring(select(2, pcall(short.next, short))), match.contains "reader:next: no element found")
                """)
        #expect(run.messages == [])
    }

    @Test(
        "a reader is used with a colon, fed with bytes, and knows its methods",
        arguments: [
            (
                "xml.reader().next()",
                "reader:next needs the object it is called on: write a colon, as in object:name(), not a dot"
            ),
            ("xml.reader():feed()", "reader:feed: argument 1 (bytes) must be a string, not nothing"),
            (
                "local r = xml.reader() r.feed(t, \"a\")",
                "reader:feed needs the object it is called on: write a colon, as in object:name(), not a dot"
            ),
        ] as [(String, String)])
    func readerMistakes(call: String, message: String) throws {
        #expect(try ScriptRun.mistake(in: call) == message)
    }
}
