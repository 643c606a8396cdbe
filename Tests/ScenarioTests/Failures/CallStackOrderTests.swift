import RunRecord
import Testing

@testable import Scenario

@Suite("The calls in progress, told from the scenario on")
struct CallStackOrderTests {
    private static func call(_ file: String, _ line: Int, _ function: String? = nil) -> ScriptCallStack.Call {
        ScriptCallStack.Call(position: ScriptPosition(file: file, line: line), function: function)
    }

    private static let calls = [
        call("lib.lua", 3, "send"), call("a.lua", 7, "greet"), call("lib.lua", 9), call("a.lua", 20),
    ]

    @Test("the innermost line of the scenario's own file comes first, what it called beneath, and who called it after")
    func own() {
        let stack = ScriptCallStack(Self.calls, position: nil, file: "a.lua")
        #expect(stack.position == ScriptPosition(file: "a.lua", line: 7))
        #expect(stack.inner == [Self.calls[0]] && stack.callers == [Self.calls[2], Self.calls[3]])
    }

    @Test("a place that is known otherwise is the place, and only its callers are told")
    func known() {
        let stack = ScriptCallStack(Self.calls, position: ScriptPosition(file: "a.lua", line: 20), file: "a.lua")
        #expect(stack.position?.line == 20 && stack.inner == [] && stack.callers == [])
        let elsewhere = ScriptCallStack(Self.calls, position: ScriptPosition(file: "a.lua", line: 5), file: "a.lua")
        #expect(elsewhere.position?.line == 5 && elsewhere.callers == Self.calls)
    }

    @Test("without a line of the scenario's file the innermost of all is the place")
    func foreign() {
        let stack = ScriptCallStack([Self.calls[0], Self.calls[2]], position: nil, file: "b.lua")
        #expect(stack.position == Self.calls[0].position && stack.inner == [])
        let known = ScriptCallStack([Self.calls[0]], position: Self.calls[0].position, file: "b.lua")
        #expect(known.position == Self.calls[0].position && known.callers == [])
        #expect(ScriptCallStack([], position: nil, file: "b.lua").position == nil)
    }

    @Test("a call reads with its function where Lua knows it")
    func description() {
        #expect(Self.calls[0].description == "lib.lua:3: in send" && Self.calls[3].description == "a.lua:20")
    }

    @Test("a handler that went wrong tells where the scenario waited meanwhile")
    func handler() {
        var failure = ScenarioFailure(category: .error, kind: .script, message: "it broke")
        let wait = [Self.call("a.lua", 30, "talk"), Self.call("a.lua", 40)]
        #expect(failure.raisedByHandler(whileAt: wait).calls == wait)
        failure.calls = [Self.call("lib.lua", 3), Self.call("lib.lua", 9, "on_open")]
        #expect(failure.raisedByHandler(whileAt: []).calls == failure.calls)
        #expect(
            failure.raisedByHandler(whileAt: wait).calls.map(\.description) == [
                "lib.lua:3", "lib.lua:9: in on_open, a handler that ran while the scenario waited",
                "a.lua:30: in talk, which waited", "a.lua:40",
            ])
    }
}
