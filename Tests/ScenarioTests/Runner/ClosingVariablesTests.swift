import RunRecord
import Testing

@testable import Scenario

@Suite("What goes wrong in the <close> variables of a function that is ended")
struct ClosingVariablesTests {
    private static func closing(_ body: String) -> String {
        "local x <close> = setmetatable({}, { __close = function() \(body) end })"
    }

    @Test(
        "an error and a failure make the scenario fail",
        arguments: [
            ("error \"boom\"", Outcome.error, "boom"), ("expect(1, 2)", .failed, "expected 2, got 1"),
            ("pcall(expect, 1, 2)", .failed, "expected 2, got 1"),
        ])
    func lapses(body: String, outcome: Outcome, message: String) throws {
        let function = "function() \(Self.closing(body)) wait \"100s\" end"
        for end in [
            "local th = spawn(\(function)) wait(1) th:cancel()", "do local th <close> = spawn(\(function)) wait(1) end",
        ] {
            let run = try ScriptRun(body: "\(end)\nexpect(true)")
            #expect(run.end.outcome == outcome && run.messages == [message], "\(end)")
        }
        // One that is left when the body fails is ended, too.
        let left = try ScriptRun(body: "spawn(\(function)) wait(1) error \"first\"")
        #expect(left.messages.contains("first") && left.messages.contains(message))
    }

    @Test("a wish to be skipped hides no error that comes after it")
    func skipped() throws {
        #expect(try ScriptRun(body: "\(Self.closing("error \"boom\"")) t:skip \"no\"").messages == ["boom"])
        #expect(
            try ScriptRun(body: "\(Self.closing("expect(1, 2)")) t:skip \"no\"").messages == ["expected 2, got 1"])
        let good = try ScriptRun(body: "\(Self.closing("expect(1, 1)")) t:skip \"no\"")
        #expect(good.end.outcome == .skipped(reason: "no"))
    }
}
