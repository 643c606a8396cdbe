import JSON
import Machines
import Testing

@Suite("What members of a peer's object must be")
struct MemberRuleTests {
    /// What is wrong with an object; nil if nothing is.
    private static func problem(in object: JSONObject, _ rules: MemberRule...) -> Misreading? {
        do throws(Misreading) { try MemberRule.check(object, rules) } catch { return error }
        return nil
    }

    @Test("a member that must be there is missed, be it null or absent, and one that may be there is not")
    func presence() {
        for object: JSONObject in [[:], ["id": .null]] {
            #expect(Self.problem(in: object, .needs("id", .text)) == Misreading("it has no id"))
            #expect(Self.problem(in: object, .may("id", .text)) == nil)
        }
        #expect(Self.problem(in: ["id": ""], .needs("id", .text)) == nil)
    }

    @Test(
        "a value is of its kind, or is told with what it should be",
        arguments: [
            (.text, ["", "a"], 5, "5, not a text"), (.number, [1, 1.5], "1", "\"1\", not a number"),
            (.integer, [1, -1], 1.5, "1.5, not a whole number"), (.truth, [true, false], 1, "1, not true or false"),
            (.object, [[:]], [], "[], not an object"), (.list, [[], [5]], [:], "{}, not a list"),
            (.objects, [[], [[:]]], [[:], 5], "[{},5], not a list of objects"),
        ] as [(MemberRule.Kind, [JSONValue], JSONValue, String)])
    func kinds(kind: MemberRule.Kind, good: [JSONValue], bad: JSONValue, words: String) {
        for value in good { #expect(Self.problem(in: ["a": value], .may("a", kind)) == nil, "\(value)") }
        #expect(Self.problem(in: ["a": bad], .may("a", kind))?.text == "its a is \(words)")
    }

    @Test("the first member that is wrong is told, and members without a rule may be anything")
    func order() {
        let object: JSONObject = ["b": 1, "a": 1, "future": [1]]
        #expect(Self.problem(in: object, .may("a", .text), .may("b", .text))?.text == "its a is 1, not a text")
        #expect(Self.problem(in: object, .may("a", .integer), .needs("b", .integer)) == nil)
    }

    @Test("a kind of a system may take an empty text for none, and may keep quiet about a value")
    func ownKinds() {
        let lenient = MemberRule.Kind("a digit", takesEmptyForNone: true) { ("0"..."9").contains($0.string ?? "") }
        #expect(Self.problem(in: ["a": ""], .may("a", lenient)) == nil)
        #expect(Self.problem(in: ["a": ""], .needs("a", lenient))?.text == "it has no a")
        #expect(Self.problem(in: ["a": "x"], .may("a", lenient))?.text == "its a is \"x\", not a digit")
        let secret = MemberRule.Kind("a token", isShown: false) { $0.string == "good" }
        #expect(Self.problem(in: ["a": "hush"], .needs("a", secret))?.text == "its a is not a token")
    }

    @Test("of a long value the beginning is told")
    func longValue() throws {
        let long = JSONValue.string(String(repeating: "a", count: 100_000))
        let text = try #require(Self.problem(in: ["a": long], .needs("a", .integer))?.text)
        #expect(text.count < 600 && text.hasSuffix("…, not a whole number"))
        let whose = #expect(throws: Misreading.self) { try MemberRule.check(["a": long], "a", is: "b") }
        #expect((whose?.text.count ?? 0) < 600)
    }

    @Test("an id of somebody else is foreign; letters in another case, and what says nothing, are not")
    func whose() {
        #expect(throws: Misreading("its room is \"Hall\", where this is \"lobby\"", isForeign: true)) {
            try MemberRule.check(["room": "Hall"], "room", is: "lobby")
        }
        for object: JSONObject in [[:], ["room": .null], ["room": "LOBBY"], ["room": 5]] {
            #expect(throws: Never.self) { try MemberRule.check(object, "room", is: "lobby") }
        }
    }
}
