import Machines
import RunRecord
import Synchronization
import Testing
import Transport

@testable import Scenario

/// Plays texts of scripts in virtual time, in this process and without files.
enum MiniRun {
    /// Settings with the parrot (``ParrotClient``) at a target of its own, so that no simulated server is needed.
    static func settings(
        systems: [ChatSystem] = [ParrotClient.system], _ project: ProjectConfiguration = ProjectConfiguration(),
        seed: UInt64 = 1, forbidsEmpty: Bool = false
    ) -> ExecutionSettings {
        ExecutionSettings(
            systems: systems, projectRoot: "/", workingDirectory: "/", project: project,
            destination: .named("aviary", ProjectConfiguration.Target(url: "http://aviary.test")), seed: seed,
            capture: .none, forbidsEmpty: forbidsEmpty)
    }

    /// The scenarios of one file.
    static func suite(_ source: String, _ settings: ExecutionSettings = Self.settings()) -> ScenarioSuite {
        ScenarioSuite([ScriptFile(name: "a.lua", source: source)], settings: settings)
    }

    /// What came of one scenario.
    struct Played {
        let end: ScenarioEnd

        /// What the record has of it, each with when it happened.
        let happenings: [(at: Duration, what: RunEvent)]

        /// How long it took on its time line.
        let duration: Duration

        var messages: [String] { self.end.problems.map(\.message) }
        var types: [String] { self.end.problems.map(\.typeName) }

        /// The texts that the script printed.
        var printed: [String] {
            self.happenings.compactMap { if case .logged(_, let text) = $0.what { text } else { nil } }
        }
    }

    /// Plays the first scenario of a text.
    static func play(_ source: String, _ settings: ExecutionSettings = Self.settings()) throws -> Played {
        let suite = Self.suite(source, settings)
        try #require(suite.errors.isEmpty, "\(suite.errors.map(\.message))")
        let member = try #require(suite.members.first)
        let worker = Worker()
        let engine = ScriptEngine()
        defer { engine.close() }
        var end: ScenarioEnd?
        var happenings: [(at: Duration, what: RunEvent)] = []
        let execution = ScenarioExecution(
            member.definition, attempt: member.attempt(1), settings: settings, worker: worker,
            network: MemoryNetwork(scheduler: worker), engine: engine,
            emit: { entry in
                guard case .happened(_, let at, let what) = entry else { return }
                happenings.append((.nanoseconds(at), what))
            }, onEnd: { end = $0 })
        let parts = VirtualTimeParts(settings: settings, interruption: Interruption())
        execution.shared.parts = parts
        // The execution refers to them weakly.
        withExtendedLifetime(parts) {
            execution.start(member.file)
            worker.play(execution, interruption: Interruption()) { end != nil }
        }
        return Played(end: try #require(end), happenings: happenings, duration: worker.now - .start)
    }

    /// Plays a body whose `bird` is a parrot.
    static func parrot(_ body: String, _ settings: ExecutionSettings = Self.settings()) throws -> Played {
        try Self.play(
            """
            local parrot = require "parrot"
            scenario("parrot", function(t)
                local bird = t:actor(parrot)
                \(body)
            end)
            """, settings)
    }

    /// Runs a suite; returns the entries of its record in order, and its end.
    static func run(
        _ suite: ScenarioSuite, _ settings: ExecutionSettings = Self.settings(),
        interruption: Interruption = Interruption(), _ adjust: (inout SuiteRunner) -> Void = { _ in }
    ) async -> (entries: [RunEntry], end: RunEnd) {
        let entries = Mutex<[RunEntry]>([])
        var runner = SuiteRunner(suite, settings: settings)
        adjust(&runner)
        let end = await runner.run(toolVersion: "1", startedAt: nil, interruption: interruption) { new in
            entries.withLock { $0 += new }
        }
        return (entries.withLock { $0 }, end)
    }
}

extension [RunEntry] {
    /// How the scenarios ended, each with its number.
    var ends: [(index: Int, outcome: Outcome)] {
        self.compactMap { if case .scenarioEnded(let end) = $0 { (end.index, end.outcome) } else { nil } }
    }

    /// The titles of the scenarios in the order in which they began.
    var begun: [String] {
        self.compactMap { entry in
            if case .scenarioStarted(let start) = entry { start.titlePath.joined(separator: " › ") } else { nil }
        }
    }
}
