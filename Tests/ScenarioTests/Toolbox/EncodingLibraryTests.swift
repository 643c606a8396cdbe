import Foundation
import JSON
import Machines
import Testing

@testable import Scenario

@Suite("base64, hex and url in scripts")
struct EncodingLibraryTests {
    @Test(
        "base64 gives the vectors of RFC 4648 §10, and reads them with padding and without",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] as [(String, String)])
    func vectors(text: String, encoded: String) throws {
        let bare = encoded.replacing("=", with: "")
        let forms = try ScriptRun.value(
            of: """
                { base64.encode "\(text)", base64.encode("\(text)", { padding = false }), base64.encode("\(text)", { url = true }),
                base64.encode("\(text)", { url = true, padding = true }), base64.decode "\(encoded)", base64.decode "\(bare)" }
                """)
        #expect(forms == .array([encoded, bare, bare, encoded, text, text].map { .string($0) }))
    }

    @Test(
        "hex gives the vectors of RFC 4648 §10, and reads both cases",
        arguments: [("", ""), ("f", "66"), ("fo", "666f"), ("foobar", "666f6f626172")] as [(String, String)])
    func hex(text: String, encoded: String) throws {
        let forms = try ScriptRun.value(
            of: "{ hex.encode \"\(text)\", hex.decode \"\(encoded)\", hex.decode \"\(encoded.uppercased())\" }")
        #expect(forms == .array([encoded, text, text].map { .string($0) }))
    }

    @Test("any bytes come back from each encoding, null bytes and broken UTF-8 among them")
    func anyBytes() throws {
        let run = try ScriptRun(
            body: """
                local bytes = {}
                for byte = 0, 255 do bytes[#bytes + 1] = string.char(byte, 255 - byte) end
                local all = table.concat(bytes)
                for count = 0, #all, 37 do
                    local part = all:sub(1, count)
                    for _, options in ipairs { {}, { url = true }, { padding = false }, { url = true, padding = true } } do
                        assert(base64.decode(base64.encode(part, options)) == part, count)
                    end
                    assert(hex.decode(hex.encode(part)) == part, count)
                end
                """)
        #expect(run.messages == [])
    }

    @Test("base64 is what Foundation makes of the same bytes", arguments: 0..<20)
    func reference(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let bytes = random.bytes(Int(seed))
        let hex = bytes.map { String(format: "%02x", $0) }.joined()
        #expect(
            try ScriptRun.value(of: "base64.encode(hex.decode \"\(hex)\")")
                == .string(Data(bytes).base64EncodedString()))
    }

    private static let unreadable =
        "base64.decode cannot read the text: it is no base64, neither of the standard alphabet nor of that for URLs, with "
        + "or without padding"

    @Test(
        "what is no base64 is refused",
        arguments: [
            "A", "Zg=", "Zg===", "=", "Z===", "Zm9v=", "Zm 9v", "Zm9v\\n", "Zm9v!", "\\xFF\\xFF",
            "Zm==9v",
        ])
    func noBase64(text: String) throws {
        #expect(try ScriptRun.mistake(in: "base64.decode \"\(text)\"") == Self.unreadable)
    }

    @Test("what is no hex is refused", arguments: ["0", "0g", "0x10", " 00", "00 ", "\\xC3\\xA9"])
    func noHex(text: String) throws {
        #expect(
            try ScriptRun.mistake(in: "hex.decode \"\(text)\"")
                == "hex.decode cannot read the text: it takes two hexadecimal digits for each byte and nothing else")
    }

    @Test("a part of a URL keeps only unreserved characters, as RFC 3986 §2.3 names them")
    func url() throws {
        let reserved = " !\"#$%&'()*+,/:;<=>?@[\\]^`{|}é€"
        let encoded = try ScriptRun.value(of: "url.encode [==[azAZ09-._~\(reserved)]==]").string
        #expect(
            encoded
                == "azAZ09-._~%20%21%22%23%24%25%26%27%28%29%2A%2B%2C%2F%3A%3B%3C%3D%3E%3F%40%5B%5C%5D%5E%60%7B%7C%7D%C3%A9%E2%82%AC"
        )
        #expect(try ScriptRun.value(of: "url.decode \"\(encoded ?? "")\"") == .string("azAZ09-._~" + reserved))
    }

    @Test(
        "escapes that are none stay, and bytes that are no text are replaced",
        arguments: [
            ("%", "%"), ("%4", "%4"), ("%zz", "%zz"), ("a+b", "a+b"), ("%41%4a%4A", "AJJ"), ("%C3%A9", "é"),
            ("%C3", "\u{FFFD}"),
            ("%2525", "%25"),
        ] as [(String, String)])
    func urlDecoding(text: String, decoded: String) throws {
        #expect(try ScriptRun.value(of: "url.decode \"\(text)\"") == .string(decoded))
    }

    @Test("queries are written in the order of the names, with lists as several values")
    func queries() throws {
        #expect(
            try ScriptRun.value(
                of: "url.encode_query { b = { 1, true, \"x y\" }, a = \"ä&=\", c = 1.5, d = \"\", e = {} }")
                == "a=%C3%A4%26%3D&b=1&b=true&b=x%20y&c=1.5&d=")
        #expect(try ScriptRun.value(of: "url.encode_query {}") == "")
    }

    @Test(
        "queries are read with a question mark and without, several values as a list",
        arguments: [
            ("?a=1&b=2", ["a": "1", "b": "2"]), ("a=1&a=2&a=3", ["a": ["1", "2", "3"]]), ("a", ["a": ""]),
            ("=x", ["": "x"]),
            ("a=b=c", ["a": "b=c"]), ("&&a=1&", ["a": "1"]), ("a=x+y%2B", ["a": "x y+"]), ("%61=%", ["a": "%"]),
            ("?", [:]),
        ] as [(String, JSONValue)] as [(String, JSONValue)])
    func readQueries(text: String, parameters: JSONValue) throws {
        #expect(try ScriptRun.value(of: "url.decode_query \"\(text)\"") == parameters)
    }

    @Test("what was written is read back", arguments: 0..<20)
    func roundTrip(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let parameters = JSONObject(
            (0..<4).map {
                (
                    "n\($0)" + random.text(of: "&= ä+%", count: 0...2),
                    .string(random.text(of: "a&=+% é?#", count: 0...8))
                )
            })
        let text = JSONValue.string(JSONValue.object(parameters).description).description
        #expect(
            try ScriptRun.value(of: "url.decode_query(url.encode_query(json.decode(\(text))))") == .object(parameters))
    }

    @Test(
        "arguments of other types are told with their place",
        arguments: [
            ("base64.encode()", "base64.encode: argument 1 (bytes) must be a string, not nothing"),
            ("base64.encode(nil)", "base64.encode: argument 1 (bytes) must be a string, not nil"),
            ("base64.encode({})", "base64.encode: argument 1 (bytes) must be a string, not a table"),
            ("base64.encode(0/0)", "base64.encode: argument 1 (bytes) must be a string, not a number"),
            (
                "base64.encode(\"a\", 1)",
                "base64.encode: argument 2 (options) must be a table of named fields, not an integer"
            ),
            (
                "base64.encode(\"a\", { 1 })",
                "base64.encode: argument 2 (options) must be a table of named fields, not a table"
            ),
            ("base64.encode(\"a\", { url = \"yes\" })", "base64.encode: url is true or false, not \"yes\""),
            ("hex.encode(true)", "hex.encode: argument 1 (bytes) must be a string, not a boolean"),
            ("hex.decode(print)", "hex.decode: argument 1 (text) must be a string, not a function"),
            ("url.encode \"\\xFF\"", "url.encode: argument 1 (text) must be a string in UTF-8"),
            ("url.decode(7)", "url.decode: argument 1 (text) must be a string, not an integer"),
            (
                "url.encode_query \"a=1\"",
                "url.encode_query: argument 1 (parameters) must be a table of named fields, not a string"
            ),
            (
                "url.encode_query { a = { { 1 } } }",
                "url.encode_query: argument 1 (parameters) takes texts, numbers, true, false and lists of them, and a is none "
                    + "of these"
            ),
            (
                "url.encode_query { a = json.null }",
                "url.encode_query: argument 1 (parameters) takes texts, numbers, true, false and lists of them, and a is none "
                    + "of these"
            ),
            (
                "url.encode_query { a = 1/0 }",
                "url.encode_query: argument 1 (parameters) is not JSON: JSON cannot express an infinite number (at a)"
            ),
        ] as [(String, String)])
    func mistakes(call: String, message: String) throws {
        #expect(try ScriptRun.mistake(in: call) == message)
    }
}
