import JSON
import Machines
import Testing

@testable import Scenario

/// A matcher with a value that it takes, one that it refuses, and how that reads.
struct MatcherCase: CustomTestStringConvertible {
    let matcher: JSONValue
    let taken: JSONValue
    let refused: JSONValue
    let line: String
    var testDescription: String { self.matcher.description }

    init(_ matcher: JSONValue, takes taken: JSONValue, not refused: JSONValue, _ line: String) {
        (self.matcher, self.taken, self.refused, self.line) = (matcher, taken, refused, line)
    }
}

@Suite("What matchers take, refuse, and say")
struct MatcherDescriptionTests {
    private static let cases: [MatcherCase] = [
        MatcherCase("hi", takes: "hi", not: "Hi", "expected \"hi\", found \"Hi\""),
        MatcherCase(1, takes: 1.0, not: "1", "expected 1, found \"1\""),
        MatcherCase(true, takes: true, not: 1, "expected true, found 1"),
        MatcherCase(1.5, takes: 1.5, not: 1, "expected 1.5, found 1"),
        MatcherCase(
            ["a": ["b": 1]], takes: ["a": ["b": 1, "c": 2], "d": 3], not: ["a": ["b": 2]], "a.b: expected 1, found 2"),
        MatcherCase(["a": 1], takes: ["a": 1], not: "a", "expected { a = 1 }, found \"a\""),
        MatcherCase([1, "x"], takes: [1, "x"], not: [1, "y"], "2: expected \"x\", found \"y\""),
        MatcherCase([1, 2], takes: [1, 2], not: [1], "expected { 1, 2 }, found [1]"),
        MatcherCase([:], takes: [], not: [1], "expected {}, found [1]"),
        MatcherCase([:], takes: [:], not: ["a": 1], "expected {}, found {\"a\":1}"),
        MatcherCase(["a": [:]], takes: ["a": [:], "b": 1], not: ["a": 5], "a: expected {}, found 5"),
        MatcherCase(
            ["@match": "path", "value": "$.a", "matcher": [:]], takes: ["a": []], not: ["a": ["b": 1]],
            "$.a: expected {}, found {\"b\":1}"),
        MatcherCase(
            ["@match": "contains", "value": "b"], takes: "abc", not: "ac",
            "expected text that contains \"b\", found \"ac\""),
        MatcherCase(
            ["@match": "glob", "value": "a*"], takes: "ab", not: "ba", "expected text like \"a*\", found \"ba\""),
        MatcherCase(
            ["@match": "regex", "value": "[0-9]+"], takes: "12", not: "12 ",
            "expected text that matches /[0-9]+/, found \"12 \""),
        MatcherCase(
            ["@match": "fuzzy", "value": "hello", "ratio": 0.75], takes: "hallo", not: "help me",
            "expected text at least 75 % like \"hello\", found \"help me\""),
        MatcherCase(
            ["@match": "word_error_rate", "value": "a b c d", "ratio": 0.25], takes: "A, b: x. d", not: "a x y d",
            "expected text with a word error rate of at most 25 % from \"a b c d\", found \"a x y d\""),
        MatcherCase(
            ["@match": "token_set", "value": "b a", "ratio": 1], takes: "A b a!", not: "a",
            "expected text whose words and those of \"b a\" are at least 100 % the same, found \"a\""),
        MatcherCase(
            ["@match": "template", "value": "<number> apples"], takes: "12 apples", not: "some apples",
            "expected text like \"<number> apples\", found \"some apples\""),
        MatcherCase(
            ["@match": "capture", "value": "id", "matcher": 5], takes: 5, not: 6, "expected 5, found 6"),
        MatcherCase(
            ["@match": "one_of", "value": [1, "a", ["@match": "absent"]]], takes: "a", not: "b",
            "expected one of 1, \"a\", nothing, found \"b\""),
        MatcherCase(["@match": "is_not", "value": "a"], takes: "b", not: "a", "expected not \"a\", found \"a\""),
        MatcherCase(
            ["@match": "has", "value": ["@match": "type", "value": "string"]], takes: [1, "a"], not: [1, 2],
            "expected a list with a string, found [1,2]"),
        MatcherCase(["@match": "count", "value": 2], takes: "ab", not: [1], "expected 2 elements, found [1]"),
        MatcherCase(
            ["@match": "count", "value": ["@match": "between", "value": 1, "high": 2]], takes: ["a": 1], not: [],
            "expected from 1 to 2 elements, found []"),
        MatcherCase(
            ["@match": "equals", "value": ["a": 1]], takes: ["a": 1], not: ["a": 1, "b": 2],
            "b: expected nothing, found 2"),
        MatcherCase(
            ["@match": "near", "value": 1, "tolerance": 0.5], takes: 1.5, not: 0.4, "expected 1 ± 0.5, found 0.4"),
        MatcherCase(["@match": "near", "value": 2.5], takes: 2.5, not: 2, "expected 2.5 ± 0, found 2"),
        MatcherCase(
            ["@match": "between", "value": -1, "high": 1.5], takes: -1, not: 1.6, "expected from -1 to 1.5, found 1.6"),
        MatcherCase(["@match": "type", "value": "integer"], takes: 3.0, not: 3.5, "expected an integer, found 3.5"),
        MatcherCase(["@match": "type", "value": "number"], takes: 3.5, not: "3", "expected a number, found \"3\""),
        MatcherCase(["@match": "type", "value": "boolean"], takes: false, not: 0, "expected a boolean, found 0"),
        MatcherCase(["@match": "type", "value": "list"], takes: [], not: [:], "expected a list, found {}"),
        MatcherCase(["@match": "type", "value": "table"], takes: [:], not: [], "expected a table, found []"),
        MatcherCase(
            ["@match": "path", "value": "$.a[1]", "matcher": 2], takes: ["a": [1, 2]], not: ["a": [1, 3]],
            "$.a[1]: expected 2, found 3"),
        MatcherCase(
            ["@match": "typed", "value": "uuid"], takes: "0b8f5d54-7a0c-4a3e-9c1e-8e1d2f3a4b5c", not: "x",
            "expected a UUID, found \"x\""),
        MatcherCase(
            ["@match": "typed", "value": "money"], takes: "3 EUR", not: 3, "expected an amount of money, found 3"),
        MatcherCase(
            ["@match": "typed", "value": "date"], takes: "1.2.2026", not: "1.2.26", "expected a date, found \"1.2.26\""),
        MatcherCase(["@match": "typed", "value": "word"], takes: "a-b", not: "a b", "expected a word, found \"a b\""),
        MatcherCase(
            ["@match": "test", "value": 7, "description": "a lucky number"], takes: 7, not: 8,
            "expected a lucky number, found 8"),
        MatcherCase(["@match": "test", "value": 7], takes: 7, not: 8, "expected what a function accepts, found 8"),
    ]

    @Test("a matcher takes one value and refuses another, and says what it asked for", arguments: Self.cases)
    func takesAndRefuses(entry: MatcherCase) throws {
        #expect(try MatcherProbe.lines(entry.matcher, entry.taken) == [])
        #expect(try MatcherProbe.lines(entry.matcher, entry.refused) == [entry.line])
    }

    @Test("what all of several ask for is told for each that does not get it")
    func allOf() throws {
        let matcher: JSONValue = [
            "@match": "all_of",
            "value": [["@match": "contains", "value": "a"], ["@match": "contains", "value": "b"], "abc"],
        ]
        #expect(try MatcherProbe.lines(matcher, "abc") == [])
        #expect(
            try MatcherProbe.lines(matcher, "b") == [
                "expected text that contains \"a\", found \"b\"", "expected \"abc\", found \"b\"",
            ])
        #expect(
            try MatcherProbe.matcher(matcher).description
                == "text that contains \"a\" and text that contains \"b\" and \"abc\"")
    }

    @Test("nothing is no value: only what may be missing takes it", arguments: Self.cases)
    func nothing(entry: MatcherCase) throws {
        let takesNothing = entry.matcher["value"]?.array?.contains(["@match": "absent"]) == true
        #expect(try MatcherProbe.matcher(entry.matcher).mismatches(nil).isEmpty == takesNothing)
    }

    @Test("numbers are equal by their value, however they are spelt")
    func numbers() throws {
        for (left, right) in [(JSONValue.numeral("1e3"), JSONValue.integer(1000)), (.double(2), .integer(2))] {
            #expect(try MatcherProbe.lines(left, right) == [])
            #expect(try MatcherProbe.lines(right, left) == [])
        }
        #expect(try MatcherProbe.lines(1000, .numeral("1001e0")).count == 1)
        for value in [[1], ["a": [1]]] as [JSONValue] {
            let other: JSONValue = value.array == nil ? ["a": [1.0]] : [1.0]
            #expect(try MatcherProbe.lines(value, other) == [])
            #expect(try MatcherProbe.lines(["@match": "equals", "value": value], other) == [])
        }
    }

    @Test("identifiers of 64 bits are told apart, though as floating-point numbers they are one")
    func identifiers() throws {
        #expect(try MatcherProbe.lines(9_007_199_254_740_993, 9_007_199_254_740_992).count == 1)
        #expect(
            try MatcherProbe.lines(["@match": "equals", "value": [.integer(.max - 1)]], [.integer(.max)]).count == 1)
        #expect(try MatcherProbe.lines(9_007_199_254_740_993, .double(9_007_199_254_740_992)).count == 1)
        #expect(try MatcherProbe.lines(9_007_199_254_740_992, .double(9_007_199_254_740_992)) == [])
    }

    @Test("a path that leads to several values wants one of them, and tells of the first")
    func paths() throws {
        let value: JSONValue = ["a": [["b": 1], ["b": 2]]]
        func path(_ wanted: JSONValue) -> JSONValue { ["@match": "path", "value": "$.a[*].b", "matcher": wanted] }
        #expect(try MatcherProbe.lines(path(2), value) == [])
        #expect(try MatcherProbe.lines(path(3), value) == ["$.a[*].b: expected 3, found 1"])
        #expect(try MatcherProbe.lines(path(3), [:]) == ["$.a[*].b: expected 3, found nothing"])
        #expect(try MatcherProbe.lines(path(["@match": "absent"]), [:]) == [])
    }

    @Test("nothing is near infinity, or below a bound")
    func infinity() throws {
        #expect(try MatcherProbe.lines(["@match": "near", "value": 1], .numeral("1e999")).count == 1)
        #expect(try MatcherProbe.lines(["@match": "between", "value": 0, "high": 1], .numeral("1e999")).count == 1)
    }
}
