import JSON
import Machines
import Secrets
import Testing

@testable import Scenario

@Suite("Checking what a script passes")
struct ArgumentTypeTests {
    private static func parameter(_ type: ScriptType, optional: Bool = false) -> ParameterDeclaration {
        ParameterDeclaration("it", type, optional: optional, "What it is.")
    }

    private static func checked(_ value: JSONValue, _ type: ScriptType) throws(UsageError) -> JSONValue? {
        try ArgumentChecker(call: "visitor:say").arguments([value], [Self.parameter(type)])["it"]
    }

    private static func mistake(_ value: JSONValue, _ type: ScriptType) -> String? {
        do throws(UsageError) {
            _ = try Self.checked(value, type)
            return nil
        } catch { return error.message }
    }

    private static let either = ScriptType.either([.string, Self.pair, .integer])

    private static let pair = ScriptType.record([
        ParameterDeclaration("name", .string, "Its name."), ParameterDeclaration("age", .integer, optional: true, ""),
    ])

    @Test(
        "a value of its type is taken, in the form that machines get",
        arguments: [
            (.string, "", ""), (.string, "a", "a"), (.file, "a.png", "a.png"), (.number, 1, 1), (.number, 1.5, 1.5),
            (.integer, 1, 1), (.integer, 2.0, 2), (.integer, -7, -7), (.boolean, false, false),
            (.duration, "250ms", 0.25), (.duration, 2, 2.0), (.duration, "1h", 3600.0), (.duration, 0, 0.0),
            (.choice(["open", "ended"]), "ended", "ended"), (.list(.integer), [1, 2.0], [1, 2]),
            (.list(.string), [], []),
            (.list(.string), [:], []), (.map(.duration), ["a": "1s"], ["a": 1.0]), (.map(.string), [:], [:]),
            (pair, ["name": "Ada"], ["name": "Ada"]),
            (pair, ["name": "Ada", "age": 36.0], ["name": "Ada", "age": 36]),
            (.json, .null, .null), (.json, [1, ["a": .null]], [1, ["a": .null]]),
            (.actor, ["name": "Ada"], ["name": "Ada"]),
            (.list(.list(.integer)), [[1], []], [[1], []]), (either, "a", "a"),
            (either, ["name": "Ada", "age": 36.0], ["name": "Ada", "age": 36]), (.list(either), ["a", 7], ["a", 7]),
        ] as [(ScriptType, JSONValue, JSONValue)])
    func taken(type: ScriptType, value: JSONValue, result: JSONValue) throws {
        #expect(try Self.checked(value, type) == result)
    }

    @Test(
        "a value of another type is refused with what is taken and what was given",
        arguments: [
            (.string, 1, "it is a string, not 1"), (.string, ["a"], "it is a string, not [\"a\"]"),
            (.file, "", "it is the path of a file, not \"\""), (.file, true, "it is the path of a file"),
            (.number, "1", "it is a number, not \"1\""), (.integer, 1.5, "it is an integer, not 1.5"),
            (.integer, "7", "it is an integer"), (.boolean, 1, "it is true or false, not 1"),
            (.boolean, "true", "it is true or false"), (.duration, "soon", "it is a duration such as"),
            (.duration, -1, "it is a duration"), (.duration, "-1s", "it is a duration"),
            (.duration, 1e300, "it is a duration"), (.duration, "99999999999h", "it is a duration"),
            (.choice(["a", "b"]), "c", "it is one of \"a\", \"b\", not \"c\""),
            (.choice(["a"]), 1, "it is one of \"a\", not 1"), (.list(.string), "a", "it is a list, not \"a\""),
            (.list(.string), ["a": 1], "it is a list"), (.list(.string), ["a", 1], "it is a string, not 1"),
            (.map(.string), ["a"], "it is a table"), (.map(.string), ["k": 1], "it.k is a string, not 1"),
            (.map(.map(.integer)), ["a": ["b": "c"]], "it.a.b is an integer"),
            (pair, 1, "it is a table, not 1"), (pair, [:], "it needs the option name: Its name."),
            (pair, ["name": "Ada", "agee": 1], "it has no option \"agee\"; did you mean \"age\"?"),
            (pair, ["name": 1], "it: name is a string, not 1"), (.actor, "Ada", "it is an actor, not \"Ada\""),
            (.function, 1, "it is a function, not 1"),
            (either, true, "it is a string or a table or an integer, not true"),
            (either, ["name": "Ada", "agee": 1], "it has no option \"agee\"; did you mean \"age\"?"),
            (.list(either), ["a", ["nmae": 1]], "it has no option \"nmae\"; did you mean \"name\"?"),
        ] as [(ScriptType, JSONValue, String)])
    func refused(type: ScriptType, value: JSONValue, text: String) throws {
        let mistake = try #require(Self.mistake(value, type))
        #expect(mistake.hasPrefix("visitor:say"), "\(mistake)")
        #expect(mistake.contains(text), "\(mistake)")
    }

    @Test("more arguments than there are parameters are counted", arguments: 0...3)
    func tooMany(count: Int) {
        let parameters = (0..<count).map { ParameterDeclaration("p\($0)", .json, optional: true, "") }
        let expected =
            switch count {
            case 0: "no arguments"
            case 1: "one argument"
            default: "at most \(count) arguments"
            }
        let mistake = #expect(throws: UsageError.self) {
            _ = try ArgumentChecker(call: "f").arguments(Array(repeating: 1, count: count + 1), parameters)
        }
        #expect(mistake?.message == "f takes \(expected), not \(count + 1)")
    }

    @Test("what is missing is needed unless it is optional, and nil is the same as missing")
    func missing() throws {
        let needed = ArgumentChecker(call: "f")
        for values in [[], [.null]] as [[JSONValue]] {
            let mistake = #expect(throws: UsageError.self) {
                _ = try needed.arguments(values, [Self.parameter(.string)])
            }
            #expect(mistake?.message == "f needs it: What it is.")
            #expect(try needed.arguments(values, [Self.parameter(.string, optional: true)]) == [:])
            #expect(try needed.arguments(values, [Self.parameter(.json, optional: true)]) == [:])
        }
        // Any value may be nil where any value is asked for.
        #expect(try needed.arguments([.null], [Self.parameter(.json)]) == ["it": .null])
    }

    @Test("the members of a table that are no options are called what they are")
    func members() {
        let mistake = #expect(throws: UsageError.self) {
            _ = try ArgumentChecker(call: "the row", member: "field").record(["x": 1], [])
        }
        #expect(mistake?.message == "the row has no field \"x\"")
    }

    @Test("a function is taken for a function alone, and never for a number or a table")
    func functions() throws {
        let function = PassedFunction(number: 7).json
        #expect(try Self.checked(function, .function) == 7)
        for type in [.string, .number, .integer, .json, .actor, .map(.json), .duration, .boolean] as [ScriptType] {
            let text = try #require(Self.mistake(function, type))
            #expect(
                text.hasSuffix("takes no function; did you forget the parentheses that call it?"), "\(type): \(text)")
        }
        for hidden in [[function], ["a": function], [["a": [function]]]] as [JSONValue] {
            #expect(try #require(Self.mistake(hidden, .json)).contains("takes no function"))
        }
        #expect(try #require(Self.mistake([function], .list(.string))).contains("takes no function"))
    }

    @Test("a long value is cut in the message, and a secret in it is hidden before that")
    func shortened() throws {
        let vault = SecretVault()
        let secret = String(repeating: "s", count: 80)
        vault.add(secret)
        let checker = ArgumentChecker(call: "f", vault: vault)
        let mistake = try #require(throws: UsageError.self) {
            try checker.arguments([.string(secret)], [Self.parameter(.number)])
        }
        #expect(mistake.message == "f: it is a number, not \"***\"")
        let long = try #require(throws: UsageError.self) {
            try checker.arguments([.string(String(repeating: "x", count: 500))], [Self.parameter(.number)])
        }
        #expect(long.message.count < 120 && long.message.hasSuffix("…"))
    }

    @Test("an option that is declared to be a secret is one from then on")
    func secretOptions() throws {
        let vault = SecretVault()
        let parameters = [ParameterDeclaration("token", .string, isSecret: true, "")]
        _ = try ArgumentChecker(call: "f", vault: vault).record(["token": "swordfish"], parameters)
        #expect(vault.masked("it was swordfish") == "it was ***")
    }

    @Test("values nested deep are refused or taken, and trap nobody")
    func deep() throws {
        var value: JSONValue = "a"
        for _ in 0..<500 { value = [value] }
        #expect(try Self.checked(value, .json) == value)
        #expect(Self.mistake(value, .list(.list(.string)))?.contains("it is a string") == true)
    }
}

@Suite("A function on its way to a parameter")
struct PassedFunctionTests {
    @Test("is read as it was written, whatever its number", arguments: [0, 1, -1, .max, .min] as [Int64])
    func roundTrip(number: Int64) {
        #expect(PassedFunction(PassedFunction(number: number).json) == PassedFunction(number: number))
    }

    @Test(
        "is nothing else that a script could write by chance",
        arguments: [7, "@function", ["@function": "7"], ["@function": 7, "a": 1], ["function": 7], [], [:], .null]
            as [JSONValue])
    func others(value: JSONValue) {
        #expect(PassedFunction(value) == nil)
        #expect(!PassedFunction.stands(in: value))
    }

    @Test("a call reads as the script writes it")
    func callNames() {
        #expect(CallName(receiver: "visitor", function: "say").description == "visitor:say")
        #expect(CallName(function: "scenario").description == "scenario")
    }
}
