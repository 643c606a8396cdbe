import JSON
import Machines
import Testing

@Suite("Members that are of another kind than they are declared")
struct MemberKindCheckTests {
    private static let declared = [
        ParameterDeclaration("name", .string, ""), ParameterDeclaration("age", .integer, optional: true, ""),
        ParameterDeclaration("delay", .duration, optional: true, ""),
        ParameterDeclaration("from", .choice(["bot", "agent"]), optional: true, ""),
        ParameterDeclaration("ends", .boolean, optional: true, ""),
        ParameterDeclaration("agent", .either([.boolean, .map(.json)]), optional: true, ""),
        ParameterDeclaration("list", .list(.json), optional: true, ""),
        ParameterDeclaration("any", .json, optional: true, ""),
    ]

    @Test(
        "each is told with what it has to be",
        arguments: [
            (["name": 5], "it.name is a string, not 5"), (["age": 1.5], "it.age is an integer, not 1.5"),
            (["delay": true], "it.delay is a duration, not true"),
            (["from": "agnet"], "it.from is one of \"bot\", \"agent\", not \"agnet\"; did you mean \"agent\"?"),
            (["from": 1], "it.from is one of \"bot\", \"agent\", not 1"),
            (["ends": "yes"], "it.ends is true or false, not \"yes\""),
            (["agent": "Bob"], "it.agent is true or false or a table, not \"Bob\""),
            (["list": ["a": 1]], "it.list is a list, not {\"a\":1}"),
        ] as [(JSONObject, String)])
    func found(table: JSONObject, message: String) {
        #expect(MemberKindCheck.problem(in: table, Self.declared, of: "it") == message)
    }

    @Test(
        "what is as declared, absent or not declared is no problem",
        arguments: [
            ["name": "Ada", "age": 2, "delay": "2s", "from": "bot", "ends": false, "agent": true, "list": []],
            ["delay": 2, "agent": [:], "list": [:], "any": [1]], ["name": .null, "other": 5], [:],
        ] as [JSONObject])
    func fine(table: JSONObject) {
        #expect(MemberKindCheck.problem(in: table, Self.declared, of: "it") == nil)
    }
}
