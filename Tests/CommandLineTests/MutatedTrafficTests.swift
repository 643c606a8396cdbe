import Foundation
import JSON
import RunRecord
import Testing
import Transport

@testable import CommandLine
@testable import Scenario

/// The scenarios of all systems, with the bytes between each client and its server changed by seed.
///
/// `REPARTEE_MUTATION_ROUNDS` says how many rounds are played; each has one scenario in sixteen.
@Suite("Traffic that is changed on its way")
struct MutatedTrafficTests {
    private static let folder = Product.root + "/Scenarios"

    private static let rounds = ProcessInfo.processInfo.environment["REPARTEE_MUTATION_ROUNDS"].flatMap { Int($0) } ?? 8

    private static func suite() throws -> (ScenarioSuite, ExecutionSettings) {
        let names = FileManager.default.enumerator(atPath: Self.folder)?.compactMap { $0 as? String } ?? []
        // Crowds and load tests are the same clients and servers in greater number.
        let scripts = names.filter { $0.hasSuffix(".lua") && $0.contains("/") && !$0.contains("crowd") }.sorted()
        let settings = ExecutionSettings(
            systems: BuiltInSystems.all, projectRoot: Self.folder, workingDirectory: Self.folder,
            project: ProjectConfiguration(), seed: 1)
        let files = try scripts.map {
            ScriptFile(
                name: $0, source: try String(contentsOfFile: "\(Self.folder)/\($0)", encoding: .utf8))
        }
        return (ScenarioSuite(files, settings: settings), settings)
    }

    // Most plays take milliseconds.
    @Test(
        "ends every scenario of every system with an outcome, and never with a trap or a hang",
        .timeLimit(.minutes(10)), arguments: 0..<rounds)
    func everyScenario(round: Int) throws {
        let (suite, settings) = try Self.suite()
        var (plays, mutations, outcomes) = (0, 0, [String: Int]())
        for (index, member) in suite.members.enumerated() where index % 16 == round % 16 {
            let worker = Worker()
            let engine = ScriptEngine()
            defer { engine.close() }
            let mutation = ByteMutation(seed: UInt64(round * 100_000 + index))
            let network = mutation.network(over: MemoryNetwork(scheduler: worker))
            var end: ScenarioEnd?
            let execution = ScenarioExecution(
                member.definition, attempt: member.attempt(1), settings: settings, worker: worker, network: network,
                engine: engine, emit: { _ in }, onEnd: { end = $0 })
            execution.start(member.file)
            _ = worker.runVirtually { end != nil }
            let name = "\(member.file.name): \(member.definition.title)"
            #expect(end != nil, "\(name), round \(round), has no end")
            plays += 1
            mutations += mutation.count
            outcomes["\(end.map { "\($0.outcome)".prefix { $0 != "(" } } ?? "none")", default: 0] += 1
        }
        #expect(mutations > 20)
        let told = outcomes.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
        print("mutated traffic: round \(round), \(plays) plays, \(mutations) changes, \(told)")
    }
}
