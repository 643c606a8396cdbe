import JSON
import Machines
import Testing

@testable import Scenario

@Suite("Matchers")
struct MatcherTests {
    private func matcher(_ value: JSONValue) throws -> Matcher {
        try MatcherReader(test: { _ in nil }).matcher(value)
    }

    @Test(
        "headers are found by any spelling of their names, other members by their own",
        arguments: [
            (["headers": ["X-A": "1"]], true), (["headers": ["x-a": "1"]], true), (["headers": ["X-A": "2"]], false),
            (["headers": ["X-A": ["@match": "absent"]]], false), (["headers": ["X-B": ["@match": "absent"]]], true),
            (["headers": ["@match": "all_of", "value": [["X-A": "1"], ["X-B": ["@match": "absent"]]]]], true),
            (["headers": ["X-A": ["@match": "is_not", "value": "2"]]], true), (["Status": 200], false),
            (["headers": ["x-t": ["K": "v"]]], false),
        ] as [(JSONValue, Bool)])
    func headers(asked: JSONValue, isAccepted: Bool) throws {
        let value: JSONValue = ["status": 200, "headers": ["x-a": "1", "x-t": ["k": "v"]]]
        let matcher = try self.matcher(asked)
        #expect(matcher.mismatches(value).isEmpty == isAccepted)
        #expect(matcher.mayMatch(value) == isAccepted)
    }

    @Test(
        "a table without members is an empty one or an empty list, and where it must not be any table",
        arguments: [
            ([:], true, true), ([], true, true), (["b": 1], false, true), ([1], false, false), (5, false, false),
            (.null, false, false),
        ] as [(JSONValue, Bool, Bool)])
    func emptyTable(value: JSONValue, isAccepted: Bool, breaksBan: Bool) throws {
        let empty = JSONValue.object([:])
        for (asked, found) in [(empty, value), (["a": empty], ["a": value])] {
            let matcher = try self.matcher(asked)
            #expect(matcher.fits(found) == isAccepted)
            #expect(matcher.mayMatch(found) == breaksBan)
        }
        #expect(try self.matcher(["@match": "is_not", "value": empty]).fits(value) == !breaksBan)
    }

    @Test("a header of another spelling is captured")
    func capturedHeader() throws {
        var captures: JSONObject = [:]
        let asked: JSONValue = ["headers": ["X-A": ["@match": "capture", "value": "a", "matcher": ["@match": "any"]]]]
        try self.matcher(asked).capture(["headers": ["x-a": "1"]], into: &captures)
        #expect(captures == ["a": "1"])
    }

    @Test(
        "a value is accepted or not",
        arguments: [
            ("hi", "hi", true), ("hi", "hi there", false), ("hi", "Hi", false), (1, 1.0, true), (1, 2, false),
            (["a": 1], ["a": 1, "b": 2], true), (["a": 1], ["b": 2], false), ([1, 2], [1, 2], true),
            ([1], [1, 2], false),
            ("caf\u{E9}", "caf\u{E9}", true), ("caf\u{E9}", "cafe\u{301}", false),
            (["@match": "contains", "value": "f\u{E9}"], "caf\u{E9}", true),
            (["@match": "contains", "value": "f\u{E9}"], "cafe\u{301}", false),
            (["@match": "glob", "value": "*\u{E9}"], "caf\u{E9}", true),
            (["@match": "glob", "value": "*\u{E9}"], "cafe\u{301}", false),
            (["@match": "template", "value": "\u{E9} <number>"], "\u{E9} 1", true),
            (["@match": "template", "value": "\u{E9} <number>"], "e\u{301} 1", false),
            (["@match": "one_of", "value": ["\u{E9}"]], "e\u{301}", false),
            (["@match": "contains", "value": "morning"], "this morning!", true),
            (["@match": "contains", "value": "evening"], "this morning!", false),
            (["@match": "glob", "value": "a*c?"], "abbbcd", true), (["@match": "glob", "value": "a*c"], "abcd", false),
            (["@match": "regex", "value": "a+"], "aaa", true), (["@match": "regex", "value": "a+"], "aab", false),
            (["@match": "one_of", "value": [1, 2]], 2, true), (["@match": "one_of", "value": [1, 2]], 3, false),
            (["@match": "is_not", "value": 1], 2, true), (["@match": "is_not", "value": 1], 1, false),
            (["@match": "fuzzy", "value": "hello", "ratio": 0.8], "hallo", true),
            (["@match": "fuzzy", "value": "hello", "ratio": 0.9], "hallo", false),
            (["@match": "near", "value": 1, "tolerance": 0.5], 1.4, true),
            (["@match": "near", "value": 1, "tolerance": 0.5], 1.6, false),
            (["@match": "between", "value": 1, "high": 3], 3, true),
            (["@match": "between", "value": 1, "high": 3], 4, false),
            (["@match": "between", "value": 1, "high": 9_007_199_254_740_992], 9_007_199_254_740_993, false),
            (["@match": "between", "value": 0.5, "high": 1.5], 1, true),
            (["@match": "between", "value": -1e300, "high": 1e300], .integer(.min), true),
            (["@match": "between", "value": .integer(.max), "high": 1e300], 9.3e18, true),
            (["@match": "between", "value": 1, "high": .integer(.max)], 9_223_372_036_854_775_808.0, false),
            (["@match": "between", "value": .integer(.min), "high": 1], -9.3e18, false),
            (["@match": "near", "value": 9_007_199_254_740_992, "tolerance": 0.5], 9_007_199_254_740_993, false),
            (["@match": "near", "value": .integer(.min), "tolerance": 1e18], .integer(.max), false),
            (9_223_372_036_854_775_808.0, .integer(.max), false), (.integer(.max), 9_223_372_036_854_775_808.0, false),
            (.numeral("1e400"), .integer(.max), false), (.numeral("1e2"), 100, true),
            (["@match": "form", "value": ["fields": ["\u{E9}"]]], ["form": ["fields": [["key": "\u{E9}"]]]], true),
            (["@match": "form", "value": ["fields": ["\u{E9}"]]], ["form": ["fields": [["key": "e\u{301}"]]]], false),
            (["@match": "has", "value": ["k": 1]], [["k": 2], ["k": 1, "z": 0]], true),
            (["@match": "has", "value": 9], [1], false), (["@match": "count", "value": 2], [1, 1], true),
            (["@match": "count", "value": 2], "abc", false), (["@match": "type", "value": "integer"], 3, true),
            (["@match": "type", "value": "integer"], 3.5, false), (["@match": "any"], "x", true),
            (["@match": "path", "value": "$.a[0]", "matcher": 5], ["a": [5]], true),
            (["@match": "path", "value": "$.a[0]", "matcher": 5], ["a": [6]], false),
            (
                ["@match": "all_of", "value": [["@match": "has", "value": 1], ["@match": "has", "value": 2]]], [2, 1],
                true
            ),
        ] as [(JSONValue, JSONValue, Bool)])
    func acceptance(matcher: JSONValue, value: JSONValue, accepted: Bool) throws {
        #expect(try self.matcher(matcher).mismatches(value).isEmpty == accepted)
    }

    @Test("a missing member is a mismatch at its path, unless nothing is wanted there")
    func missing() throws {
        let mismatches = try self.matcher(["a": ["b": "x"]]).mismatches(["a": [:]])
        #expect(mismatches == [Mismatch(path: ["a", "b"], expected: "\"x\"", found: nil)])
        #expect(try self.matcher(["a": ["@match": "absent"]]).mismatches([:]).isEmpty)
        #expect(try !self.matcher(["a": ["@match": "absent"]]).mismatches(["a": .null]).isEmpty)
        #expect(try !self.matcher(["a": ["@match": "absent"]]).mismatches(["a": 1]).isEmpty)
        #expect(try !self.matcher(["a": ["@match": "any"]]).mismatches([:]).isEmpty)
    }

    private static let pizza: JSONValue = [
        "cards": [["title": "Funghi", "price": 9, "actions": [["label": "Order", "url": "/7"]]]],
        "form": ["title": "You", "fields": [["key": "email", "label": "Where"], ["name": "phone"]]],
        "headings": ["Pizza", "Price"], "rows": [["Funghi", 9]], "person": ["name": "Sam", "id": 7],
        "list": [["name": "a"], ["size": 1]],
    ]

    @Test(
        "a misspelt name is told from what stands there, wherever it is asked for, and no other name is",
        arguments: [
            (["@match": "card", "value": ["title": "Funghi", "prize": 9]], "price"),
            (["@match": "card", "value": ["title": "Calzone"]], nil),
            (["@match": "card", "value": ["title": "Funghi", "subtitle": "x"]], nil),
            (["@match": "form", "value": ["fields": ["emial"]]], "email"),
            (["@match": "form", "value": ["fields": ["Email": ["@match": "any"]]]], "email"),
            (["@match": "form", "value": ["fields": ["phnoe": ["@match": "any"]]]], "phone"),
            (["@match": "form", "value": ["fields": ["address"]]], nil),
            (["@match": "button", "value": ["label": "Pay"]], nil),
            (["@match": "table", "value": ["rows": [["Piza": "Funghi"]]]], "Pizza"),
            (["@match": "table", "value": ["rows": [["Pizza": "Calzone"]]]], nil),
            (["person": ["nmae": "Sam"]], "name"), (["persno": ["name": "Sam"]], "person"),
            (["person": ["ip": 1]], nil),
            (["list": ["@match": "has", "value": ["nmae": "a"]]], "name"),
            (["list": ["@match": "has", "value": ["name": "b"]]], nil),
        ] as [(JSONValue, String?)])
    func misspelt(matcher: JSONValue, meant: String?) throws {
        let mismatches = try self.matcher(matcher).mismatches(Self.pizza)
        let found = mismatches.map { $0.found { _ in "something" } }
        let hints = found.compactMap { $0.split(separator: "; ", maxSplits: 1).dropFirst().first.map(String.init) }
        #expect(!mismatches.isEmpty)
        #expect(hints == (meant.map { ["did you mean \"\($0)\"?"] } ?? []))
    }

    @Test(
        "a constructor that was given something else says what it takes",
        arguments: [
            ["@match": "contains", "value": 1], ["@match": "regex", "value": "("],
            ["@match": "between", "value": 3, "high": 1],
            ["@match": "type", "value": "text"], ["@match": "path", "value": "a", "matcher": 1],
            ["@match": "fuzzy", "value": "a", "ratio": 2],
            ["@match": "unknown"], ["@match": "card", "value": ["titel": "Funghi"]],
            ["@match": "card", "value": ["buttnos": ["Order"]]], ["@match": "form", "value": ["feilds": ["email"]]],
            ["@match": "button", "value": ["label": "Order", "ulr": "/7"]],
        ] as [JSONValue])
    func mistakes(matcher: JSONValue) {
        #expect(throws: UsageError.self) { try self.matcher(matcher) }
    }

    @Test("a glob of many stars is quick on a text that does not match")
    func globBomb() {
        let glob = Glob(String(repeating: "*a", count: 30) + "b")
        #expect(!glob.matches(String(repeating: "a", count: 2000)))
    }

    @Test(
        "a misspelt word gets the nearest known one",
        arguments: [("typng", "typing"), ("mesage", "message"), ("xyz", nil)] as [(String, String?)])
    func suggestions(word: String, suggestion: String?) {
        #expect(TextDistance.suggestion(for: word, among: ["typing", "message", "queue"]) == suggestion)
    }
}
