import JSON
import Testing

@testable import Scenario

@Suite("Values as Lua source text")
struct LuaLiteralTests {
    @Test(
        "a text cannot leave its quotes",
        arguments: [
            ("", #""""#),
            ("say \"hi\"", #""say \"hi\"""#),
            ("a\\", #""a\\""#),
            ("a\r\nb\tc", #""a\r\nb\tc""#),
            ("]] end --[[", #""]] end --[[""#),
            ("\u{0}1\u{7F}", #""\0001\127""#),
            ("\u{202E}", #""\226\128\174""#),
            ("ö 😀", "\"ö 😀\""),
        ])
    func strings(text: String, source: String) { #expect(LuaLiteral.string(text) == source) }

    @Test(
        "a value is written as Lua has it",
        arguments: [
            (.null, "nil"), (.bool(true), "true"), (.integer(-7), "-7"), (.integer(.min), "math.mininteger"),
            (.double(1.5), "1.5"), (.double(-.infinity), "-math.huge"), (.array([]), "{}"),
            (.array([.integer(1), .string("a")]), #"{ 1, "a" }"#),
            (.object(["end": .integer(1), "gone": .null]), #"{ ["end"] = 1, gone = json.null }"#),
            (.array([.integer(1), .null, .integer(2)]), "{ 1, json.null, 2 }"),
            (.object(["name": "a", "2nd": "b", "": "c"]), #"{ name = "a", ["2nd"] = "b", [""] = "c" }"#),
        ] as [(JSONValue, String)])
    func values(value: JSONValue, source: String) { #expect(LuaLiteral.value(value) == source) }

    @Test("a text reads back as it was", arguments: ["]]\"\\\r\n", "\u{0}9\u{1B}[0m", "😀\u{2028}", "'%s'"])
    func readsBack(text: String) throws {
        let bytes = text.utf8.map(String.init).joined(separator: ", ")
        let source = "assert(\(LuaLiteral.string(text)) == string.char(\(bytes)))"
        let played = try MiniRun.play("scenario('text', function(t) \(source) end)")
        #expect(played.messages.isEmpty)
    }
}
