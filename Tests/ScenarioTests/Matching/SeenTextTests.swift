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
