import JSON
import Testing

@testable import Scenario

@Suite("Texts that must not be there, as people see them")
struct SeenTextTests {
    private static func ban(_ name: String, _ text: String) -> JSONValue {
        ["@match": "is_not", "value": ["@match": .string(name), "value": .string(text)]]
    }

    @Test(
        "are found whatever nobody sees stands in them or behind them",
        arguments: [
            ("contains", "secret", "the secret"), ("contains", "secret", "the secret\u{FE0F}!"),
            ("contains", "secret", "the sec\u{200D}ret"), ("contains", "secret", "the se\u{AD}cr\u{2060}et"),
            ("contains", "secret\u{200B}", "a\u{200B} secret"), ("contains", "\n", "a\r\nb"),
            ("contains", "\r", "a\r\nb"), ("glob", "*secret*", "the secret\u{FE0F}!"), ("glob", "*\n*", "a\r\nb"),
            ("glob", "secret", "\u{FEFF}secret"),
        ])
    func found(name: String, text: String, said: String) throws {
        #expect(try MatcherProbe.lines(Self.ban(name, text), .string(said)).count == 1)
        // Also where it stands deeper, and the ban with it.
        let deep: JSONValue = ["@match": "is_not", "value": ["a": ["@match": .string(name), "value": .string(text)]]]
        #expect(try MatcherProbe.lines(deep, ["a": .string(said)]).count == 1)
    }

    @Test("are found, too, where their characters are only composed otherwise")
    func composed() throws {
        #expect(try MatcherProbe.lines(["@match": "is_not", "value": "caf\u{E9}"], "cafe\u{301}").count == 1)
    }

    @Test(
        "a whole text that must not be is broken by one that looks the same, wherever it stands",
        arguments: [
            ("bad", "bad\u{200B}", true), ("bad", "b\u{AD}ad", true), ("bad", "\u{FEFF}bad", true),
            ("bad", "b\u{200D}ad", true), ("a b", "a\u{A0}b", true), ("a\u{A0}b", "a b", true), ("", "\u{2060}", true),
            ("bad", "bäd", false), ("bad", "bad!", false), ("a b", "ab", false), ("bad", "Bad", false),
        ] as [(String, String, Bool)])
    func whole(banned: String, said: String, isBroken: Bool) throws {
        let (text, value) = (JSONValue.string(banned), JSONValue.string(said))
        let worse: JSONValue = ["@match": "one_of", "value": [text, "worse"]]
        // Of a text that is not too long, a pattern is no reason.
        let searched: JSONValue = ["@match": "one_of", "value": [["@match": "regex", "value": "^never$"], text]]
        let equal: JSONValue = ["@match": "equals", "value": ["text": text, "list": [text, 1]]]
        let pairs: [(JSONValue, JSONValue)] = [
            (text, value), (worse, value), (searched, value), (["text": text], ["text": value, "from": "bot"]),
            (["@match": "has", "value": text], ["x", value]), (equal, ["text": value, "list": [value, 1]]),
        ]
        for (matcher, found) in pairs {
            let lines = try MatcherProbe.lines(["@match": "is_not", "value": matcher], found)
            #expect(lines.isEmpty != isBroken, "\(matcher) \(found)")
            #expect(lines.allSatisfy { $0.contains(", nor what looks the same") })
        }
        // What is expected is compared by its bytes, as ever.
        #expect(try MatcherProbe.lines(text, value).count == 1)
    }

    @Test("kinds of spaces hide no part of a text", arguments: ["contains", "glob"])
    func spaces(name: String) throws {
        let text = name == "glob" ? "*I am not*" : "I am not"
        let ban: JSONValue = ["@match": "is_not", "value": ["@match": .string(name), "value": .string(text)]]
        #expect(try MatcherProbe.lines(ban, "No, I\u{A0}am\u{2009}not.").count == 1)
        #expect(try MatcherProbe.lines(ban, "No, I'm not.") == [])
        #expect(try MatcherProbe.lines(Self.ban("contains", "\u{E9}"), "cafe\u{301}").count == 1)
    }

    @Test(
        "are not found in what looks otherwise",
        arguments: [
            ("contains", "cafe", "cafe\u{301}"), ("contains", "secret", "se\u{200D}cre"),
            ("contains", "\u{200D}", "a\u{200B}b"), ("contains", "👩‍🚀", "👩 🚀"), ("glob", "secret", "a secret\u{FE0F}"),
        ])
    func absent(name: String, text: String, said: String) throws {
        #expect(try MatcherProbe.lines(Self.ban(name, text), .string(said)) == [])
    }

    @Test("what must be there is looked for as it is written")
    func wanted() throws {
        #expect(try MatcherProbe.lines(["@match": "contains", "value": "secret"], "sec\u{200D}ret").count == 1)
        #expect(try MatcherProbe.lines(["@match": "glob", "value": "secret"], "secret\u{FE0F}").count == 1)
    }
}
