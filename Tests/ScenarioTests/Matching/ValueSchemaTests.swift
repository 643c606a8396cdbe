import JSON
import Machines
import Testing

@testable import Scenario

@Suite("Values by JSON Schema")
struct ValueSchemaTests {
    private static func schema(_ schema: JSONValue) -> JSONValue { ["@match": "schema", "value": schema] }

    private static let order: JSONValue = [
        "type": "object", "required": ["number"], "additionalProperties": false,
        "properties": [
            "number": ["type": "integer", "minimum": 1, "maximum": 9999],
            "state": ["enum": ["open", "shipped", .null]],
            "lines": ["type": "array", "items": ["type": "object", "required": ["sku"]]],
        ],
    ]

    private static let cases: [MatcherCase] = [
        MatcherCase(schema(order), takes: ["number": 5], not: [:], "number: expected an integer, found nothing"),
        MatcherCase(
            schema(order), takes: ["number": 5, "state": .null], not: ["number": 5, "state": "lost"],
            "state: expected one of \"open\", \"shipped\", null, found \"lost\""),
        MatcherCase(
            schema(order), takes: ["number": 9999], not: ["number": 0], "number: expected at least 1, found 0"),
        MatcherCase(
            schema(order), takes: ["number": 1.0], not: ["number": 10000], "number: expected at most 9999, found 10000"),
        MatcherCase(
            schema(order), takes: ["number": 1, "lines": []], not: ["number": 1, "line": 2],
            "line: expected no such member, found 2"),
        MatcherCase(
            schema(order), takes: ["number": 1, "lines": [["sku": 1]]],
            not: ["number": 1, "lines": [["sku": 1], ["s": 1]]], "lines.2.sku: expected a value, found nothing"),
        MatcherCase(
            schema(["type": "string", "minLength": 2]), takes: "ab", not: "a",
            "expected at least 2 characters, found \"a\""),
        MatcherCase(
            schema(["type": "string", "maxLength": 1]), takes: "é", not: "ab",
            "expected at most 1 characters, found \"ab\""),
        MatcherCase(
            schema(["pattern": "b+|^x"]), takes: "a\nbb", not: "ax",
            "expected text in which /b+|^x/ is found, found \"ax\""),
        MatcherCase(schema(["const": 3]), takes: 3.0, not: 4, "expected 3, found 4"),
        MatcherCase(schema(["const": .null]), takes: .null, not: 0, "expected null, found 0"),
        MatcherCase(
            schema(["type": ["array", "null"]]), takes: [:], not: "a", "expected an array or null, found \"a\""),
        MatcherCase(schema(["type": "object"]), takes: [], not: [1], "expected an object, found [1]"),
        MatcherCase(
            schema(["additionalProperties": false, "properties": ["\u{E9}": ["type": "string"]]]),
            takes: ["\u{E9}": "a"], not: ["e\u{301}": "a"], "e\u{301}: expected no such member, found \"a\""),
        MatcherCase(schema(["minimum": 3]), takes: "a", not: 2.5, "expected at least 3, found 2.5"),
        MatcherCase(
            schema(["maximum": 9_007_199_254_740_992]), takes: 9_007_199_254_740_992, not: 9_007_199_254_740_993,
            "expected at most 9007199254740992, found 9007199254740993"),
        MatcherCase(
            schema(["additionalProperties": ["type": "boolean"]]), takes: ["a": true], not: ["a": 1],
            "a: expected a boolean, found 1"),
        MatcherCase(
            schema(["anyOf": [["type": "string"], ["type": "number"]]]), takes: 1, not: true,
            "expected a string or a number, found true"),
        MatcherCase(
            schema(["anyOf": [["type": "string"], order]]), takes: "a", not: ["number": "x"],
            "number: expected an integer, found \"x\""),
        MatcherCase(
            ["@match": "json", "value": schema(order)], takes: "{\"number\":1}", not: "{\"number\":0}",
            "number: expected at least 1, found 0"),
        MatcherCase(
            ["@match": "json", "value": schema(order)], takes: "{\"number\":1}", not: "{",
            "expected text that holds as JSON an object by a JSON Schema, found \"{\""),
    ]

    @Test("a value fits or the failure says the place and what was wrong", arguments: cases)
    func judges(_ one: MatcherCase) throws {
        #expect(try MatcherProbe.lines(one.matcher, one.taken) == [])
        #expect(try MatcherProbe.lines(one.matcher, one.refused) == [one.line])
    }

    @Test("all that is wrong is told at once, up to a limit")
    func several() throws {
        let found = try MatcherProbe.lines(Self.schema(Self.order), ["number": "1", "state": 2])
        #expect(found.count == 2)
        let long = JSONValue.array((0..<1000).map { .integer($0) })
        #expect(try MatcherProbe.lines(Self.schema(["items": ["type": "null"]]), long).count == 50)
    }

    @Test("what JSON in a text holds can be captured")
    func captures() throws {
        let matcher: JSONValue = ["@match": "json", "value": ["a": ["@match": "capture", "value": "x"]]]
        #expect(try MatcherProbe.captures(matcher, "{\"a\":7}") == ["x": 7])
    }

    @Test(
        "a schema that cannot be used is refused with its place",
        arguments: [
            (.null, "match.schema takes a JSON Schema such as { type = \"object\" }, not nil"),
            ([:], "match.schema got a schema that accepts everything; match.any says that"),
            (["title": "x"], "match.schema got a schema that accepts everything; match.any says that"),
            (["properties": [:]], "match.schema got a schema that accepts everything; match.any says that"),
            (["properties": ["a": [:]]], "match.schema got a schema that accepts everything; match.any says that"),
            (
                ["required": [], "additionalProperties": true, "minLength": 0],
                "match.schema got a schema that accepts everything; match.any says that"
            ),
            (
                ["anyOf": [["type": "string"], ["items": [:]]]],
                "match.schema got a schema that accepts everything; match.any says that"
            ),
            (
                ["type": "text"],
                "match.schema: type is one or a list of object, array, string, number, integer, boolean, null, not \"text\""
            ),
            (["properties": ["a": ["minimum": "1"]]], "match.schema: properties.a.minimum is a number, not \"1\""),
            (["items": 3], "match.schema: items is a schema, not 3"),
            (["required": "a"], "match.schema: required is a list of names, not \"a\""),
            (["enum": []], "match.schema: enum is a list of values that is not empty, not []"),
            (["anyOf": []], "match.schema: anyOf is a list of schemas that is not empty, not []"),
            (["minLength": -1], "match.schema: minLength is a whole number that is not below zero, not -1"),
        ] as [(JSONValue, String)])
    func mistakes(schema: JSONValue, message: String) {
        #expect(MatcherProbe.mistake(Self.schema(schema)) == message)
    }

    @Test("a misspelt or unknown keyword is refused with what was meant")
    func keywords() {
        let misspelt = MatcherProbe.mistake(Self.schema(["properties": ["a": ["minimun": 1]]]))
        #expect(
            misspelt?.contains("properties.a.minimun is no keyword that is known; did you mean \"minimum\"?") == true)
        #expect(MatcherProbe.mistake(Self.schema(["$ref": "#"]))?.contains("$ref is no keyword") == true)
        #expect(MatcherProbe.mistake(Self.schema(["pattern": "a)(b"]))?.contains("pattern cannot be read") == true)
        #expect(MatcherProbe.mistake(["@match": "json"])?.contains("match.json takes") == true)
    }

    @Test("schemas are bounded in depth and size")
    func bounds() {
        var deep: JSONValue = ["type": "null"]
        for _ in 0..<100 { deep = ["items": deep] }
        #expect(MatcherProbe.mistake(Self.schema(deep))?.contains("at most 1000 parts") == true)
        let wide = JSONValue.array([JSONValue](repeating: ["type": "null"], count: 1001))
        #expect(MatcherProbe.mistake(Self.schema(["anyOf": wide]))?.contains("at most 1000 parts") == true)
    }
}
