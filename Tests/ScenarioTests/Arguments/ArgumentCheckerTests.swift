import JSON
import Machines
import Secrets
import Testing

@testable import Scenario

@Suite("Arguments that scripts pass")
struct ArgumentCheckerTests {
    private static let checker = ArgumentChecker(call: CallName(receiver: "visitor", function: "say"))

    private static let parameters = [
        ParameterDeclaration("text", .string, "What is said."),
        ParameterDeclaration("within", .duration, optional: true, "How long."),
    ]

    /// Checks one argument of a type, and returns what comes of it or what is wrong.
    private static func checked(_ value: JSONValue, _ type: ScriptType) -> Result<JSONValue?, UsageError> {
        Result { () throws(UsageError) in
            try Self.checker.arguments([value], [ParameterDeclaration("x", type, "Something.")])["x"]
        }
    }

    private static func message(_ result: Result<JSONValue?, UsageError>) -> String? {
        if case .failure(let mistake) = result { mistake.message } else { nil }
    }

    @Test("arguments get the names of their parameters, and what is nil is left out")
    func names() throws {
        #expect(try Self.checker.arguments(["Hi", "2s"], Self.parameters) == ["text": "Hi", "within": 2.0])
        #expect(try Self.checker.arguments(["Hi", .null], Self.parameters) == ["text": "Hi"])
        #expect(try Self.checker.arguments(["Hi"], Self.parameters) == ["text": "Hi"])
        #expect(try Self.checker.arguments(["Hi", .null, .null], Self.parameters) == ["text": "Hi"])
        #expect(try Self.checker.arguments([.null], []) == [:])
    }

    @Test("one table may name the arguments where the first parameter takes no table")
    func namedArguments() throws {
        let parameters = Self.parameters + [ParameterDeclaration("to", .actor, optional: true, "To whom.")]
        #expect(try Self.checker.named([["text": "Hi", "to": [:]]], parameters) == ["text": "Hi", "to": [:]])
        #expect(
            try Self.checker.named([["text": "Hi", "within": "2s"], .null], parameters) == [
                "text": "Hi", "within": 2.0,
            ])
        #expect(try Self.checker.named(["Hi", "2s"], parameters) == ["text": "Hi", "within": 2.0])
        func message(_ values: [JSONValue], _ parameters: [ParameterDeclaration]) -> String? {
            Self.message(
                Result { () throws(UsageError) in JSONValue.object(try Self.checker.named(values, parameters)) })
        }
        #expect(message([["within": "2s"]], parameters) == "visitor:say needs the argument text: What is said.")
        #expect(message([["text": 1]], parameters) == "visitor:say: text is a string, not 1")
        // What names something else, or stands beside another argument, is the first argument.
        #expect(message([["txet": "Hi"]], parameters)?.hasPrefix("visitor:say: text is a string, not {") == true)
        #expect(message([["text": "Hi"], "2s"], parameters)?.hasPrefix("visitor:say: text is a string, not {") == true)
        let table = [ParameterDeclaration("values", .map(.string), "Values.")]
        #expect(try Self.checker.named([["values": "x"]], table) == ["values": ["values": "x"]])
    }

    @Test(
        "a whole number that has bounds lies within them",
        arguments: [(0, nil), (9, nil), (-1, "from 0 to 9, not -1"), (10, "from 0 to 9, not 10")]
            as [(JSONValue, String?)])
    func range(value: JSONValue, message: String?) {
        let parameters = [ParameterDeclaration("times", .integer, in: 0...9, "How often.")]
        let found = Self.message(
            Result { () throws(UsageError) in try Self.checker.arguments([value], parameters)["times"] })
        #expect(found == message.map { "visitor:say: times is a whole number \($0)" })
    }

    @Test(
        "a duration that has a least is no shorter, however it is written",
        arguments: [("1ms", nil), (2, nil), (0, "not 0s"), ("0.5ms", "not 500us"), (1e-9, "not 0.001us")]
            as [(JSONValue, String?)])
    func least(value: JSONValue, end: String?) {
        let declared = [
            ParameterDeclaration("pause", .duration, optional: true, atLeast: .milliseconds(1), "How long.")
        ]
        let positional = Self.message(
            Result { () throws(UsageError) in try Self.checker.arguments([value], declared)["pause"] })
        let named = Self.message(
            Result { () throws(UsageError) in try Self.checker.record(["pause": value], declared)["pause"] })
        let message = end.map { "visitor:say: pause is a duration of at least 1ms, \($0)" }
        #expect(positional == message && named == message)
    }

    @Test("too many and too few arguments are mistakes that say what the call takes")
    func counts() {
        #expect {
            try Self.checker.arguments(["a", "2s", "b"], Self.parameters)
        } throws: {
            ($0 as? UsageError)?.message == "visitor:say takes at most 2 arguments, not 3"
        }
        #expect {
            try Self.checker.arguments([], Self.parameters)
        } throws: {
            ($0 as? UsageError)?.message == "visitor:say needs text: What is said."
        }
        #expect {
            try Self.checker.arguments(["a"], [])
        } throws: {
            ($0 as? UsageError)?.message == "visitor:say takes no arguments, not 1"
        }
        #expect {
            try Self.checker.arguments(["a", .null, .null, "b", .null], Self.parameters)
        } throws: {
            ($0 as? UsageError)?.message == "visitor:say takes at most 2 arguments, not 4"
        }
    }

    @Test(
        "a value of another type is a mistake that names both",
        arguments: [
            (1, .string, "a string, not 1"), ("", .file, "the path of a file, not \"\""),
            ("a", .number, "a number, not \"a\""), (1.5, .integer, "an integer, not 1.5"),
            (1, .boolean, "true or false, not 1"), ("a", .list(.string), "a list, not \"a\""),
            ([1], .list(.string), "a string, not 1"), ("a", .map(.string), "a table, not \"a\""),
            ("c", .choice(["a", "b"]), "one of \"a\", \"b\", not \"c\""), ("a", .function, "a function, not \"a\""),
            (
                "soon", .duration,
                "a duration such as \"250ms\", \"2s\", \"5m\" or a number of seconds, not \"soon\""
            ),
        ] as [(JSONValue, ScriptType, String)])
    func types(value: JSONValue, type: ScriptType, text: String) {
        #expect(Self.message(Self.checked(value, type)) == "visitor:say: x is \(text)")
    }

    @Test("a function stands where one is declared, and is a forgotten call anywhere else")
    func functions() throws {
        let function = PassedFunction(number: 3).json
        #expect(try Self.checked(function, .function).get() == 3)
        #expect(Self.message(Self.checked(function, .string))?.contains("did you forget the parentheses") == true)
        #expect(Self.message(Self.checked(["a": function], .json))?.contains("did you forget the parentheses") == true)
    }

    @Test("an empty table is a list, for Lua does not tell them apart")
    func emptyList() throws {
        #expect(try Self.checked([:], .list(.string)).get() == [])
    }

    @Test("a misspelt member is a mistake with a suggestion, at any depth")
    func members() {
        let record = ScriptType.record([ParameterDeclaration("timeout", .duration, optional: true, "How long.")])
        #expect(
            Self.message(Self.checked(["timout": 1], record))
                == "visitor:say x has no option \"timout\"; did you mean \"timeout\"?")
        #expect(
            Self.message(Self.checked(["qqqqqq": 1], record))
                == "visitor:say x has no option \"qqqqqq\"; it has timeout")
    }

    @Test("a secret is taken out of a message before a long value is cut")
    func secrets() {
        let vault = SecretVault()
        vault.add("swordfish")
        let checker = ArgumentChecker(call: "env", vault: vault)
        let value = JSONValue.string(String(repeating: "x", count: 54) + "swordfish")
        #expect {
            try checker.arguments([value], [ParameterDeclaration("x", .integer, "A number.")])
        } throws: { error in
            let message = (error as? UsageError)?.message ?? "sword"
            return !message.contains("sword")
        }
    }
}
