import Foundation
import JSON
import Machines
import RunRecord
import Scenario
import Synchronization
import Testing

@testable import CommandLine
@testable import Load

/// Whatever fails a scenario fails it also as the one user of a load run, for the same reason.
///
/// Scenarios of the package are played with planted faults: a sample of all pairs, the same in each run, so that what
/// it says depends on the code alone; and all of them with `REPARTEE_PARITY=all` in the environment (many minutes).
@Suite("A load run fails what a test fails")
struct LoadParityTests {
    /// What is planted around the body of a scenario.
    struct Plant: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// Statements before the body, with `t`.
        var before = ""
        /// Statements after it.
        var after = ""
        /// Whether no scenario passes with it; some allow the events that are left over.
        var isAlwaysFound = true
    }

    /// A client and its peer that nothing else in a scenario knows.
    private static let pair = """
        local planted_system = require "websocket" local planted_server = t:server(planted_system) \
        local planted = t:actor(planted_system, { name = "planted client" }) planted:connect() planted:expect "connected" \
        local planted_peer = planted_server:peer "peer"
        """

    static let plants = [
        Plant(testDescription: "nothing", isAlwaysFound: false),
        Plant(testDescription: "an error", after: "error 'planted'"),
        Plant(testDescription: "an error at first", before: "error 'planted'"),
        Plant(testDescription: "a misspelt global", after: "planted_nonsense()"),
        Plant(testDescription: "an expectation", after: "expect(1, 2)"),
        Plant(testDescription: "a check", after: "check(1, 2)"),
        Plant(testDescription: "a failure that is caught", after: "pcall(function() t:fail 'planted' end)"),
        Plant(testDescription: "a step", after: "step('planted', function() expect(1, 2) end)"),
        Plant(testDescription: "a cleanup", before: "t:defer(function() error 'planted' end)"),
        Plant(testDescription: "a thread that nobody joins", after: "spawn(function() wait '1ms' error 'planted' end)"),
        Plant(testDescription: "a skip", after: "t:skip 'planted'"),
        Plant(
            testDescription: "a leftover", after: "\(pair) planted_peer:send 'planted' wait '10ms'",
            isAlwaysFound: false),
        Plant(
            testDescription: "a leftover among many events",
            after: """
                \(pair) planted_peer:send 'planted' for number = 1, 3000 do planted_peer:send('x' .. number) \
                planted:expect('frame', { text = 'x' .. number }) end
                """, isAlwaysFound: false),
        Plant(
            testDescription: "what is read of a long history",
            after: """
                \(pair) for number = 1, 100 do planted_peer:send('x' .. number) \
                planted:expect('frame', { text = 'x' .. number }) end expect(#planted:events 'frame', 99)
                """),
        Plant(testDescription: "a hopeless expectation", after: "\(pair) planted:close() planted:expect 'frame'"),
        Plant(testDescription: "a time limit", after: "\(pair) planted:expect('frame', nil, { within = '1s' })"),
        Plant(
            testDescription: "a silence that is broken",
            after: "\(pair) planted_peer:send 'planted' planted:expect_silence('1s', 'frame')"),
        Plant(testDescription: "a wait beyond the end", after: "wait '100000h'"),
    ]

    /// How an execution ended, as far as both sides tell: what was under way when something did not come, a load test
    /// says in words that are the same for all users.
    private struct End: Equatable {
        let outcome: String
        let reason: String?

        init(outcome: String, _ problem: Problem?) {
            self.outcome = outcome
            self.reason = problem.map { problem in
                let message = ["timeout", "hopeless"].contains(problem.typeName) ? "" : problem.message
                return "\(problem.category) \(problem.typeName) \(problem.file ?? ""):\(problem.line ?? 0) \(message)"
            }
        }

        /// Whether a load test refuses what a test plays: a port that each of its users would listen on, or a rule
        /// about turns that it has not kept.
        var isRefusal: Bool {
            let refusals = ["cannot each listen on port", "users of a load test keep none that have passed"]
            return self.outcome == "error" && refusals.contains { self.reason?.contains($0) == true }
        }
    }

    /// Collects how plays end.
    private final class Ends: Sendable {
        let list = Mutex<[ScenarioEnd]>([])
    }

    private static let everything = ProcessInfo.processInfo.environment["REPARTEE_PARITY"] == "all"

    /// How many pairs of a file and a plant a usual run takes.
    private static let sampleSize = 24
    /// How many scenarios of a file it plays.
    private static let scenariosPerFile = 3

    private static let root = Product.root + "/Scenarios"

    private static let files: [String] = {
        let all = FileManager.default.enumerator(atPath: Self.root)?.compactMap { $0 as? String } ?? []
        // Load tests have shapes of their own, and their users wait for each other.
        return all.filter { $0.hasSuffix(".lua") && $0 != "repartee.lua" && !$0.hasPrefix("load/") }.sorted()
    }()

    private static let pairs: [(file: String, plant: Plant)] = {
        let all = Self.files.flatMap { file in Self.plants.map { (file: file, plant: $0) } }
        guard !Self.everything else { return all }
        var random = RandomSource(seed: 1)
        return Array(all.shuffled(using: &random).prefix(Self.sampleSize))
    }()

    @Test("and for the same reason", arguments: Self.pairs.map { "\($0.file) with \($0.plant.testDescription)" })
    func parity(name: String) async throws {
        let pair = try #require(Self.pairs.first { "\($0.file) with \($0.plant.testDescription)" == name })
        let source = try String(contentsOfFile: "\(Self.root)/\(pair.file)", encoding: .utf8)
        let project = try String(contentsOfFile: "\(Self.root)/repartee.lua", encoding: .utf8)
        let prefix =
            "local scenario = (function(declare) return function(name, options, body) "
            + "if body == nil then options, body = {}, options end "
            + "return declare(name, options, function(t, ...) \(pair.plant.before) body(t, ...) \(pair.plant.after) end) "
            + "end end)(scenario) "
        let file = ScriptFile(name: "Scenarios/" + pair.file, source: prefix + source)
        let settings = ExecutionSettings(
            systems: BuiltInSystems.all, projectRoot: Self.root, workingDirectory: Product.root,
            project: try ProjectConfiguration(source: project, name: "Scenarios/repartee.lua"), seed: 7, variables: [:],
            capture: .none)
        let suite = ScenarioSuite([file], settings: settings)
        #expect(suite.errors.isEmpty, "\(suite.errors.map(\.detail))")
        var random = RandomSource(seed: UInt64(name.utf8.count))
        var ids = suite.members.map(\.definition.id)
        if !Self.everything { ids = Array(ids.shuffled(using: &random).prefix(Self.scenariosPerFile)) }
        for id in ids {
            let one = suite.selecting(ScenarioSelection(ids: [id]))
            let tested = await Self.tested(one, settings)
            let loaded = try Self.loaded(one, settings)
            #expect(loaded == tested || loaded.isRefusal, "\(id) with \(pair.plant.testDescription)")
            #expect(tested.outcome != "passed" || !pair.plant.isAlwaysFound, "\(id) passes with it")
        }
    }

    @Test(
        "A silence of a party to whom nobody has turned is an error of both: nothing could have broken it",
        arguments: [
            #"t:server(require "websocket"):peer "Sam":expect_silence("1s", "frame")"#,
            #"t:server(require "boldchat"):agent "Sam":expect_silence("1s", "message")"#,
            #"t:server(S):user "Sam":expect_silence("1s", "message")"#,
            #"t:server(S):user "Sam":never "message" wait "1s""#,
        ])
    func untouchedParty(body: String) async throws {
        let source = """
            local said = { message = { text = "string" } }
            local S = system { name = "own", events = said, parties = { user = { events = said } } }
            function S.server.request() return "x" end
            function S.parties.user.wave(user) end
            scenario("keeps silent", function(t) \(body) end)
            """
        let settings = ExecutionSettings(
            systems: BuiltInSystems.all, projectRoot: Self.root, workingDirectory: Product.root,
            project: ProjectConfiguration(), seed: 7, variables: [:], capture: .none)
        let suite = ScenarioSuite([ScriptFile(name: "silence.lua", source: source)], settings: settings)
        let tested = await Self.tested(suite, settings)
        #expect(tested.outcome == "error")
        #expect(tested.reason?.contains("no client has turned to its server") == true, "\(tested)")
        #expect(try Self.loaded(suite, settings) == tested)
    }

    private static func tested(_ suite: ScenarioSuite, _ settings: ExecutionSettings) async -> End {
        let ends = Ends()
        _ = await SuiteRunner(suite, settings: settings).run(
            toolVersion: "test", startedAt: nil, interruption: Interruption()
        ) { entries in
            for case .scenarioEnded(let end) in entries where !end.isRetried { ends.list.withLock { $0.append(end) } }
        }
        let end = ends.list.withLock { $0.first }
        return Self.end(end?.outcome, end?.problems.first)
    }

    private static func loaded(_ suite: ScenarioSuite, _ settings: ExecutionSettings) throws -> End {
        let shape = try LoadShape([
            "executor": "per_vu_iterations", "users": 1, "iterations": 1, "max_duration": "720h",
        ])
        let stage = VirtualUserPool(settings: settings)
        defer { stage.close() }
        var end: ScenarioEnd?
        let member = try #require(suite.members.first)
        let plan = try LoadPlan(shape, seed: settings.seed)
        let user = try #require(plan.user(0))
        let phases = LoadSettings(plan: plan, execution: settings, usesLedger: false, run: 1).phases
        let recorder = LoadRecorder(phases: phases, run: 1, usesLedger: false, vault: settings.vault)
        recorder.origin = stage.now
        let observer = UserRecorder(user, room: nil, begin: .start, recorder: recorder)
        _ = stage.play(
            member, as: UserContext(number: 0, iteration: 0, seed: settings.seed, members: [:]), observer: observer,
            onEnd: { end = $0 })
        _ = stage.runVirtually(until: { end != nil })
        return Self.end(end?.outcome, end?.problems.first)
    }

    private static func end(_ outcome: Outcome?, _ problem: Problem?) -> End {
        End(outcome: outcome?.name ?? "none", problem)
    }
}
