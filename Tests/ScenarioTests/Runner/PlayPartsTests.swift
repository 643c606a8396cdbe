import JSON
import LuaRuntime
import Machines
import RunRecord
import Testing

@testable import Scenario

@Suite("What a play counts and notes")
struct ExecutionAccountTests {
    @Test("more than may be held is too much, and what is let go makes room")
    func account() {
        let account = HostAccount(limit: 100)
        #expect(account.add(60, for: .events) == false)
        #expect(account.add(40, for: .commands) == false)
        #expect(account.add(1, for: .events) == true)
        account.remove(1, for: .events)
        #expect(account.add(1, for: .record) == true)
        account.removeAll(for: .commands)
        #expect(account.add(39, for: .threads) == false)
    }

    @Test("why a scenario holds too much names what takes most first, and leaves out what takes little")
    func excess() {
        let account = HostAccount(limit: 10 << 20)
        _ = account.add(3 << 20, for: .events)
        _ = account.add(9 << 20, for: .record)
        _ = account.add(1000, for: .threads)
        #expect(
            account.excess
                == "the scenario made the tool hold more than 10 MB: 9 MB of log lines and other entries of the record, "
                + "3 MB of observed events; limits.held_memory in repartee.lua raises the limit")
    }

    @Test("a script that goes on without end while time stands still is noticed, and one that lets time pass is not")
    func standingTime() {
        var standing = LivelockGuard()
        let exceeded = (0...LivelockGuard.limit).map { _ in standing.isExceeded(at: .start) }
        #expect(exceeded.filter { $0 }.count == 1 && exceeded.last == true)
        #expect(standing.isExceeded(at: .start + .milliseconds(100)) == false)
    }

    @Test("fixtures that wait for each other are told from the one that asks")
    func cycle() {
        var book = FixtureBook()
        #expect(book.cycle(from: "a", to: "a") == ["a", "a"])
        book.states = ["a": .settingUp(waiting: [:]), "b": .settingUp(waiting: [:]), "c": .settingUp(waiting: [:])]
        book.waits = ["b": "c", "c": "a"]
        #expect(book.cycle(from: "a", to: "b") == ["a", "b", "c", "a"])
        #expect(book.cycle(from: "d", to: "b") == nil)
    }
}

@Suite("The verdict on a play")
struct ExecutionVerdictTests {
    private static func definition(_ expectedFailure: String? = nil) -> ScenarioDefinition {
        var options = ScenarioOptions()
        options.expectedFailure = expectedFailure
        return ScenarioDefinition(file: "a.lua", line: 3, titlePath: ["a"], options: options, index: 0)
    }

    private static func problem(_ category: Problem.Category) -> ScenarioFailure {
        ScenarioFailure(category: category, kind: .fail, message: "it went wrong")
    }

    @Test("a play without problems passes, one with a failure fails, one with an error is an error")
    func outcomes() {
        var verdict = ExecutionVerdict()
        #expect(verdict.decide(on: Self.definition()).outcome == .passed)
        verdict.note(Self.problem(.failure))
        #expect(verdict.decide(on: Self.definition()).outcome == .failed)
        verdict.note(Self.problem(.error))
        #expect(verdict.decide(on: Self.definition()).outcome == .error)
        #expect(verdict.problems.count == 2)
    }

    @Test("a wish to skip is no problem, and a problem outweighs it")
    func skipped() {
        var verdict = ExecutionVerdict()
        verdict.note(.skipped("not today"))
        #expect(!verdict.isGood && verdict.problems.isEmpty)
        #expect(verdict.decide(on: Self.definition()).outcome == .skipped(reason: "not today"))
        verdict.note(Self.problem(.failure))
        #expect(verdict.decide(on: Self.definition()).outcome == .failed)
    }

    @Test("a failure that was declared is one, and a pass where one was declared is a problem that no attempt changes")
    func declared() {
        var failing = ExecutionVerdict()
        failing.note(Self.problem(.failure))
        let (outcome, isRetriable) = failing.decide(on: Self.definition("a known defect"))
        #expect(outcome == .expectedFailure(reason: "a known defect") && isRetriable)
        var passing = ExecutionVerdict()
        let passed = passing.decide(on: Self.definition("a known defect"))
        #expect(passed.outcome == .failed && !passed.isRetriable)
        #expect(passing.problems.first?.kind == .unexpectedPass)
    }

    @Test("what fails in a hook alone is not the failure that was declared, and is told so")
    func declaredBesideHook() {
        var verdict = ExecutionVerdict()
        verdict.note(Self.problem(.failure), inHook: true)
        let (outcome, isRetriable) = verdict.decide(on: Self.definition("a known defect"))
        #expect(outcome == .failed && isRetriable)
        #expect(verdict.problems.first?.sections.last?.lines.first == "expected_failure: a known defect")
        for inHook in [[false, true], [true, false]] {
            var both = ExecutionVerdict()
            for inHook in inHook { both.note(Self.problem(.failure), inHook: inHook) }
            #expect(both.decide(on: Self.definition("a known defect")).outcome != .failed)
        }
    }

    @Test("an error is not the failure that was declared")
    func declaredError() {
        var verdict = ExecutionVerdict()
        verdict.note(Self.problem(.error))
        #expect(verdict.decide(on: Self.definition("a known defect")).outcome == .error)
    }

    @Test("a play that was broken off is what it is, whatever was declared, and is not played again")
    func broken() {
        var verdict = ExecutionVerdict()
        verdict.isBroken = true
        verdict.note(Self.problem(.failure))
        let (outcome, isRetriable) = verdict.decide(on: Self.definition("a known defect"))
        #expect(outcome == .failed && !isRetriable)
    }

    @Test("what went wrong first, or else the wish to be skipped, is why others cannot use what it makes")
    func obstacle() {
        var verdict = ExecutionVerdict()
        #expect(verdict.obstacle == nil)
        verdict.note(.skipped("not today"))
        #expect(verdict.obstacle?.message == "not today")
        let problem = Self.problem(.failure)
        #expect(!verdict.has(problem))
        verdict.note(problem)
        #expect(verdict.obstacle?.kind == .fail && verdict.has(problem))
    }

    @Test("what went wrong already is counted with the first, and nothing else is")
    func repetitions() {
        var verdict = ExecutionVerdict()
        let problem = Self.problem(.error)
        var counted = [verdict.countAgain(problem)]
        verdict.note(problem)
        var elsewhere = problem
        elsewhere.position = ScriptPosition(file: "a.lua", line: 4)
        for failure in [problem, problem, elsewhere] { counted.append(verdict.countAgain(failure)) }
        #expect(counted == [false, true, true, false])
        #expect(verdict.problems.map(\.repetitions) == [2])
    }

    @Test("a play that asserted nothing is empty, and fails where that is forbidden")
    func empty() {
        var verdict = ExecutionVerdict()
        #expect(verdict.isEmpty)
        var asserting = verdict
        asserting.countAssertion()
        asserting.refuseEmptiness(of: Self.definition())
        #expect(asserting.isGood)
        verdict.refuseEmptiness(of: Self.definition("a known defect"))
        #expect(verdict.isGood)
        verdict.refuseEmptiness(of: Self.definition())
        #expect(verdict.problems.map(\.kind) == [.empty])
    }
}

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
