import JSON
import Machines
import RunRecord
import Secrets
import Testing
import Transport

@testable import Scenario

/// A scenario of a script, played alone and in virtual time.
struct ScriptRun {
    /// How it ended.
    let end: ScenarioEnd

    /// What happened in it.
    let happenings: [RunEvent]

    /// What has become known as secret when it ended.
    let secrets: SecretMasker

    /// Plays a scenario of a script.
    ///
    /// - Parameter number: Which of its scenarios, counted from zero.
    init(_ source: String, number: Int = 0, settings: ExecutionSettings = Self.settings()) throws {
        let suite = ScenarioSuite([ScriptFile(name: "a.lua", source: source)], settings: settings)
        try #require(suite.errors.map(\.message) == [])
        try #require(suite.members.indices.contains(number))
        let member = suite.members[number]
        let worker = Worker()
        let engine = ScriptEngine()
        defer { engine.close() }
        var end: ScenarioEnd?
        var happenings: [RunEvent] = []
        let execution = ScenarioExecution(
            member.definition, attempt: member.attempt(1), settings: settings, worker: worker,
            network: MemoryNetwork(scheduler: worker), engine: engine,
            emit: { entry in
                if case .happened(_, _, let happening) = entry { happenings.append(happening) }
            }, onEnd: { end = $0 })
        execution.start(member.file)
        _ = worker.runVirtually { end != nil }
        self.end = try #require(end)
        self.happenings = happenings
        self.secrets = settings.vault.current
    }

    /// Plays a scenario with this body, which begins in line 2 of the file.
    init(body: String, settings: ExecutionSettings = Self.settings()) throws {
        try self.init("scenario(\"s\", function(t)\n\(body)\nend)\n", settings: settings)
    }

    /// The settings of a run without systems and without a project.
    static func settings(
        root: String = "/", seed: UInt64 = 1, variables: [String: String] = [:], updatesTranscripts: Bool = false,
        systems: [ChatSystem] = [], vault: SecretVault = SecretVault()
    ) -> ExecutionSettings {
        ExecutionSettings(
            systems: systems, projectRoot: root, workingDirectory: root, project: ProjectConfiguration(), seed: seed,
            variables: variables, updatesTranscripts: updatesTranscripts, vault: vault)
    }

    /// What is wrong with a file that is only loaded.
    static func loadingErrors(_ source: String, settings: ExecutionSettings = Self.settings()) -> [Problem] {
        ScenarioSuite([ScriptFile(name: "a.lua", source: source)], settings: settings).errors
    }

    /// Returns what an expression of Lua is in a scenario, as JSON.
    static func value(
        of expression: String, after statements: String = "", settings: ExecutionSettings = Self.settings()
    ) throws -> JSONValue {
        let run = try ScriptRun(body: "\(statements)\nlog.info(json.encode(\(expression)))", settings: settings)
        try #require(run.messages == [])
        return try JSONReader.read(try #require(run.logs.last))
    }

    /// Returns the message of the mistake that a body is; nil if it is none, also if it is a failure.
    static func mistake(in body: String, settings: ExecutionSettings = Self.settings()) throws -> String? {
        let run = try ScriptRun(body: body, settings: settings)
        return run.end.outcome == .error ? run.end.problems.first?.message : nil
    }

    /// Returns the message of the failure that a body ends with; nil if it ends with none, also if it is a mistake.
    static func failure(of body: String, settings: ExecutionSettings = Self.settings()) throws -> String? {
        let run = try ScriptRun(body: body, settings: settings)
        return run.end.outcome == .failed ? run.end.problems.first?.message : nil
    }

    /// What went wrong, in words.
    var messages: [String] { self.end.problems.map(\.message) }

    /// How long it took, in seconds of its own time.
    var seconds: Double { Double(self.end.atNanoseconds) / 1_000_000_000 }

    /// What it logged.
    var logs: [String] {
        self.happenings.compactMap { if case .logged(_, let text) = $0 { text } else { nil } }
    }
}
