import JSON
import Machines
import Testing

@Suite("Members that a table has and its declaration has not")
struct NestedMemberCheckTests {
    private static func member(_ name: String, _ type: ScriptType) -> ParameterDeclaration {
        ParameterDeclaration(name, type, optional: true, "")
    }

    private static let person: [ParameterDeclaration] = [
        Self.member("name", .string), Self.member("places", .list(.record([Self.member("street", .string)]))),
        Self.member("pets", .map(.record([Self.member("kind", .string)]))),
        Self.member("contact", .either([.string, .record([Self.member("mail", .string)])])),
        Self.member("friend", .json), Self.member("friends", .list(.json)), Self.member("notes", .json),
    ]

    /// Friends are people again; notes are anything.
    private static let check = NestedMemberCheck { name, _ in name.hasPrefix("friend") ? Self.person : nil }

    @Test(
        "each is found at any depth, with who has it and what was meant",
        arguments: [
            (["nmae": "Ada"], "Ada has no member \"nmae\"; did you mean \"name\"?"),
            (
                ["places": [["street": "A"], ["stret": "B"]]],
                "Ada.places[2] has no member \"stret\"; did you mean \"street\"?"
            ),
            (["pets": ["Rex": ["kidn": "dog"]]], "Ada.pets.Rex has no member \"kidn\"; did you mean \"kind\"?"),
            (["contact": ["mial": "a@b"]], "Ada.contact has no member \"mial\"; did you mean \"mail\"?"),
            (["friend": ["friend": ["nam": "B"]]], "Ada.friend.friend has no member \"nam\"; did you mean \"name\"?"),
            (["friends": ["B", ["nam": "C"]]], "Ada.friends[2] has no member \"nam\"; did you mean \"name\"?"),
        ] as [(JSONObject, String)])
    func found(table: JSONObject, text: String) {
        #expect(Self.check.problem(in: table, Self.person, of: "Ada") == text)
    }

    @Test(
        "nothing is found where all are declared, in what may be anything, or in values of another type",
        arguments: [
            [:], ["name": 1, "places": "nowhere", "pets": [], "contact": "a@b"], ["contact": 7],
            ["notes": ["nmae": ["x": 1]]], ["friends": ["B", 1, .null]], ["places": [[:], 7]],
        ] as [JSONObject])
    func silent(table: JSONObject) {
        #expect(Self.check.problem(in: table, Self.person, of: "Ada") == nil)
    }

    @Test("an alternative is told by the kind of the value, and the empty table of Lua is of both kinds")
    func kinds() {
        let alternatives: [ScriptType] = [.string, .integer, .boolean, .list(.string), .record([])]
        func first(_ value: JSONValue) -> ScriptType? { ScriptType.first(of: alternatives, taking: value) }
        #expect(first("a") == .string)
        #expect(first(1) == .integer)
        #expect(first(1.5) == nil)
        #expect(first(true) == .boolean)
        #expect(first(["a"]) == .list(.string))
        #expect(first(["a": 1]) == .record([]))
        #expect(first([:]) == .list(.string))
        #expect(ScriptType.record([]).takesKind(of: []))
        #expect(first(.null) == nil)
    }
}
