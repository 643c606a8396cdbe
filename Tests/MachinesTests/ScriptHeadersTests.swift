import HTTPTypes
import JSON
import Machines
import Testing

@Suite("Headers as scripts write them")
struct ScriptHeadersTests {
    @Test("a value is a line, and each element of a list is one")
    func lines() throws {
        let fields = try ScriptHeaders.fields([
            "X-Tenant": "acme", "Retry-After": 1, "Set-Cookie": ["a=1", "b=2"], "X-Mixed": ["a", 2],
        ])
        #expect(fields.map(\.name.rawName) == ["X-Tenant", "Retry-After", "Set-Cookie", "X-Mixed"])
        #expect(fields.map(\.values) == [["acme"], ["1"], ["a=1", "b=2"], ["a", "2"]])
    }

    @Test(
        "what HTTP cannot carry is told with the header",
        arguments: [
            (["X": true], "the header \"X\" is a text, a number or a list of them, not true"),
            (["X": ["a": 1]], "not {\"a\":1}"), (["X": .null], "not null"), (["X": []], "not []"),
            (["X": ["a", false]], "not [\"a\",false]"), (["X": [["a"]]], "not [[\"a\"]]"),
            (["X": "a\nb"], "the header \"X\" has a line end"), (["X": ["a", "b\r"]], "has a line end"),
            (["a b": "c"], "\"a b\" cannot be the name of an HTTP header"),
        ] as [(JSONObject, String)])
    func refused(headers: JSONObject, text: String) {
        #expect {
            _ = try ScriptHeaders.fields(headers)
        } throws: {
            ($0 as? ConfigurationError)?.message.contains(text) == true
        }
    }
}
