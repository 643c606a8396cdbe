import RunRecord
import Testing
import Transport

@testable import Scenario

@Suite("What is kept of what comes")
struct KeptArrivalsTests {
    /// Plays what a parrot says.
    ///
    /// - Returns: How it ended, and what the parrot's log held just before its execution let go of it.
    private static func play(
        _ body: String, _ project: ProjectConfiguration = ProjectConfiguration()
    ) throws -> (end: ScenarioEnd, kept: Int, judged: Int) {
        let settings = MiniRun.settings(project)
        let suite = MiniRun.suite(
            """
            local parrot = require "parrot"
            scenario("parrot", function(t)
                local bird = t:actor(parrot)
                \(body)
            end)
            """, settings)
        try #require(suite.errors.isEmpty, "\(suite.errors.map(\.message))")
        let member = try #require(suite.members.first)
        let worker = Worker()
        let engine = ScriptEngine()
        defer { engine.close() }
        var end: ScenarioEnd?
        let execution = ScenarioExecution(
            member.definition, attempt: member.attempt(1), settings: settings, worker: worker,
            network: MemoryNetwork(scheduler: worker), engine: engine, emit: { _ in }, onEnd: { end = $0 })
        execution.start(member.file)
        // What ends at once lets go of its actors as it is judged.
        _ = worker.runVirtually { !execution.actors.isEmpty || end != nil }
        let bird = try #require(execution.actors.first)
        _ = worker.runVirtually { execution.isJudged }
        let judged = bird.log.count
        _ = worker.runVirtually { end != nil }
        let kept = bird.log.count
        return try withExtendedLifetime(execution) { (try #require(end), kept, judged) }
    }

    @Test("what comes while the conversation ends is not kept, and what came before counts")
    func tearDown() throws {
        let late = try Self.play("for i = 1, 20 do bird:later('1s', 'late') end")
        #expect(late.end.outcome == .passed)
        #expect(late.judged == 0 && late.kept == 0)
        let early = try Self.play("bird:later('20ms', 'early') bird:later('1s', 'late')")
        #expect(early.end.outcome == .failed)
        #expect(early.judged == 1 && early.kept == 1)
    }

    @Test("what comes after more is held than may be is not kept")
    func excess() throws {
        var project = ProjectConfiguration()
        project.heldMemoryLimit = 3 << 20
        // What is recorded of the commands takes two of the three megabytes.
        let run = try Self.play(
            """
            for i = 1, 40 do bird:later('2s', ('x'):rep(50000)) wait '1ms' end
            bird:expect("message", { text = "never" }, { within = "5s" })
            """, project)
        #expect(run.end.outcome == .error)
        #expect(run.end.problems.first?.message.contains("made the tool hold more than 3 MB") == true)
        #expect((1..<20).contains(run.judged) && run.kept == run.judged)
    }
}
