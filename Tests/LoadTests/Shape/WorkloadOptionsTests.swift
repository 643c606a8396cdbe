import JSON
import Testing

@testable import Load

@Suite("What a workload says beside its shape")
struct WorkloadOptionsTests {
    @Test("a workload that says nothing follows texts, deals rows in order, and has an undisturbed network")
    func nothing() throws {
        let options = try WorkloadOptions(in: ["executor": "constant_vus", "users": 3])
        #expect(options == WorkloadOptions())
        #expect(options.thresholds.isEmpty && options.usesLedger && options.rowOrder == .circular)
        #expect(options.network == nil)
    }

    @Test("what it says is read, and empty tables of Lua are what they are to be")
    func all() throws {
        let options = try WorkloadOptions(in: [
            "thresholds": ["p99(delivery) < 1s"], "ledger": false, "row_order": "unique", "rows": [["a": 1]],
            "network": ["latency": "1s"],
        ])
        #expect(options.thresholds == ["p99(delivery) < 1s"])
        #expect(!options.usesLedger && options.rowOrder == .unique)
        #expect(options.network == ["latency": "1s"])
        let empty = try WorkloadOptions(in: ["thresholds": [:], "network": []])
        #expect(empty.thresholds.isEmpty && empty.network == [:])
    }

    @Test(
        "what would ask for nothing is refused",
        arguments: [
            (
                "thresholds", "rate(failures) < 1 %",
                "thresholds: is a text; write a list of texts, such as { \"p99(delivery) < 250ms\" }"
            ),
            (
                "thresholds", 5,
                "thresholds: is a number; write a list of texts, such as { \"p99(delivery) < 250ms\" }"
            ),
            (
                "thresholds", ["count(errors) < 1", ["count(errors) < 2"]],
                "thresholds[2]: is a list; write a text, as in { \"p99(delivery) < 250ms\" }"
            ),
            ("ledger", "no", "ledger: is \"no\"; write false, and texts are left as they are"),
            ("network", "slow", "network: is a text; write a table such as { latency = \"100ms\" }"),
            ("row_order", "unique", "row_order: orders rows, and there are none; give rows, too"),
        ] as [(String, JSONValue, String)])
    func mistakes(name: String, value: JSONValue, message: String) {
        #expect(throws: ShapeError.self) { try WorkloadOptions(in: [name: value]) }
        do throws(ShapeError) { _ = try WorkloadOptions(in: [name: value]) } catch {
            #expect(error.description == "workload." + message)
        }
    }
}
