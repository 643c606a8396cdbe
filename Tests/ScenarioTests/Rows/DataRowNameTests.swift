import JSON
import Secrets
import Testing

@testable import Scenario

@Suite("A row of data, by its name")
struct DataRowNameTests {
    @Test(
        "the name comes from what is in it, in the order of the members' names, in one line",
        arguments: [
            (["b": "two", "a": 1], "1, two"), ("plain", "plain"), (7, "7"), (["a": "x\ny\t z"], "x y  z"),
            ([1, 2], "[1,2]"),
            (["a": .null], "null"),
        ] as [(JSONValue, String)])
    func names(value: JSONValue, name: String) {
        #expect(DataRow.name(of: value) == name)
    }

    @Test("long and empty ones are cut and told apart by a hash that stays the same")
    func hashes() {
        let long = String(repeating: "x", count: 61)
        #expect(DataRow.name(of: .string(String(long.dropLast()))) == String(long.dropLast()))
        let name = DataRow.name(of: .string(long))
        #expect(name.hasPrefix(String(repeating: "x", count: 50) + "… #") && name.count == 61)
        #expect(DataRow.name(of: .string(long + "y")) != name && DataRow.name(of: .string(long)) == name)
        #expect(DataRow.name(of: "").hasSuffix("… #811c9dc5"))
        #expect(DataRow.name(of: ["a": "", "b": " "]).contains("… #"))
    }

    @Test("a failure shows its members, without secrets and not too long")
    func lines() {
        let vault = SecretVault()
        vault.add("swordfish")
        let row = DataRow(
            name: "Ada",
            value: ["who": "Ada", "word": "swordfish", "long": .string(String(repeating: "x", count: 200))],
            columns: ["who", "word", "long"], origin: "a.csv:3")
        let lines = row.lines(without: vault.current)
        #expect(lines.prefix(3) == ["Ada  (a.csv:3)", "who = \"Ada\"", "word = \"***\""])
        #expect(lines.last?.hasSuffix("…") == true && lines.allSatisfy { $0.count <= 120 })
        #expect(DataRow(name: "7", value: 7, columns: [], origin: nil).lines(without: vault.current) == ["7"])
    }
}
