import JSON
import Testing

@Suite("JSON values")
struct JSONValueTests {
    @Test("objects are equal whatever the order of their members")
    func order() {
        let left: JSONObject = ["a": 1, "b": 2]
        let right: JSONObject = ["b": 2, "a": 1]
        #expect(left == right)
        #expect(left.hashValue == right.hashValue)
        #expect(left != ["a": 1])
        #expect(left != ["a": 1, "b": 3])
    }

    @Test("numbers convert only where nothing is lost")
    func numbers() {
        #expect(JSONValue.double(2).integer == 2)
        #expect(JSONValue.double(2.5).integer == nil)
        #expect(JSONValue.numeral("1e3").integer == 1000)
        #expect(JSONValue.numeral("1e30").integer == nil)
        #expect(JSONValue.integer(7).double == 7)
        #expect(JSONValue.string("7").integer == nil)
    }

    @Test("control characters and DEL are escaped when written")
    func controlCharacters() {
        #expect(JSONValue.string("\u{1}\u{7F}\"").description == #""\u0001\u007f\"""#)
    }

    @Test("a double that JSON cannot express is written as null")
    func notANumber() {
        #expect(JSONValue.double(.infinity).description == "null")
    }
}

@Suite("JSON paths")
struct JSONPathTests {
    static let document: JSONValue = [
        "a": ["b": [1, 2, ["c": "x"]], "c": "y"], "odd name": true,
    ]

    @Test(
        "a path leads to its values",
        arguments: [
            ("$", 1), ("$.a.b[0]", 1), ("$.a.b[-1].c", 1), ("$.a.b[*]", 3), ("$.a.*", 2), ("$..c", 2),
            ("$['odd name']", 1),
            ("$.a.b[9]", 0), ("$.nothing.here", 0),
        ])
    func values(text: String, count: Int) throws {
        #expect(try JSONPath(text).values(in: Self.document).count == count)
    }

    @Test("descendants come in document order")
    func descendants() throws {
        #expect(try JSONPath("$..c").values(in: Self.document) == ["y", "x"])
    }

    @Test("a text that is not a path is refused", arguments: ["", "a", "$a", "$.", "$[", "$[x]", "$.a..", "$ .a"])
    func refusal(text: String) {
        #expect(throws: JSONSyntaxError.self) { try JSONPath(text) }
    }
}
