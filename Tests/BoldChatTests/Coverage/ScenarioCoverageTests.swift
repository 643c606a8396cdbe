import Foundation
import Machines
import RunRecord
import Scenario
import Synchronization
import Testing

@testable import BoldChat

@Suite("What the scenarios in Scenarios/boldchat play")
struct ScenarioCoverageTests {
    /// Plays the folder in virtual time with watched clients.
    private static func play() async throws -> (ledger: CoverageLedger, end: RunEnd, failures: [String]) {
        let ledger = CoverageLedger()
        let product = BoldChatSystem.system
        let watched = ChatSystem(
            name: product.name, title: product.title,
            client: ClientDeclaration(
                name: product.client.name, methods: product.client.methods, properties: product.client.properties,
                options: product.client.options
            ) { configuration throws(ConfigurationError) in
                KeyedClientAdapter(try TracingClient(configuration, ledger: ledger))
            },
            server: product.server, parties: product.parties, events: product.events, noise: product.noise)
        let files = try ScenarioFolder.names().map { try ScenarioFolder.file($0) }
        let settings = ExecutionSettings(
            systems: [watched], projectRoot: ScenarioFolder.path, workingDirectory: ScenarioFolder.path,
            project: ProjectConfiguration(), seed: 1, capture: .none)
        let suite = ScenarioSuite(files, settings: settings)
        try #require(suite.errors.isEmpty, "\(suite.errors)")
        let failures = Mutex<[String]>([])
        let end = await SuiteRunner(suite, settings: settings).run(
            toolVersion: "test", startedAt: nil, interruption: Interruption()
        ) { entries in
            for case .scenarioEnded(let end) in entries where end.outcome != .passed {
                failures.withLock { $0.append("\(end)") }
            }
        }
        return (ledger, end, failures.withLock { $0 })
    }

    private static func line(_ name: String, _ counts: CoverageLedger.Counts?) -> String {
        let numbers = Profile.all.map { profile -> String in
            let text = String(counts?[profile.name] ?? 0)
            return String(repeating: " ", count: max(0, 6 - text.count)) + text
        }
        return numbers.joined() + "  " + name
    }

    @Test("they play every state, every transition and every callback of the client")
    func coverage() async throws {
        let (ledger, end, failures) = try await Self.play()
        #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
        #expect(end.counts.passed > 100)
        var table = [Profile.all.map { String(repeating: " ", count: 6 - $0.name.count) + $0.name }.joined()]
        var gaps: [String] = []

        let seen = ledger.changes
        for step in TransitionTable.steps.sorted(by: { $0.description < $1.description }) {
            if let reason = TransitionTable.reasonWhyImpossible(step) {
                table.append("     –     –  \(step)  (\(reason))")
                if seen[step] != nil { gaps.append("played, although declared impossible: \(step)") }
            } else {
                table.append(Self.line(step.description, seen[step]))
                if seen[step] == nil { gaps.append("not played: \(step)") }
            }
        }
        for step in seen.keys where !TransitionTable.explains(step) {
            gaps.append("played, but not in the table of transitions: \(step)")
        }

        let states = seen.keys.map { [$0.machine.rawValue + "  " + $0.from, $0.machine.rawValue + "  " + $0.to] }
        let visited = Set(states.joined())
        let known =
            SessionStateMachine.State.allCases.map { "session  \($0.rawValue)" }
            + ChatStateMachine.State.allCases.map { "chat  \($0.rawValue)" }
            + LinkStateMachine.State.allCases.map { "link  \($0.rawValue)" }
        for state in known {
            if let reason = TransitionTable.passedThrough[state] {
                table.append("     –        state \(state)  (\(reason))")
                if visited.contains(state) { gaps.append("entered, although declared impossible: state \(state)") }
                continue
            }
            table.append("\(visited.contains(state) ? "     ✓" : "     ✗")        state \(state)")
            if !visited.contains(state) { gaps.append("never entered: state \(state)") }
        }

        for witness in CallbackWitness.all {
            let counts = ledger.callbacks[witness.name]
            table.append(Self.line("callback \(witness.name)", counts))
            if counts == nil { gaps.append("never given: callback \(witness.name)") }
        }
        #expect(ledger.strayScreenMembers.isEmpty, "not as the screen is declared: \(ledger.strayScreenMembers)")
        #expect(ledger.screenMembers.count > 50)
        print(table.joined(separator: "\n"))
        let isComplete = gaps.isEmpty
        #expect(isComplete, "\(gaps.count) gaps:\n\(gaps.sorted().joined(separator: "\n"))")
    }

    @Test("Every callback of the vendor has a way to be seen, by an event that stands for it")
    func witnesses() {
        let declared = Set(CallbackTable.entries.map(\.selector))
        let witnessed = Set(CallbackWitness.all.map(\.selector))
        #expect(declared == witnessed)
        #expect(Set(CallbackWitness.all.map(\.name)).count == CallbackWitness.all.count)
    }
}
