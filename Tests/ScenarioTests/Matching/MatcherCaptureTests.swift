import JSON
import Machines
import Testing

@testable import Scenario

@Suite("What matchers capture")
struct MatcherCaptureTests {
    private static func capture(_ name: String, _ matcher: JSONValue = .null) -> JSONValue {
        ["@match": "capture", "value": .string(name), "matcher": matcher]
    }

    private static func typed(_ type: String) -> JSONValue { ["@match": "typed", "value": .string(type)] }

    @Test("a value is captured as it stands, and as what it is read as where a type is asked for")
    func values() throws {
        #expect(try MatcherProbe.captures(Self.capture("a"), [1, 2]) == ["a": [1, 2]])
        #expect(try MatcherProbe.captures(Self.capture("a", Self.typed("number")), "1.234,5") == ["a": 1234.5])
        #expect(try MatcherProbe.captures(Self.capture("a", Self.typed("date")), "24. Dec 2026") == ["a": "2026-12-24"])
        #expect(
            try MatcherProbe.captures(Self.capture("a", Self.typed("money")), "€ 3")
                == ["a": ["amount": 3, "currency": "€"]])
        #expect(try MatcherProbe.captures(Self.capture("a", Self.typed("integer")), 3.0) == ["a": 3])
        #expect(try MatcherProbe.captures(Self.capture("a", Self.typed("integer")), "x") == nil)
    }

    @Test("captures are found wherever they stand")
    func places() throws {
        let value: JSONValue = ["list": [["k": 1], ["k": 2, "z": "found"]], "text": "Order 12", "deep": ["er": true]]
        let matcher: JSONValue = [
            "list": ["@match": "has", "value": ["k": 2, "z": Self.capture("z")]],
            "text": ["@match": "template", "value": "Order <number:integer>"], "deep": ["er": Self.capture("flag")],
        ]
        #expect(try MatcherProbe.captures(matcher, value) == ["z": "found", "number": 12, "flag": true])
        #expect(
            try MatcherProbe.captures(
                ["@match": "path", "value": "$.list[*]", "matcher": ["k": 2, "z": Self.capture("p")]], value)
                == ["p": "found"])
        #expect(try MatcherProbe.captures([Self.capture("a"), Self.capture("b")], [1, 2]) == ["a": 1, "b": 2])
    }

    @Test("of alternatives the first that accepts captures, of several demands all do")
    func alternatives() throws {
        let oneOf: JSONValue = [
            "@match": "one_of", "value": [Self.capture("text", Self.typed("word")), Self.capture("any")],
        ]
        #expect(try MatcherProbe.captures(oneOf, "word") == ["text": "word"])
        #expect(try MatcherProbe.captures(oneOf, "two words") == ["any": "two words"])
        let allOf: JSONValue = [
            "@match": "all_of", "value": [Self.capture("a"), Self.capture("b", Self.typed("number"))],
        ]
        #expect(try MatcherProbe.captures(allOf, "5") == ["a": "5", "b": 5])
    }

    @Test("two captures of one name are refused; of one within another the outer one stays")
    func order() throws {
        #expect(throws: UsageError.self) {
            try MatcherProbe.captures([Self.capture("a"), Self.capture("a")], [1, 2])
        }
        #expect(try MatcherProbe.captures(Self.capture("a", ["k": Self.capture("a")]), ["k": 1]) == ["a": ["k": 1]])
    }

    @Test("what is denied or not there captures nothing")
    func nothing() throws {
        #expect(try MatcherProbe.captures(["@match": "is_not", "value": Self.capture("a", 1)], 2) == [:])
        let optional: JSONValue = ["a": ["@match": "one_of", "value": [["@match": "absent"], Self.capture("a")]]]
        #expect(try MatcherProbe.captures(optional, [:]) == [:])
        #expect(try MatcherProbe.captures(optional, ["a": 1]) == ["a": 1])
    }

    @Test("parts of messages capture from the button, card, form and table that was found")
    func parts() throws {
        let message: JSONValue = [
            "cards": [
                ["title": "A", "price": "1 EUR", "actions": ["One"]],
                ["title": "B", "price": "2 EUR", "actions": ["Two"]],
            ],
            "form": ["title": "You", "fields": [["key": "email", "value": "a@b"], ["label": "Age", "value": 7]]],
            "headings": ["Name", "Size"], "rows": [["x", 1], ["y", 2]],
        ]
        #expect(
            try MatcherProbe.captures(
                [
                    "@match": "card",
                    "value": [
                        "title": "B", "price": Self.capture("price", Self.typed("money")),
                        "buttons": [Self.capture("label")],
                    ],
                ], message) == ["price": ["amount": 2, "currency": "EUR"], "label": "Two"])
        #expect(
            try MatcherProbe.captures(["@match": "button", "value": Self.capture("b")], message) == ["b": "One"])
        #expect(
            try MatcherProbe.captures(
                ["@match": "buttons", "value": [Self.capture("first"), Self.capture("second")]], message)
                == ["first": "One", "second": "Two"])
        #expect(
            try MatcherProbe.captures(
                [
                    "@match": "form",
                    "value": ["title": Self.capture("t"), "fields": ["Age": ["value": Self.capture("age")]]],
                ], message) == ["t": "You", "age": 7])
        #expect(
            try MatcherProbe.captures(
                ["@match": "table", "value": ["rows": [["Name": "y", "Size": Self.capture("size")]]]], message)
                == ["size": 2])
    }
}
