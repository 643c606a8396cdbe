import JSON
import Machines
import Testing

@Suite("Reading JSON")
struct JSONReaderTests {
    @Test(
        "a text comes back as it was written",
        arguments: [
            "null", "true", "false", "0", "-1", "9223372036854775807", "1.5", "1.0", "0.1", "-0", "1e3", "1E-7",
            "123456789012345678901234567890", #""""#, #""a\"b\\c\nd""#, "[]", "{}", #"[1,[2,[3]]]"#,
            #"{"b":1,"a":{"c":[true,null]}}"#, #""ünïcödé 🎈""#,
        ])
    func roundTrip(text: String) throws {
        #expect(try JSONReader.read(text).description == text)
    }

    @Test("white space around tokens is skipped")
    func whiteSpace() throws {
        #expect(try JSONReader.read(" \n{ \"a\" : [ 1 , 2 ] }\t") == ["a": [1, 2]])
    }

    @Test("escapes become the characters they stand for")
    func escapes() throws {
        #expect(try JSONReader.read(#""\u0041\u00e9\ud83c\udf88\/\b\f\n\r\t""#) == "Aé🎈/\u{8}\u{C}\n\r\t")
    }

    @Test("each byte at each place of a string is a part of it, or is refused", arguments: 1...26)
    func bytesOfStrings(count: Int) {
        for byte in UInt8.min...UInt8.max {
            for place in 0..<count {
                var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: count)
                bytes[place] = byte
                let value = try? JSONReader.read([UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")])
                // RFC 8259, 7; a byte above the last of ASCII alone is no UTF-8.
                let isPlain = 0x20..<0x80 ~= byte && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
                #expect(
                    value == (isPlain ? .string(String(decoding: bytes, as: UTF8.self)) : nil),
                    "\(byte) at \(place) of \(count)")
            }
        }
    }

    @Test("a character of several bytes at each place of a string is read, and a part of one refused")
    func charactersOfStrings() throws {
        for count in 0...20 {
            for character in ["é", "語", "🎈"] {
                let text = String(repeating: "a", count: count) + character + String(repeating: "b", count: 20 - count)
                #expect(try JSONReader.read("\"\(text)\"") == .string(text))
                var bytes = Array("\"\(text)\"".utf8)
                bytes.remove(at: count + 2)
                #expect(throws: JSONSyntaxError.self) { try JSONReader.read(bytes) }
            }
        }
    }

    @Test(
        "a text that is not JSON is refused with the offset of the first bad byte",
        arguments: [
            ("", 0), ("nul", 0), ("[1,]", 3), ("{\"a\":1,}", 7), ("{a:1}", 1), ("01", 1), ("1.", 2), ("1e", 2),
            ("-", 1),
            ("\"\u{1}\"", 1), ("\"abc", 1), ("1 2", 2), ("[1 2]", 3), (#""\ud800""#, 7), (#""\x""#, 3), ("+1", 0),
            ("NaN", 0),
        ])
    func refusal(text: String, offset: Int) {
        let error = #expect(throws: JSONSyntaxError.self) { try JSONReader.read(text) }
        #expect(error?.offset == offset)
    }

    @Test(
        "a member that comes twice in an object is named, and the last one counts",
        arguments: [
            (#"{"a":1,"a":2}"#, ["a": 2], "a"), (#"{"a":1,"\u0061":1}"#, ["a": 1], "a"),
            (#"{"b":[{"a":null,"c":1,"c":2,"a":3}]}"#, ["b": [["a": 3, "c": 2]]], "c"),
            (#"{"":1,"":2}"#, ["": 2], ""), (#"{"a":{"a":1},"b":{"a":[{"a":1},{"a":1}]}}"#, nil, nil),
            (#"{"A":1,"a":1}"#, nil, nil), ("{\"\u{E9}\":1,\"e\u{301}\":2}", nil, nil), ("[1,1]", nil, nil),
        ] as [(String, JSONValue?, String?)])
    func repetition(text: String, value: JSONValue?, name: String?) throws {
        let read = try JSONReader.readNotingRepetition(text.utf8)
        #expect(read.repeatedName == name)
        #expect(try JSONReader.read(text) == read.value)
        if let value { #expect(read.value == value) }
    }

    @Test("bytes that are not UTF-8 are refused")
    func invalidUTF8() {
        #expect(throws: JSONSyntaxError.self) { try JSONReader.read([0x22, 0xFF, 0x22]) }
        #expect(throws: JSONSyntaxError.self) { try JSONReader.read([0x22, 0x5C, 0x6E, 0xC0, 0x80, 0x22]) }
    }

    @Test("depth is bounded")
    func depth() throws {
        let deep = String(repeating: "[", count: 100_000)
        #expect(throws: JSONSyntaxError.self) { try JSONReader.read(deep) }
        #expect(try JSONReader.read("[[1]]", depth: 2) == [[1]])
        #expect(throws: JSONSyntaxError.self) { try JSONReader.read("[[[1]]]", depth: 2) }
    }

    @Test("no input traps", arguments: 0..<200)
    func fuzz(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let alphabet = Array(#"{}[]",:0123456789.eE+-truefalsn\u "#.utf8) + [0xFF, 0xC3, 0x00]
        for _ in 0..<50 {
            let bytes = (0..<Int.random(in: 0...40, using: &random)).map { _ in alphabet.randomElement(using: &random)!
            }
            guard let value = try? JSONReader.read(bytes) else { continue }
            #expect(try! JSONReader.read(JSONWriter.write(value)) == value)
        }
    }

    @Test("the last of repeated members counts, at the place of the first")
    func repeatedMembers() throws {
        #expect(try JSONReader.read(#"{"a":1,"b":2,"a":3}"#).description == #"{"a":3,"b":2}"#)
    }

    @Test("a reader of texts that say one thing refuses a member that comes once more, and says which and where")
    func unambiguous() throws {
        #expect(try JSONReader.readUnambiguous(#"{"a":{"a":1},"b":[{"a":1}]}"#.utf8)["a"] == ["a": 1])
        let text = #"{"a":1,"b":{"c":1,"\u0063":null}}"#
        #expect(throws: JSONSyntaxError(message: Self.ambiguity("\"c\"") + "; the second ends", offset: 31)) {
            try JSONReader.readUnambiguous(text.utf8)
        }
        #expect(JSONReader.ambiguity(in: text.utf8) == Self.ambiguity("\"c\""))
        for other in [#"{"a":1}"#, #"{"a":1,"a":"#] { #expect(JSONReader.ambiguity(in: other.utf8) == nil) }
        let name = String(repeating: "x", count: 61)
        #expect(JSONReader.ambiguity(in: "{\"\(name)\":1,\"\(name)\":2}".utf8) == Self.ambiguity("of one name"))
    }

    private static func ambiguity(_ name: String) -> String {
        "an object has two members \(name), and readers differ in which counts"
    }
}
