import RunRecord
import Testing

@testable import Scenario

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
