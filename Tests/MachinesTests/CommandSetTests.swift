import JSON
import Machines
import Testing

@Suite("Commands that are declared once")
struct CommandSetTests {
    private enum Action: Hashable, Sendable {
        case say(String, after: Int64?)
        case show(JSONValue)
        case fill(JSONObject)
        case leave
    }

    private static let commands = CommandSet<Action>([
        CommandDeclaration(
            "say", Parameter.string("text", "The text."), Parameter.integer("after", "Seconds.").optional,
            returns: .integer, summary: "Says something.", as: { .say($0, after: $1) }),
        CommandDeclaration("show", Parameter.json("value", "Any."), summary: "Shows it.", as: { .show($0) }),
        CommandDeclaration(
            "fill", Parameter.record("form", [ParameterDeclaration("name", .string, "A name.")], "The form."),
            summary: "Fills it in.", as: { .fill($0) }),
        CommandDeclaration("leave", isFault: true, summary: "Leaves.", as: { .leave }),
    ])

    private func refusal(_ name: String, _ arguments: JSONObject = [:]) -> String? {
        #expect(throws: CommandError.self) { try Self.commands.decode(Command(name, arguments)) }?.message
    }

    @Test("scripts, editors and the reference see the methods as they are declared")
    func methods() {
        let methods = Self.commands.methods
        #expect(methods.map(\.name) == ["say", "show", "fill", "leave"])
        #expect(methods[0].parameters.map(\.name) == ["text", "after"])
        #expect(methods[0].parameters.map(\.isOptional) == [false, true])
        #expect(methods[0].result == .integer)
        #expect(methods[3].isFault)
    }

    @Test("a parameter that may be left out keeps all else that is declared of it")
    func optional() {
        let secret = ParameterDeclaration("key", .string, isSecret: true, returning: .integer, "A key.")
        let bounded = ParameterDeclaration("count", .integer, in: 1...3, atLeast: .seconds(1), "A count.")
        for declaration in [secret, bounded] {
            let optional = declaration.optional
            #expect(optional.isOptional && !declaration.isOptional)
            #expect(optional.isSecret == declaration.isSecret && optional.result == declaration.result)
            #expect(optional.range == declaration.range && optional.least == declaration.least)
            #expect(optional.name == declaration.name && optional.type == declaration.type)
            #expect(optional.summary == declaration.summary)
        }
        let given = Parameter.integer("count", in: 1...3, "A count.")
        #expect(given.optional.declaration == given.declaration.optional)
    }

    @Test("a command becomes the case of the machine's own enumeration, its arguments in order")
    func actions() throws {
        #expect(try Self.commands.decode(Command("say", ["text": "a", "after": 2])) == .say("a", after: 2))
        #expect(try Self.commands.decode(Command("say", ["text": "a"])) == .say("a", after: nil))
        #expect(try Self.commands.decode(Command("say", ["text": "a", "after": .null])) == .say("a", after: nil))
        #expect(try Self.commands.decode(Command("show")) == .show(.null))
        #expect(try Self.commands.decode(Command("fill", ["form": []])) == .fill([:]))
        #expect(try Self.commands.decode(Command("leave", ["text": "ignored"])) == .leave)
    }

    @Test("a command whose argument goes out as JSON takes the text of it as well, also as part of a larger set")
    func jsonText() throws {
        let show = CommandDeclaration<Action>(
            "show", encoding: Parameter.json("value", "Any."), summary: "Shows it.", as: { .show($0) },
            asText: { .say($0, after: nil) })
        let set = CommandSet([show])
        #expect(set.methods[0].takesJSONText && !Self.commands.methods[1].takesJSONText)
        #expect(set.methods[0].parameters == Self.commands.methods[1].parameters)
        #expect(try set.decode(Command("show", ["value": [1]])) == .show([1]))
        #expect(try set.decode(Command("show", jsonText: "[1]")) == .say("[1]", after: nil))
        let larger = CommandSet([show.mapped { Optional($0) }])
        #expect(try larger.decode(Command("show", jsonText: "[1]")) == .say("[1]", after: nil))
    }

    @Test("an unknown command and arguments of another type are refused, and the refusal names them")
    func refusals() {
        #expect(self.refusal("sya") == "there is no method \"sya\" here; did you mean \"say\"?")
        #expect(
            self.refusal("whistle") == "there is no method \"whistle\" here; there are fill, leave, say, show")
        #expect(self.refusal("say") == "say needs the argument \"text\" as it is declared")
        #expect(self.refusal("say", ["text": 3])?.hasSuffix("as it is declared, not 3") == true)
        #expect(self.refusal("say", ["text": "a", "after": "b"])?.contains("\"after\"") == true)
        #expect(self.refusal("fill", ["form": [1]])?.contains("\"form\"") == true)
    }
}
