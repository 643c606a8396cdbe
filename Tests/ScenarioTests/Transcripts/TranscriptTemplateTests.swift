import JSON
import Machines
import Testing

@testable import Scenario

@Suite("What stored fields ask for")
struct TranscriptTemplateTests {
    @Test(
        "a stored value fits what it says, and no more",
        arguments: [
            ("a", "a", true), ("a", "A", false), ("a", 1, false), (1, 1.0, true), (1.5, 1.5, true), (1, "1", false),
            (true, true, true), (true, 1, false), (.null, .null, true), (.null, 0, false), ("<number>", 5, true),
            ("<number>", "5", true), ("<number>", "5 €", false), ("<number> €", "5 €", true), ("<number> €", 5, false),
            ("<any>", ["a": 1], true), ("<any>!", ["a": 1], false), ("<integer>", 1.5, false), ("<uuid>", 5, false),
            (["a": 1], ["a": 1, "b": 2], true), (["a": 1], ["b": 1], false), (["a": .null], ["b": 1], true),
            ([1, "<word>"], [1, "x"], true), ([1], [1, 2], false), ([], [], true), ([:], [], false),
            (["a"], "a", false),
            (["a": ["b": ["<any>"]]], ["a": ["b": [7], "c": 1]], true), ("\\<number>", "<number>", true),
            ("\\<number>", "5", false), (9_007_199_254_740_993, 9_007_199_254_740_992, false),
        ] as [(JSONValue, JSONValue, Bool)] as [(JSONValue, JSONValue, Bool)])
    func fits(stored: JSONValue, found: JSONValue, expected: Bool) {
        #expect(TranscriptTemplate.fits(stored, found) == expected)
    }

    @Test("what is not there fits nothing but null")
    func missing() {
        #expect(TranscriptTemplate.fits(.null, nil))
        for stored in ["", "<any>", 0, false, [], [:]] as [JSONValue] { #expect(!TranscriptTemplate.fits(stored, nil)) }
    }

    @Test("a value fits itself once it is escaped, whatever it is", arguments: 0..<60)
    func itself(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let entry = TranscriptEntry(
            actor: "v", direction: .observed, name: "m",
            fields: ["a": random.json(), "text": .string(random.text(of: "<>\\:any number", count: 0...30))])
        #expect(TranscriptTemplate.fits(entry.stored, entry))
    }

    private static func renewed(_ stored: JSONValue, _ found: JSONValue) -> JSONValue? {
        func entry(_ value: JSONValue) -> TranscriptEntry {
            TranscriptEntry(actor: "v", direction: .observed, name: "m", fields: ["x": value])
        }
        return TranscriptTemplate.renewed(entry(stored), with: entry(found)).fields["x"]
    }

    @Test(
        "what still fits stays as it is written, and the rest is what was found",
        arguments: [
            ("Order <number> left", "Order 7 left", "Order <number> left"),
            ("Order <number> left", "Order 7 came", "Order <number> came"),
            ("Order <number> left today", "Order 7 has left today", "Order <number> has left today"),
            ("Hi <word>, bye", "Hello Ada, bye", "Hello <word>, bye"), ("a", "<number>", "\\<number>"),
            ("<number>", "x", "x"),
            ("<number>", [1], [1]), (1, 2, 2),
            (["a": "<number>", "b": 1], ["a": 5, "b": 2, "c": 3], ["a": "<number>", "b": 2]),
            (["a": 1, "b": 2], ["b": 2], ["b": 2]), (["<word>", "b"], ["x", "c"], ["<word>", "c"]),
            (["a"], ["a", "b"], ["a", "b"]),
            ("x", ["id": 7, "t": "2026-11-21T10:15:00Z"], ["t": "<date>"]), ("", "a", "a"), ("a b", "", ""),
            ("2026-11-21T10:15:00.123456Z", "2026-11-21T10:15:01.123456Z", "<date>"),
        ] as [(JSONValue, JSONValue, JSONValue)] as [(JSONValue, JSONValue, JSONValue)])
    func renewal(stored: JSONValue, found: JSONValue, expected: JSONValue) {
        #expect(Self.renewed(stored, found) == expected)
    }

    @Test("what the system declares to vary does not come into a line that is renewed")
    func renewalWithoutVarying() {
        func entry(_ value: JSONValue) -> TranscriptEntry {
            TranscriptEntry(
                actor: "v", direction: .observed, name: "m", fields: ["x": value], varyingFields: ["stamp"])
        }
        let renewed = TranscriptTemplate.renewed(entry(1), with: entry(["stamp": "17", "text": "y"]))
        #expect(renewed.fields == ["x": ["text": "y"]])
    }

    @Test("a line that was renewed fits what it was renewed for, and is not renewed again", arguments: 0..<150)
    func renewedFits(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let words = ["<number>", "<any>", "12", "a", "b", "\\<word>", "<word>", "<", "x,"]
        func text(_ words: [String]) -> String {
            (0..<Int.random(in: 0...5, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
                .joined(separator: " ")
        }
        let stored = JSONValue.string(text(words))
        let found = JSONValue.string(text(["12", "a", "b", "<word>", "7", "x,", "\\"]))
        let renewed = try #require(Self.renewed(stored, found))
        #expect(TranscriptTemplate.fits(renewed, found), "\(stored) with \(found) gives \(renewed)")
        #expect(Self.renewed(renewed, found) == renewed)
    }
}
