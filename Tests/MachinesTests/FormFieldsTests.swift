import JSON
import Machines
import Testing

@Suite("Names and values of forms and queries, as scripts give and see them")
struct FormFieldsTests {
    @Test(
        "the name of a list is repeated, and comes back as a list",
        arguments: [
            (["a": [1, 2]], "a=1&a=2", ["a": ["1", "2"]]), (["a": "x y", "b": true], "a=x%20y&b=true", nil),
            (["a": ["x", 1.5, false], "b": ""], "a=x&a=1.5&a=false&b=", nil), (["a": ["x"]], "a=x", ["a": "x"]),
            (["a": [], "b": [:], "c": 1], "c=1", ["c": "1"]), ([:], "", [:]),
        ] as [(JSONObject, String, JSONObject?)] as [(JSONObject, String, JSONObject?)])
    func repeated(fields: JSONObject, text: String, read: JSONObject?) throws {
        let written = FormEncoding.encode(try FormFields.pairs(fields, of: "query"))
        #expect(written == text)
        if let read { #expect(FormFields.object(written) == read) }
    }

    @Test("names that are composed of other characters are two, though they look the same, and each keeps its values")
    func spellings() {
        let fields = FormFields.object("caf%C3%A9=1&cafe%CC%81=2&caf%C3%A9=3")
        #expect(fields.count == 2)
        #expect(fields["caf\u{e9}"] == ["1", "3"] && fields["cafe\u{301}"] == "2")
    }

    @Test(
        "what no pair can carry is refused by its name, with what can be and what to do",
        arguments: [
            (["a": ["b": 1]], "not a table: {\"b\":1}"), (["a": [1, [2]]], "not a table: [2]"),
            (["a": .null], "not null"),
            (["a": ["x", .null]], "not null"),
        ] as [(JSONObject, String)] as [(JSONObject, String)])
    func refused(fields: JSONObject, found: String) throws {
        #expect(
            throws: ConfigurationError(
                "form: \"a\" is a text, a number, true, false or a list of them, of which each is sent under the name, "
                    + "\(found); leave it out, or encode it yourself, such as with json.encode(…)")
        ) { try FormFields.pairs(fields, of: "form") }
    }
}
