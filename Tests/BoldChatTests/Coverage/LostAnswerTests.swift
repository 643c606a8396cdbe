import Foundation
import Machines
import RunRecord
import Scenario
import Testing
import Transport

@testable import BoldChat

/// Every scenario once more for each answer of its servers, with the connection lost before the answer arrives.
///
/// All scenarios take minutes; a fixed sample of them is played unless `REPARTEE_LOST_ANSWERS=all` asks for all, or
/// `REPARTEE_LOST_ANSWERS=NUMBER` for another sample.
@Suite("A lost answer of BoldChat's simulated account")
struct LostAnswerTests {
    private static let wish = ProcessInfo.processInfo.environment["REPARTEE_LOST_ANSWERS"]

    /// One scenario of so many is in the sample.
    private static let sampling = 12

    /// What the plays of a file have shown.
    private struct Findings {
        var scenarios = 0
        var plays = 0
        var outcomes: [FaultOutcome: Int] = [:]
        var problems: [String] = []
        /// Of which scenarios not all points were played.
        var shortened: [String] = []
    }

    /// Plays a file in virtual time with a watched account.
    ///
    /// - Parameter offset: Where its sample begins; another one in each file, so that short files are played, too.
    private static func play(_ name: String, offset: Int) throws -> Findings {
        let ledger = DeedLedger()
        let product = BoldChatSystem.system
        let watched = ChatSystem(
            name: product.name, title: product.title, client: product.client,
            server: ServerDeclaration(
                methods: product.server.methods, properties: product.server.properties, options: product.server.options
            ) { configuration throws(ConfigurationError) in
                KeyedServerAdapter(try TracingServer(configuration, ledger: ledger))
            },
            parties: product.parties, events: product.events, noise: product.noise, troubles: product.troubles,
            faultPromises: product.faultPromises)
        let settings = ExecutionSettings(
            systems: [watched], projectRoot: ScenarioFolder.path, workingDirectory: ScenarioFolder.path,
            project: ProjectConfiguration(), seed: 1, capture: .none)
        let suite = ScenarioSuite([try ScenarioFolder.file(name)], settings: settings)
        try #require(suite.errors.isEmpty, "\(suite.errors)")
        let sweep = FaultSweep(suite, settings: settings, kinds: [.cut], interruption: Interruption())
        var findings = Findings()
        for (index, member) in suite.members.enumerated()
        where self.wish == "all" || (index + offset).isMultiple(of: self.sampling) {
            self.sweep(sweep, index, member.definition.title, ledger, &findings)
        }
        return findings
    }

    private static func sweep(
        _ sweep: FaultSweep, _ index: Int, _ title: String, _ ledger: DeedLedger, _ findings: inout Findings
    ) {
        var baseline = DeedLedger.Deeds()
        var places: [Int: FaultPlace] = [:]
        _ = ledger.take()
        sweep.play(index, skipping: 0) { news in
            switch news {
            case .began(_, let points, let count, _):
                baseline = ledger.take()
                places = Dictionary(uniqueKeysWithValues: points.map { ($0.number, $0) })
                findings.scenarios += 1
                // Scenarios that poll for minutes, whose polls are alike.
                if points.count < count { findings.shortened.append("\(title): \(points.count) of \(count) points") }
            case .leftOut(let outcome, _, let reason):
                findings.problems.append("\(title) is left out: \(outcome.name) \(reason)")
            case .plays: _ = ledger.take()
            case .played(let cell):
                findings.plays += 1
                findings.outcomes[cell.outcome, default: 0] += 1
                let place = "\(title), \(cell.fault) (\(places[cell.fault.point]?.summary ?? "?"))"
                if !cell.outcome.isGood {
                    findings.problems.append("\(place): \(cell.outcome.rawValue) \(cell.detail)")
                }
                // A refusal that a script has ordered is lost with the connection, so that what it refused is done,
                // once.
                for (deed, count) in ledger.take() where count > max(1, baseline[deed] ?? 0) {
                    findings.problems.append(
                        "\(place), \(cell.outcome.rawValue): \(deed): \(count) times, not \(baseline[deed] ?? 0)")
                }
            case .ended, .hangs: break
            }
        }
    }

    @Test("ends the scenario as it does otherwise, or in an error that is told, and has done nothing twice")
    func sweep() async throws {
        let all = try await withThrowingTaskGroup(of: Findings.self) { group in
            for (place, name) in try ScenarioFolder.names().enumerated() {
                group.addTask { try Self.play(name, offset: place + (Int(Self.wish ?? "") ?? 0)) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let problems = all.flatMap(\.problems).sorted()
        #expect(problems.isEmpty, "\(problems.count):\n\(problems.joined(separator: "\n"))")
        let plays = all.reduce(0) { $0 + $1.plays }
        let outcomes = all.reduce(into: [FaultOutcome: Int]()) { $0.merge($1.outcomes) { $0 + $1 } }
        let ends = outcomes.map { "\($0.value) \($0.key.rawValue)" }.sorted().joined(separator: ", ")
        for title in all.flatMap(\.shortened).sorted() { print("not whole: \(title)") }
        #expect(all.flatMap(\.shortened).count <= 3)
        print("\(all.reduce(0) { $0 + $1.scenarios }) scenarios, \(plays) plays: \(ends)")
        #expect(plays > 300)
    }
}
