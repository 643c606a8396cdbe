import JSON
import Machines
import Testing

@testable import Scenario

@Suite("Reading matchers")
struct MatcherReaderTests {
    @Test(
        "what a constructor cannot use is told with what it takes",
        arguments: [
            (["@match": "contains", "value": 1], "match.contains takes a string, not 1"),
            (["@match": "contains"], "match.contains takes a string, not nil"),
            (["@match": "glob", "value": []], "match.glob takes a string, not []"),
            (["@match": "regex", "value": ["a"]], "match.regex takes a string, not [\"a\"]"),
            (["@match": "one_of", "value": []], "match.one_of takes a list that is not empty, not []"),
            (["@match": "one_of", "value": "a"], "match.one_of takes a list that is not empty, not \"a\""),
            (
                ["@match": "all_of", "value": ["a", ["@match": "any"], "b"]],
                "match.all_of asks for \"a\" and \"b\" at once, and nothing is both; match.one_of takes either, and "
                    + "match.contains a part of a text"
            ),
            (["@match": "all_of"], "match.all_of takes a list that is not empty, not nil"),
            (["@match": "fuzzy", "value": "a", "ratio": 1.01], "match.fuzzy takes a ratio above 0 up to 1, not 1.01"),
            (["@match": "fuzzy", "value": "a", "ratio": -0.5], "match.fuzzy takes a ratio above 0 up to 1, not -0.5"),
            (
                ["@match": "contains", "value": ""],
                "match.contains takes a text that is not empty; match.type \"string\" accepts any text"
            ),
            (["@match": "token_set", "value": "a", "ratio": "1"], "match.token_set takes a number, not \"1\""),
            (
                ["@match": "token_set", "value": "!!!"],
                "match.token_set takes a text with words, for it compares nothing else, not \"!!!\""
            ),
            (
                ["@match": "word_error_rate", "value": ""],
                "match.word_error_rate takes a text with words, for it compares nothing else, not \"\""
            ),
            (
                ["@match": "word_error_rate", "value": "a", "ratio": 2],
                "match.word_error_rate takes a ratio from 0 to below 1, not 2"
            ),
            (
                ["@match": "word_error_rate", "value": "a", "ratio": 1],
                "match.word_error_rate takes a ratio from 0 to below 1, not 1"
            ),
            (
                ["@match": "near", "value": 1, "tolerance": .numeral("1e999")],
                "match.near takes no infinite numbers: every number would be near, or none"
            ),
            (
                ["@match": "near", "value": .double(.infinity), "tolerance": 1],
                "match.near takes no infinite numbers: every number would be near, or none"
            ),
            (
                ["@match": "equals", "value": ["a": [["@match": "any"]]]],
                "match.equals takes a value without matchers, and match.any is one; a plain table can have some"
            ), (["@match": "near", "value": "1"], "match.near takes a number, not \"1\""),
            (["@match": "near", "value": 1, "tolerance": -1], "match.near takes a tolerance from 0 on, not -1.0"),
            (
                ["@match": "count", "value": -1],
                "match.count takes a whole number from 0 on, or a matcher of one, not -1"
            ),
            (["@match": "near", "value": 1, "tolerance": true], "match.near takes a number, not true"),
            (["@match": "between", "value": 1], "match.between takes a number, not nil"),
            (["@match": "between", "value": 2, "high": 1], "match.between takes the smaller number first"),
            (
                ["@match": "type", "value": "int"],
                "match.type takes one of string, number, integer, boolean, list, table, not \"int\""
            ), (["@match": "capture", "value": 1], "match.capture takes a string, not 1"),
            (
                ["@match": "capture", "value": ""],
                "match.capture takes the name by which the script gets the value, such as match.capture \"id\", and no "
                    + "empty one"
            ),
            (
                ["@match": "template", "value": "<a:b>"],
                "match.template \"<a:b>\": there is no type \"b\" for a hole; there are uuid, number, integer, date, "
                    + "money, word, any"
            ), (["@match": "typed", "value": "email"], "match.typed does not exist"),
            (["@match": "sounds_like", "value": "a"], "match.sounds_like does not exist"),
            (
                ["@match": "test", "value": 8],
                "a matcher of another scenario cannot be used here; make it where it is used"
            ),
            (["@match": "test"], "a matcher of another scenario cannot be used here; make it where it is used"),
            (
                ["@match": "buttons", "value": "Yes"],
                "match.buttons takes a list of labels, such as { \"Yes\", \"No\" }, not \"Yes\""
            ),
            (
                ["@match": "card", "value": "Funghi"],
                "match.card takes a table such as { title = \"…\", buttons = { … } }, not \"Funghi\""
            ),
            (
                ["@match": "form", "value": ["email"]],
                "match.form takes a table such as { title = \"…\", fields = { email = { required = true } } }, not "
                    + "[\"email\"]"
            ),
            (
                ["@match": "table", "value": ["header": []]],
                "match.table has no option \"header\"; it has headings, rows and count"
            ),
            (
                ["@match": "card", "value": ["buttons": "Yes"]],
                "the buttons of match.card are a list of labels, such as { \"Yes\", \"No\" }, not \"Yes\""
            ),
            (
                ["@match": "form", "value": ["fields": "email"]],
                "the fields of match.form are a list of names, or a table of them and of what each is to be, not "
                    + "\"email\""
            ),
            (
                ["@match": "form", "value": ["fields": ["email", 5]]],
                "the fields of match.form are a list of names, or a table of them and of what each is to be, not "
                    + "[\"email\",5]"
            ),
            (
                ["@match": "table", "value": ["rows": ["Name": "x"]]],
                "the rows of match.table are a list, such as { { Name = \"…\" } }, not {\"Name\":\"x\"}"
            ),
        ] as [(JSONValue, String)] as [(JSONValue, String)])
    func mistakes(matcher: JSONValue, message: String) {
        #expect(MatcherProbe.mistake(matcher) == message)
        // Wherever it stands.
        #expect(MatcherProbe.mistake(["a": [matcher]]) == message)
        #expect(MatcherProbe.mistake(["@match": "is_not", "value": ["@match": "has", "value": matcher]]) == message)
    }

    @Test(
        "patterns and paths that cannot be read are shown with what is wrong with them",
        arguments: ["(", "a{2,1}", "[z-a]"])
    func patterns(pattern: String) throws {
        let message = try #require(MatcherProbe.mistake(["@match": "regex", "value": .string(pattern)]))
        #expect(message.hasPrefix("match.regex cannot read \"\(pattern)\": "))
        #expect(message.count > "match.regex cannot read \"\(pattern)\": ".count)
        let path = try #require(MatcherProbe.mistake(["@match": "path", "value": "a[", "matcher": 1]))
        #expect(path.hasPrefix("match.path cannot read \"a[\": "))
    }

    @Test("what is wrong with the matcher of a path is told as it is, and not as a fault of the path")
    func inPath() {
        #expect(
            MatcherProbe.mistake(["@match": "path", "value": "$.a", "matcher": ["@match": "nope"]])
                == "match.nope does not exist")
    }

    @Test("a member named @match that is no text is a member like any other")
    func plainMember() throws {
        #expect(try MatcherProbe.lines(["@match": 1], ["@match": 1]) == [])
        #expect(try MatcherProbe.lines(["@match": 1], ["@match": 2]) == ["@match: expected 1, found 2"])
    }

    @Test("ratios have their defaults: 80 % alike, 20 % of the words changed")
    func defaults() throws {
        for (name, value, taken, refused) in [
            ("fuzzy", "abcde", "abcdX", "abcXX"), ("token_set", "a b c d", "a b c x d", "a b"),
            ("word_error_rate", "a b c d e", "a b c d x", "a b c x y"),
        ] {
            let matcher: JSONValue = ["@match": .string(name), "value": .string(value)]
            #expect(try MatcherProbe.lines(matcher, .string(taken)) == [], "\(name)")
            #expect(try MatcherProbe.lines(matcher, .string(refused)).count == 1, "\(name)")
        }
    }
}
