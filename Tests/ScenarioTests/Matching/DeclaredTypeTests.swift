import JSON
import Machines
import RunRecord
import Testing

@testable import Scenario

@Suite("Matchers that no value of a declared type fits")
struct DeclaredTypeTests {
    fileprivate static let person = ScriptType.record([
        ParameterDeclaration("name", .string, ""), ParameterDeclaration("role", .choice(["agent", "bot"]), ""),
        ParameterDeclaration("visits", .list(.integer), ""),
    ])

    private func contradiction(_ value: JSONValue, _ type: ScriptType) throws -> String? {
        try MatcherReader(test: { _ in nil }).matcher(value).contradiction(to: type, at: "x")
    }

    @Test(
        "a value, a text matcher or a number of another kind is one, also negated and within others",
        arguments: [
            ("1", .integer, "x is a number, which is never \"1\""), (1, .string, "x is a text, which is never 1"),
            (true, .string, "x is a text, which is never true"),
            (1.5, .integer, "x is a whole number, which is never 1.5"),
            (
                ["@match": "is_not", "value": ["@match": "between", "value": 1.2, "high": 1.8]], .integer,
                "x is a whole number, which is never from 1.2 to 1.8"
            ),
            (
                ["@match": "near", "value": 1.5, "tolerance": 0.4], .integer,
                "x is a whole number, which is never 1.5 ± 0.4"
            ),
            (["@match": "is_not", "value": "1"], .integer, "x is a number, which is never \"1\""),
            (
                ["@match": "one_of", "value": ["1", ["@match": "contains", "value": "1"]]], .integer,
                "x is a number, which is never \"1\""
            ),
            (
                ["@match": "one_of", "value": ["chat", "bot"]], .choice(["operator", "visitor"]),
                "x is never \"chat\"; it is one of operator, visitor"
            ),
            (
                ["@match": "one_of", "value": ["agent", "opperator", "visitor"]], .choice(["operator", "visitor"]),
                "x is never \"opperator\"; did you mean \"operator\"?"
            ),
            (
                ["@match": "all_of", "value": [1, ["@match": "contains", "value": "1"]]], .integer,
                "x is a number, which is never text that contains \"1\""
            ),
            (["@match": "between", "value": 1, "high": 2], .string, "x is a text, which is never from 1 to 2"),
            (
                ["@match": "capture", "value": "a", "matcher": ["@match": "near", "value": 1]], .boolean,
                "x is true or false, which is never 1 ± 0"
            ),
            ("opperator", .choice(["operator", "visitor"]), "x is never \"opperator\"; did you mean \"operator\"?"),
            ("nobody", .choice(["operator", "visitor"]), "x is never \"nobody\"; it is one of operator, visitor"),
            (["nmae": "Sam"], DeclaredTypeTests.person, "x has no member \"nmae\"; did you mean \"name\"?"),
            (["role": "agnet"], DeclaredTypeTests.person, "x.role is never \"agnet\"; did you mean \"agent\"?"),
            (["visits": [1, "2"]], DeclaredTypeTests.person, "x.visits[2] is a number, which is never \"2\""),
            (["@match": "has", "value": "2"], .list(.integer), "x[] is a number, which is never \"2\""),
            (["a": 1], .map(.string), "x.a is a text, which is never 1"),
            (
                [:], .map(.json),
                "x = {} asks nothing of the table; match.equals {} asks for an empty one, match.absent for none, and "
                    + "match.type \"table\" for any"
            ),
            (1, .either([.string, .boolean]), "x is a text, which is never 1"),
            (
                ["@match": "personal_data", "value": ["iban"]], .integer,
                "x is a number, which is never text with an IBAN"
            ),
        ] as [(JSONValue, ScriptType, String)])
    func contradictions(matcher: JSONValue, type: ScriptType, message: String) throws {
        #expect(try self.contradiction(matcher, type) == message)
    }

    @Test(
        "a part of a message is refused of an event of a system in Lua that has no field for one",
        arguments: [
            ("t:never(\"message\", match.button \"Buy\")", true),
            ("t:never(\"message\", match.one_of { match.card {}, match.button \"Buy\" })", true),
            ("t:always(\"message\", match.is_not(match.card {}))", true),
            ("ada:expect_silence(\"1s\", \"message\", match.form {})", true),
            ("ada:expect(\"message\", match.table {})", true),
            ("t:never(\"message\", { raw = match.button \"Buy\" })", false),
            ("t:never(\"rich\", match.button \"Buy\")", false), ("t:never(\"loose\", match.button \"Buy\")", false),
        ])
    func homelessPart(rule: String, isRefused: Bool) throws {
        let end = try ScriptRun(
            """
            local S = system { name = "probe", client = "ada", events = {
                message = { text = "string", count = "integer?" }, rich = { actions = "list" }, loose = { json = "any?" },
            } }
            function S.commands.talk(me)
                me:emit("message", { text = "hi" })
                me:emit("rich", { actions = { "Sell" } })
                me:emit("loose", {})
            end
            function S.server.request() return 204 end
            scenario("s", { allow = { "message", "rich", "loose" } }, function(t)
                local ada = t:actor(S)
                ada:talk()
                \(rule)
            end)
            """
        ).end
        #expect(end.outcome == (isRefused ? .error : .passed), "\(end.problems)")
        guard isRefused else { return }
        let message = end.problems.first?.message
        #expect(message?.contains("message of ada has no field that is a table, so ") == true, "\(end.problems)")
    }

    @Test(
        "what may be is none",
        arguments: [
            ("1", .string), (1, .integer), (1.0, .integer), (1.5, .number),
            (["@match": "between", "value": 1.2, "high": 2] as JSONValue, .integer),
            (["@match": "near", "value": 1.5, "tolerance": 0.5] as JSONValue, .integer),
            (["@match": "between", "value": 1.2, "high": 1.8] as JSONValue, .number),
            (1, .number), (true, .boolean), ("1", .json), (1, .json),
            (.null, .string), (["@match": "absent"], .integer), (["@match": "any"], .integer), ("2s", .duration),
            (2, .duration), ("operator", .choice(["operator"])),
            (["mood": "good"] as JSONValue, DeclaredTypeTests.person),
            ([:] as JSONValue, DeclaredTypeTests.person), ([:] as JSONValue, .list(.json)), ([:] as JSONValue, .json),
            (["@match": "equals", "value": [:]] as JSONValue, .map(.json)),
            (["@match": "type", "value": "table"] as JSONValue, .map(.json)),
            (["visits": []] as JSONValue, DeclaredTypeTests.person),
            (["name": ["@match": "is_not", "value": "Sam"]] as JSONValue, DeclaredTypeTests.person),
            (1, .either([.string, .integer])), (["@match": "regex", "value": "^a"], .choice(["a"])),
            (["@match": "count", "value": 2], .list(.integer)), ("x", .actor),
            (["@match": "one_of", "value": ["agent", "operator"]] as JSONValue, .choice(["operator", "visitor"])),
            (["@match": "one_of", "value": ["canceled", "cancelled"]] as JSONValue, .choice(["canceled", "open"])),
            (["@match": "one_of", "value": [1, "1"]] as JSONValue, .integer),
            (["@match": "personal_data"], .integer),
        ] as [(JSONValue, ScriptType)])
    func possible(matcher: JSONValue, type: ScriptType) throws {
        #expect(try self.contradiction(matcher, type) == nil)
    }
}
