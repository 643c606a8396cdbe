import JSON
import Machines
import RunRecord
import Secrets
import Testing

@testable import Scenario

@Suite("Mismatches")
struct MismatchTests {
    @Test("a place is told from the outside in")
    func path() {
        let mismatch = Mismatch(path: ["c"], expected: "1", found: 2).below("b").below("a")
        #expect(mismatch.path == ["a", "b", "c"])
    }

    @Test("the text that was asked for is known where it was asked for as it stands, and nowhere else")
    func wantedText() throws {
        func wanted(_ matcher: JSONValue) throws -> String? {
            try MatcherProbe.matcher(matcher).mismatches("other").first?.wantedText
        }
        #expect(try wanted("a \"b\"\n") == "a \"b\"\n")
        #expect(try wanted(5) == nil)
        #expect(try wanted(["@match": "contains", "value": "a"]) == nil)
        #expect(try wanted(["a": 1]) == nil)
    }

    @Test("what was found may be written in a form of one's own, and is nothing where nothing was")
    func found() {
        #expect(Mismatch(path: [], expected: "1", found: "secret").found { _ in "***" } == "***")
        #expect(Mismatch(path: [], expected: "1", found: nil).found { _ in "***" } == "nothing")
    }

    @Test(
        "a name is suggested for one that is nowhere, but not for one of two letters, nor one that is asked for itself",
        arguments: [
            (["nmae": "x"], ["name": "x"], "name"), (["nm": 1], ["name": 1], nil),
            (["nme": 1, "name": 1], ["name": 1], nil),
            (["text": 1], ["name": 1], nil), (["colour": 1], ["color": 1, "colors": 1], "color"),
        ] as [(JSONValue, JSONValue, String?)] as [(JSONValue, JSONValue, String?)])
    func suggestions(matcher: JSONValue, value: JSONValue, meant: String?) throws {
        let mismatch = try #require(try MatcherProbe.matcher(matcher).mismatches(value).first)
        #expect(mismatch.found { _ in "" } == "nothing" + (meant.map { "; did you mean \"\($0)\"?" } ?? ""))
    }

    @Test("secrets are hidden in a difference, also where a value is cut")
    func secrets() {
        let vault = SecretVault()
        vault.add("swordfish")
        let list: JSONValue = [.string(String(repeating: "x", count: 70) + "swordfish"), "it is swordfish"]
        for found in [list, "it is swordfish"] {
            let difference = Mismatch(path: ["a"], expected: "\"swordfish\"", found: found)
                .difference(without: vault.current)
            #expect(difference.path == "a" && !difference.found.text.contains("sword"))
            #expect(difference.found.text.count <= 80)
        }
    }
}
