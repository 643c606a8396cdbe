import Foundation
import RunRecord
import Testing
import Transport

@testable import CommandLine
@testable import Scenario

/// The systems in Lua that come with the program, against servers that say something else than they should.
///
/// `REPARTEE_SHIPPED_ROUNDS` says how many rounds of seeds are played.
@Suite("What servers send to the systems in Lua that come with the program")
struct ShippedSystemTrafficTests {
    private static let rounds =
        ProcessInfo.processInfo.environment["REPARTEE_SHIPPED_ROUNDS"].flatMap { Int($0) } ?? 3

    /// The systems, by the folder of their scenarios.
    private static let folders = ["graphql", "mqtt", "openai", "own", "socketio", "stomp"]

    /// What commands say to a scenario that goes on although its connection has ended or its answer never came.
    private static let refusals = [
        "the client is not connected",
        "there is no client ", "nobody waits", "the conversation has ended",
        "the agent has no visitor", "an answer is still under way",
        "there is no subscription ", "there is no message to answer ", "there is no transaction ",
        "there is no call of a tool ",
    ]

    private static func isRefusal(_ message: String) -> Bool { self.refusals.contains { message.hasPrefix($0) } }

    private struct Play {
        let title: String
        let end: ScenarioEnd
        let mutations: Int
    }

    /// Plays the conversations of a system on a network that changes what is sent.
    private static func play(_ folder: String, _ kind: PayloadChange.Kind, round: Int = 0) throws -> [Play] {
        let name = "Scenarios/\(folder)/conversations.lua"
        let settings = ExecutionSettings(
            systems: BuiltInSystems.all, projectRoot: Product.root, workingDirectory: Product.root,
            project: ProjectConfiguration(), seed: 1)
        let file = ScriptFile(
            name: name, source: try String(contentsOfFile: "\(Product.root)/\(name)", encoding: .utf8))
        return ScenarioSuite([file], settings: settings).members.enumerated().compactMap { index, member in
            let worker = Worker()
            let engine = ScriptEngine()
            defer { engine.close() }
            let seed = UInt64(round * 1_000 + index)
            let change = PayloadChange(kind, seed: seed)
            let network = change.network(over: MemoryNetwork(scheduler: worker))
            var end: ScenarioEnd?
            let execution = ScenarioExecution(
                member.definition, attempt: member.attempt(1), settings: settings, worker: worker, network: network,
                engine: engine, emit: { _ in }, onEnd: { end = $0 })
            execution.start(member.file)
            _ = worker.runVirtually { end != nil }
            let title = "\(folder): \(member.definition.title)"
            #expect(end != nil, "\(title), round \(round), has no end")
            return end.map { Play(title: title, end: $0, mutations: change.count) }
        }
    }

    @Test("never ends in an error of the system itself, whatever it is", arguments: folders, 0..<rounds)
    func strange(folder: String, round: Int) throws {
        try self.check(folder, .answers, round: round)
    }

    @Test("is never an error of their simulated servers, whatever clients said", arguments: folders, 0..<rounds)
    func strangeClients(folder: String, round: Int) throws {
        try self.check(folder, .requests, round: round)
    }

    private func check(_ folder: String, _ kind: PayloadChange.Kind, round: Int) throws {
        let plays = try Self.play(folder, kind, round: round)
        #expect(!plays.isEmpty)
        for execution in plays {
            for problem in execution.end.problems where problem.category == .error {
                let files = (problem.evidence?.frames.map(\.file) ?? []) + [problem.file ?? ""]
                #expect(
                    !files.contains { $0.hasPrefix("repartee/") } || Self.isRefusal(problem.message),
                    "\(execution.title), round \(round): \(problem.message) at \(files)")
            }
        }
        let changes = plays.reduce(0) { $0 + $1.mutations }
        #expect(changes > 2)
        print("\(folder), round \(round): \(plays.count) plays, \(changes) payloads changed")
    }

    @Test("is the same conversation byte by byte", arguments: folders)
    func drips(folder: String) throws {
        let plays = try Self.play(folder, .drips)
        #expect(!plays.isEmpty)
        for execution in plays {
            #expect(execution.end.problems.map(\.message) == [], "\(execution.title)")
        }
    }
}
