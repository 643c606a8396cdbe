import JSON
import Testing

@testable import Scenario

@Suite("What a failure says of a value that does not fit")
struct MatcherRemarkTests {
    private static func remark(_ matcher: JSONValue, _ value: JSONValue, shown: JSONValue? = nil) throws -> String? {
        let mismatches = try MatcherProbe.matcher(matcher).mismatches(value)
        return try #require(mismatches.first, "it fits").remark(on: shown ?? value)
    }

    private static func ban(_ name: String, _ value: JSONValue? = nil) -> JSONValue {
        var members: JSONObject = ["@match": .string(name)]
        members["value"] = value
        return ["@match": "is_not", "value": .object(members)]
    }

    @Test(
        "how far off it is",
        arguments: [
            ("fuzzy", "abcd", 0.8, "abxx", "50 % alike"),
            ("token_set", "delivered", 0.8, "not delivered", "67 % the same"),
            ("word_error_rate", "your order left us", 0.2, "your parcel has left us", "a word error rate of 50 %"),
            // 2 of 3 are 66.7 %, and no 67 % that would be enough.
            ("token_set", "delivered", 0.67, "not delivered", "66.7 % the same"),
        ] as [(String, String, Double, String, String)])
    func figures(name: String, wanted: String, ratio: Double, found: String, remark: String) throws {
        let matcher: JSONValue = ["@match": .string(name), "value": .string(wanted), "ratio": .double(ratio)]
        #expect(try Self.remark(matcher, .string(found)) == remark)
        #expect(try Self.remark(matcher, 5) == nil)
    }

    @Test(
        "where a part was looked for that stands nowhere",
        arguments: [
            ("card", "under card, cards, elements, and in attachments whose contentType is that of a card"),
            ("form", "under form, forms, footer_form"), ("table", "in tables with rows, and with headings or columns"),
        ])
    func places(part: String, places: String) throws {
        let matcher: JSONValue = ["@match": .string(part), "value": ["title": "A"]]
        let asked: JSONValue = part == "table" ? ["@match": "table", "value": ["count": 1]] : matcher
        #expect(try Self.remark(asked, ["text": "hi"]) == "looked for \(places)")
        #expect(try Self.remark(["card": asked], ["card": 5]) == "looked for \(places)")
        let button: JSONValue = ["@match": "button", "value": ["label": "Yes"]]
        #expect(try Self.remark(button, ["text": "hi"])?.hasPrefix("looked for under actions, buttons, ") == true)
        #expect(try Self.remark(button, ["actions": ["No"]]) == nil)
    }

    @Test("that a text of JSON has two members of one name, of which neither is matched")
    func ambiguity() throws {
        let text: JSONValue = #"{"a":1,"a":2}"#
        for wanted in [1, 2] as [JSONValue] {
            let matcher: JSONValue = ["@match": "json", "value": ["a": wanted]]
            #expect(try MatcherProbe.matcher(matcher).fits(.string(#"{"a":\#(wanted)}"#)))
            #expect(
                try Self.remark(matcher, text)
                    == #"an object has two members "a", and readers differ in which counts"#)
            #expect(try Self.remark(matcher, "no JSON") == nil)
        }
    }

    @Test(
        "that an expression for the whole text matches a part of it",
        arguments: [
            ("regex", "Hello", "Hello Ada", "a part of it matches, and all of it has to: "),
            ("regex", "^Hello|Bye$", "Good Bye", "a part of it matches, and all of it has to: "),
            ("glob", "H?llo", "Hello Ada", "a part of it is like that, and all of it has to be: "),
            // Nothing at all stands everywhere.
            ("regex", "x*", "Hello", nil), ("regex", "Hi", "Hello", nil), ("glob", "Hi*", "Hello", nil),
        ] as [(String, String, String, String?)])
    func parts(name: String, pattern: String, found: String, remark: String?) throws {
        let matcher: JSONValue = ["@match": .string(name), "value": .string(pattern)]
        let told = try Self.remark(matcher, .string(found))
        #expect(remark.map { told?.hasPrefix($0) == true } ?? (told == nil), "\(told ?? "nothing")")
        #expect(try Self.remark(matcher, 5) == nil)
    }

    @Test(
        "where it does not fit a template",
        arguments: [
            ("Order 4711 leaves on 2026-13-01.", "<day:date> does not fit \"2026-13-01.\""),
            ("Order 4711 left.", "\" leaves on \" does not stand where \" left.\" is"),
            ("Order 4711 leaves on 2026-12-01. Bye", "it ends before \" Bye\""),
            ("Order", "\"Order \" does not stand where \"Order\" is"), ("Order ", "<number> does not fit the end"),
        ])
    func template(text: String, remark: String) throws {
        let template: JSONValue = ["@match": "template", "value": "Order <number> leaves on <day:date>."]
        #expect(try Self.remark(template, .string(text)) == remark)
    }

    @Test(
        "what was found that must not be there, however long the text is",
        arguments: [
            ("Write to ada@example.com now", "an e-mail address: \"ada@example.com\""),
            ("Call +49 30 901820 today", "a phone number: \"+49 30 901820\""),
        ])
    func personalData(text: String, remark: String) throws {
        let long = String(repeating: "bla ", count: 200)
        let matcher = Self.ban("personal_data")
        #expect(try Self.remark(matcher, .string(long + text + " " + long)) == remark)
        #expect(try Self.remark(matcher, ["raw": ["a", .string(text)]]) == remark)
        #expect(
            try Self.remark(matcher, ["raw": [7, 4_111_111_111_111_111]]) == "a card number: \"4111111111111111\"")
        // What is hidden is not shown here, either.
        #expect(try Self.remark(matcher, .string(text), shown: "Write to *** now") == nil)
    }

    @Test("which words give a text away")
    func leaks() throws {
        let matcher = Self.ban("leaks", "Never tell the code RAIN-42")
        #expect(
            try Self.remark(matcher, "I was told: never tell the code rain 42!")
                == "it says \"never tell the code rain 42\"")
    }

    @Test("which member is another one than that of a value that it is to equal")
    func equality() throws {
        let wanted: JSONValue = ["@match": "equals", "value": ["a": 1, "c": ["d": 1, "e": [1, ["f": 3]]], "g": "x"]]
        let found: JSONValue = ["a": 1, "c": ["d": 1, "e": [1, ["f": 4]]], "z": 9]
        #expect(
            try MatcherProbe.lines(wanted, found) == [
                "c.e.2.f: expected 3, found 4", "g: expected \"x\", found nothing", "z: expected nothing, found 9",
            ])
        #expect(
            try Self.remark(["@match": "equals", "value": [1, 2]], [1])
                == "1 element, not 2; the expected element 2 is missing")
    }

    @Test("what a table without members asks for, and what stands for it where that is not meant")
    func emptyTable() throws {
        #expect(try Self.remark([:], ["b": 1])?.contains("match.type \"table\" accepts any") == true)
        #expect(try Self.remark([:], [1]) == nil)
        let ban: JSONValue = ["@match": "is_not", "value": [:]]
        #expect(try Self.remark(ban, ["b": 1])?.contains("match.is_not(match.equals {})") == true)
        #expect(try Self.remark(ban, []) == nil)
    }

    @Test("that a text and a number are written alike")
    func writtenAlike() throws {
        let advice = "the values of a CSV are texts, and tonumber(text) reads one"
        #expect(try Self.remark("1815", 1815) == "a number, and a text is expected; \(advice)")
        #expect(try Self.remark(1815, "1815") == "a text, and a number is expected; \(advice)")
        #expect(try Self.remark(["id": 1.5], ["id": "1.50"], shown: "1.50")?.hasPrefix("a text, and") == true)
        for (wanted, found) in [("1815", 1816), (1, "one"), ("1", "01"), (1, true), ("true", true)]
            as [(JSONValue, JSONValue)]
        {
            #expect(try Self.remark(wanted, found) == nil)
        }
        #expect(
            try ScriptRun.failure(of: #"expect(1815, "1815")"#)
                == "expected \"1815\", got 1815 (a number, and a text is expected; \(advice))")
    }

    private static let orders: [JSONValue] = [
        ["title": "Order 1915", "note": "a"], "none", ["title": "Order 1815", "note": "b"],
    ]

    private static func has(_ value: JSONValue) -> JSONValue { ["@match": "has", "value": value] }

    @Test(
        "which table of a list comes closest to one that it was to have",
        arguments: [
            (["title": "Order 1816"], "nearest: element 3 with title \"Order 1815\""),
            (["title": "Order 1816", "note": "a"], "nearest: element 1 with title \"Order 1915\""),
            (["note": ["@match": "absent"]], "nearest: element 1 with note \"a\""),
            // The suggestion says what is wrong with all of them.
            (["titel": "Order 1815"], nil),
            (["price": 5], "nearest: element 1 with no price"),
        ] as [(JSONValue, String?)])
    func nearestElement(asked: JSONValue, remark: String?) throws {
        #expect(try Self.remark(Self.has(asked), .array(Self.orders)) == remark)
        #expect(try Self.remark(Self.has(asked), []) == nil)
    }

    @Test("the table that comes closest shows nothing that is hidden")
    func hiddenElement() throws {
        let (asked, shown) = (Self.has(["title": "Order 1816"]), [["title": "***", "note": "a"]] as JSONValue)
        #expect(
            try Self.remark(asked, [["title": "Order 1815", "note": "a"]], shown: shown)
                == "nearest: element 1 with title \"***\"")
    }

    @Test(
        "which elements are too many or missing, where all others are as asked",
        arguments: [
            ([["a": 1]], [["a": 1], ["a": 2]], "2 elements, not 1; element 2 is too many"),
            ([["a": 2]], [["a": 1], ["a": 2], ["a": 3]], "3 elements, not 1; elements 1, 3 are too many"),
            ([1, 2, 3], [1, 3], "2 elements, not 3; the expected element 2 is missing"),
            ([["a": 5]], [["a": 1], ["a": 2]], "2 elements, not 1"), ([2, 1, 0], [1, 2], "2 elements, not 3"),
            ([1, 2], [], "0 elements, not 2"),
        ] as [(JSONValue, JSONValue, String)])
    func count(asked: JSONValue, found: JSONValue, remark: String) throws {
        #expect(try Self.remark(asked, found) == remark)
        #expect(try Self.remark(["@match": "equals", "value": asked], found) == remark)
    }

    @Test("a list that has all elements in another order is one mismatch, which says where they are")
    func order() throws {
        let (asked, found): (JSONValue, JSONValue) = ([["a": 1], ["a": 2], ["a": 3]], [["a": 3], ["a": 1], ["a": 2]])
        for matcher: JSONValue in [asked, ["@match": "equals", "value": asked]] {
            #expect(try Self.remark(matcher, found) == "what was expected, but in another order: at 2, 3, 1")
            #expect(try MatcherProbe.matcher(matcher).mismatches(found).map(\.path) == [[]])
            #expect(try MatcherProbe.lines(matcher, asked) == [])
            // What is not there is told by its place.
            #expect(try MatcherProbe.matcher(matcher).mismatches([["a": 1], ["a": 3], ["a": 4]]).count == 2)
        }
    }

    /// A list of lists, so many levels deep, whose innermost ones have these elements.
    private static func nest(_ innermost: JSONValue, levels: Int) -> JSONValue {
        (1..<levels).reduce(innermost) { inner, _ in [inner, inner] }
    }

    // Compared each with each on every level, these lists would take 3^15 comparisons, which is some minutes.
    @Test("the order of lists in lists is looked for once a list, not once a comparison", .timeLimit(.minutes(1)))
    func nestedOrder() throws {
        let levels = 15
        let (asked, found) = (Self.nest([1, 2], levels: levels), Self.nest([2, 1], levels: levels))
        let matcher = try MatcherProbe.matcher(asked)
        #expect(!matcher.fits(found))
        #expect(!(try MatcherProbe.matcher(["@match": "one_of", "value": [asked]]).fits(found)))
        let shallow = 7
        let mismatches = try MatcherProbe.matcher(Self.nest([1, 2], levels: shallow))
            .mismatches(Self.nest([2, 1], levels: shallow))
        #expect(mismatches.count == 1 << (shallow - 1))
        #expect(mismatches.last?.path == Array(repeating: "2", count: shallow - 1))
        #expect(mismatches.last?.remark(on: nil) == "what was expected, but in another order: at 2, 1")
    }

    @Test("a search for what does not match stops, and says so", arguments: [false, true])
    func boundedSearch(isEqual: Bool) throws {
        func explain(levels: Int) throws -> (mismatches: [Mismatch], remarks: [String]) {
            let asked = Self.nest([1, 2], levels: levels)
            let matcher = try MatcherProbe.matcher(isEqual ? ["@match": "equals", "value": asked] : asked)
            let search = MismatchSearch()
            let mismatches = matcher.mismatches(Self.nest([2, 1], levels: levels), for: .explanation(search))
            return (mismatches, search.remarks(on: mismatches))
        }
        #expect(try explain(levels: 6).remarks == [])
        let (mismatches, remarks) = try explain(levels: 16)
        #expect(MismatchSearch.mostMismatches..<2 * MismatchSearch.mostMismatches ~= mismatches.count)
        #expect(mismatches.first?.remark(on: nil) == "what was expected, but in another order: at 2, 1")
        #expect(
            remarks == [
                "the search stopped after 100 differences: there may be more",
                "the search for other orders of lists stopped at 100000 values for a list, and 1000000 for all",
            ])
    }

    @Test("a long list in another order is told, also where its elements differ in more than is looked for")
    func orderOfLargeElements() throws {
        func element(_ number: Int64) -> JSONValue {
            .object(JSONObject((0..<150).map { ("m\($0)", .integer(number * 1_000 + $0)) }))
        }
        let mismatches = try MatcherProbe.matcher([element(1), element(2), element(3)])
            .mismatches([element(2), element(3), element(1)])
        #expect(mismatches.map { $0.remark(on: nil) } == ["what was expected, but in another order: at 3, 1, 2"])
    }

    @Test("a function of the script is called on no other element than the one it was asked about")
    func functions() throws {
        var values: [JSONValue] = []
        let function = Matcher.custom(description: "dear") { value in
            values.append(value)
            return value["price"]?.integer == 5
        }
        for asked in [function, .allOf([.not(function), .anything]), .members([.init(name: "a", matcher: function)])] {
            values = []
            let matcher = Matcher.elements([asked, .equal("Sum"), .equal("Total")])
            let elements: [JSONValue] = [["price": 5, "a": 1], "Total", "Sum"]
            _ = matcher.mismatches(.array(elements)).map { $0.remark(on: nil) }
            _ = matcher.mismatches(["Sum", "Total"]).map { $0.remark(on: nil) }
            #expect(values.allSatisfy { $0 == elements[0] || $0 == 1 }, "\(values)")
            #expect(!values.isEmpty)
        }
        // The others may still be told as in another order.
        let remark = Matcher.elements([function, .equal("a"), .equal("b")]).mismatches([["price": 5], "b", "a"])
            .first?.remark(on: nil)
        #expect(remark == "what was expected, but in another order: at 1, 3, 2")
    }

    @Test("an event that comes before the one that is expected ends no scenario by a function of a matcher")
    func functionsOfAScenario() throws {
        let run = try ScriptRun(
            """
            local S = system { name = "shop", events = { message = { items = "list" } } }
            function S.server.started() end
            function S.commands.buy(me)
                me:emit("message", { items = { { price = 1 }, "Total" } })
                me:emit("message", { items = { { price = 5 }, "Sum" } })
            end
            scenario("buys", { allow = { "message" } }, function(t)
                local guest = t:actor(S)
                guest:buy()
                guest:expect("message", { items = { match.where(function(v) return v.price > 3 end), "Sum" } })
            end)
            """)
        #expect(run.messages == [])
    }
}
