import JSON
import LuaRuntime
import RunRecord
import Testing

@testable import Scenario

@Suite("What several scenarios share, as a play sees it")
struct SharedRoleTests {
    @Test("what hooks returned is one table, in which the last of a name wins")
    func values() {
        var role = SharedRole()
        role.take(["a": 1, "b": 2])
        role.take(.null)
        role.take(["b": 3])
        #expect(role.values == ["a": 1, "b": 3])
        #expect(role.isScenario)
    }

    @Test("the play of a shared part knows those that wait for it")
    func chain() {
        let file = ScriptFile(name: "a.lua", source: "")
        let key = SharedPart.Key(file: "a.lua", place: "a.lua:1", name: "fixture a")
        let asking = SharedPart.Key(file: "a.lua", place: "0", name: "hooks")
        let part = SharedPart(
            key: key, kind: .fixture(name: "a"), file: file, declaringFile: "a.lua", titlePath: ["fixture a"], line: 1)
        var role = SharedRole()
        role.become(part, for: [asking])
        #expect(role.chain == [asking, key] && !role.isScenario)
    }

    private static func making(_ count: Int) throws -> SharedMaking { SharedMaking(try Self.functions(count)) { _ in } }

    /// Hooks of a script that has been closed.
    private static func functions(_ count: Int) throws -> FixtureFunctions {
        let engine = ScriptEngine()
        defer { engine.close() }
        let script = try Script(
            ScriptFile(
                name: "a.lua", source: String(repeating: "before_all(function() end)\n", count: count)),
            selecting: nil,
            settings: ExecutionSettings(
                systems: [], projectRoot: "/", workingDirectory: "/", project: ProjectConfiguration(), seed: 1),
            seed: 1, engine: engine)
        defer { script.close() }
        return try #require(script.declarations.functions(of: .hooks(scope: 0, titlePath: ["before_all"])))
    }

    @Test("a fixture may return any value; the tables that hooks return become one, and anything else is refused")
    func making() throws {
        let hook = try Self.functions(1)
        var fixture = SharedMaking(
            FixtureFunctions(before: hook.before, after: [], limit: nil, areHooks: false)
        ) { _ in }
        try fixture.take(.integer(7))
        #expect(fixture.value == 7)
        var hooks = try Self.making(2)
        try hooks.take(.json(["a": 1]))
        try hooks.take(.nil)
        try hooks.take(.json(["b": 2]))
        #expect(throws: HostError.self) { try hooks.take(.integer(7)) }
        #expect(hooks.value == ["a": 1, "b": 2])
    }

    @Test("what a function must not return is a mistake of the script where the part is declared")
    func badValue() throws {
        let definition = ScenarioDefinition(
            file: "a.lua", line: 3, titlePath: ["before_all"], options: ScenarioOptions(), index: 0)
        var hooks = try Self.making(1)
        do throws(ScenarioFailure) {
            try hooks.take(.integer(7), of: definition)
            Issue.record("a number is taken for a table")
        } catch {
            #expect(error.category == .error && error.kind == .script)
            #expect(error.message.hasPrefix("before_all: a hook returns a table"), "\(error.message)")
            #expect(error.position == ScriptPosition(file: "a.lua", line: 3))
        }
    }

    @Test("who waits for a value gets it, or why there is none")
    func given() throws {
        var got: [SharedValue] = []
        var making = SharedMaking(try Self.functions(1)) { got.append($0) }
        try making.take(.json(["a": 1]))
        making.give(unless: nil)
        making.give(unless: .skipped("not today"))
        #expect(try got.first?.result.get() == ["a": 1])
        #expect(throws: ScenarioFailure.self) { try got.last?.result.get() }
        #expect(got.count == 2)
    }
}
