import JSON
import Machines
import Testing

@testable import Secrets

@Suite("Secrets in texts, however they are written")
struct SecretFormTests {
    private static let value = "tk-8&<\"ö 1815/+?%\\x"

    private func masked(_ text: String, _ values: String...) -> String {
        var secrets = SecretMasker()
        for value in values.isEmpty ? [Self.value] : values { secrets.add(value) }
        return secrets.masked(text)
    }

    @Test(
        "every way of writing is hidden as a whole",
        arguments: Writing.all.flatMap { outer in [outer.name] + Writing.all.map { "\(outer.name) of \($0.name)" } })
    func forms(name: String) throws {
        let names = name.split(separator: " of ").map(String.init)
        var text = Self.value
        for name in names.reversed() { text = try #require(Writing.all.first { $0.name == name }).write(text) }
        let masked = self.masked("before (\(text)) after")
        #expect(masked.hasPrefix("before (") && masked.hasSuffix(") after"), "\(text) became \(masked)")
        #expect(masked.contains("***") && masked.count <= "before (***) after".count + 8, "\(text) became \(masked)")
    }

    @Test("JSON in JSON in JSON in JSON hides it at every depth")
    func nestedJSON() {
        var text = Self.value
        for _ in 0..<5 {
            text = JSONValue.object(["k": .string(text), "other": "stays"]).description
            let masked = self.masked(text)
            #expect(masked.contains("***") && masked.contains("stays") && !masked.contains("1815"), "\(masked)")
        }
    }

    @Test("within a longer text in base64, wherever it begins", arguments: ["", "u", "us", "use", "\0user\0"])
    func base64(prefix: String) throws {
        let text = Base64.encode(Array((prefix + Self.value + "tail of it").utf8))
        let masked = self.masked("AUTH PLAIN " + text)
        #expect(masked.hasPrefix("AUTH PLAIN " + text.prefix(prefix.utf8.count / 3 * 4)))
        // Only the digits that have nothing but bits of the neighbors stay.
        let least = text.utf8.count - (Self.value.utf8.count * 4 + 2) / 3 - 2
        #expect(masked.utf8.count - "AUTH PLAIN ***".utf8.count >= least)
        for window in Writing.windows(of: text, from: prefix.utf8.count * 4 / 3 + 1, bytes: Self.value.utf8.count) {
            #expect(!masked.contains(window))
        }
    }

    @Test("UTF-16 bytes, in either order and from an odd place on", arguments: [true, false], ["", "x"])
    func utf16(isLittle: Bool, prefix: String) {
        var secrets = SecretMasker()
        secrets.add(Self.value)
        let bytes = Array(prefix.utf8) + Writing.utf16(Self.value, isLittle: isLittle)
        #expect(secrets.masked(bytes) == Array((prefix + "***").utf8))
    }

    @Test("a piece of eight bytes is hidden, one of seven is not, and a short value only as a whole")
    func pieces() {
        #expect(self.masked("…q7Zx93Lm…", "abcq7Zx93Lmdef") == "…***…")
        #expect(self.masked("…q7Zx93L…", "abcq7Zx93Lmdef") == "…q7Zx93L…")
        #expect(self.masked("the zq7x and zq7", "zq7x") == "the *** and zq7")
        #expect(self.masked("ABCQ7ZX93LM", "abcq7zx93lm") == "***")
    }

    @Test("values that overlap or touch share a mask")
    func overlaps() {
        #expect(self.masked("abcdefghijklmnop", "abcdefghij", "ghijklmnop") == "***")
        #expect(self.masked("abcdefghij0123456789", "abcdefghij", "0123456789") == "***")
        #expect(self.masked("abcdefghij-0123456789", "abcdefghij", "0123456789") == "***-***")
    }

    @Test("a character that a mask begins or ends in goes with it")
    func characters() {
        // The é of the text has its second byte in common with the first one that the secret has.
        let masked = self.masked("cafééééééé!", "éééééééX")
        #expect(masked == "caf***!" || masked == "café***!")
    }

    @Test("numbers, and names that a server chose, but not the words of a vocabulary")
    func values() {
        var secrets = SecretMasker()
        secrets.add("12345678")
        secrets.add("text")
        let value: JSONValue = [
            "text": 12_345_678, "half": 1234.5, "deep": ["12345678": .numeral("12345678e0"), "list": [12_345_678]],
        ]
        let masked = secrets.masked(value.object ?? [:], keepingNames: true)
        #expect(
            JSONValue.object(masked)
                == ["text": "***", "half": 1234.5, "deep": ["***": "***", "list": ["***"]]])
    }

    @Test("a value of a megabyte is found in a text of ten, and texts without one stay as they are")
    func size() {
        let value = (0..<100_000).map { "\($0 &* 7_919)" }.joined(separator: "-")
        let text = String(repeating: "all is well, ", count: 20_000)
        #expect(self.masked(text, value) == text)
        #expect(self.masked(text + value + text, value) == text + "***" + text)
    }

    @Test("thousands of values with a common beginning are all found")
    func crowd() {
        var secrets = SecretMasker()
        for number in 0..<2_000 { secrets.add("eyJhbGciOiJIUzI1NiJ9.\(number * 7_919_113)", isLearnt: true) }
        #expect(secrets.masked("a eyJhbGciOiJIUzI1NiJ9.\(1_999 * 7_919_113) b") == "a *** b")
        #expect(secrets.masked("a b") == "a b")
    }

    @Test("what was learnt long ago is let go of, what was declared is not")
    func generations() {
        var secrets = SecretMasker()
        secrets.add("declared-0815")
        for number in 0..<10 {
            secrets.add(
                String(repeating: "\(number)", count: 16) + String(repeating: "x", count: 1 << 20), isLearnt: true)
        }
        #expect(secrets.masked("declared-0815 0000000000000000 9999999999999999") == "*** 0000000000000000 ***")
    }
}

/// The ways in which a text could be written, made here by other means than those that read them.
struct Writing: Sendable {
    let name: String
    let write: @Sendable (String) -> String

    static let all: [Writing] = [
        Writing(name: "plain") { $0 },
        Writing(name: "JSON") { String(JSONValue.string($0).description.dropFirst().dropLast()) },
        Writing(name: "JSON with slashes") { text in
            String(JSONValue.string(text).description.dropFirst().dropLast()).replacing("/", with: "\\/")
        },
        Writing(name: "UTF-16 escapes") { text in text.utf16.map { "\\u" + Self.hex(Int($0), digits: 4) }.joined() },
        Writing(name: "capital UTF-16 escapes") { text in
            text.utf16.map { "\\u" + Self.hex(Int($0), digits: 4).uppercased() }.joined()
        },
        Writing(name: "scalar escapes") { text in text.unicodeScalars.map { "\\u{\(Self.hex(Int($0.value)))}" }.joined()
        },
        Writing(name: "Lua") { text in
            text.utf8.map {
                0x20..<0x7F ~= $0 && $0 != 0x5C && $0 != 0x22 ? String(Unicode.Scalar($0)) : "\\\(Self.decimal($0))"
            }
            .joined()
        },
        Writing(name: "markup") { text in
            text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
                .replacing("\"", with: "&quot;").replacing("'", with: "&apos;")
        },
        Writing(name: "decimal entities") { text in text.unicodeScalars.map { "&#\($0.value);" }.joined() },
        Writing(name: "hexadecimal entities") { text in
            text.unicodeScalars.map { "&#x\(Self.hex(Int($0.value)).uppercased());" }.joined()
        },
        Writing(name: "percent") { FormEncoding.percentEncode($0) },
        Writing(name: "small percent") { text in text.utf8.map { "%" + Self.hex(Int($0), digits: 2) }.joined() },
        Writing(name: "form") { FormEncoding.percentEncode($0).replacing("%20", with: "+") },
        Writing(name: "base64") { Base64.encode(Array($0.utf8)) },
        Writing(name: "base64 for URLs") { text in
            Base64.encode(Array(text.utf8)).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        },
        Writing(name: "hexadecimal") { text in text.utf8.map { Self.hex(Int($0), digits: 2) }.joined() },
        Writing(name: "capital hexadecimal") { text in
            text.utf8.map { Self.hex(Int($0), digits: 2).uppercased() }.joined()
        },
    ]

    private static func hex(_ number: Int, digits: Int = 1) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    private static func decimal(_ byte: UInt8) -> String { String("00\(byte)".suffix(3)) }

    static func utf16(_ text: String, isLittle: Bool) -> [UInt8] {
        text.utf16.flatMap { unit in
            let (high, low) = (UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit))
            return isLittle ? [low, high] : [high, low]
        }
    }

    /// The runs of eight digits of base64 that stand for some bytes alone.
    static func windows(of text: String, from start: Int, bytes: Int) -> [String] {
        let digits = Array(text)
        let end = start + bytes * 4 / 3 - 1
        return (start...(end - 8)).map { String(digits[$0..<($0 + 8)]) }
    }
}
