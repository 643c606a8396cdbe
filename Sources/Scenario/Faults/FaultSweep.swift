import Machines
public import RunRecord
import Secrets
public import Transport

/// Plays scenarios in virtual time, each that passes once more for every fault at every point of what goes over its
/// connections.
public struct FaultSweep: Sendable {
    /// At most so many points of a scenario are played: the first half of them, then as many spread over the rest.
    public static let pointLimit = 200

    private let suite: ScenarioSuite
    private let settings: PlaySettings
    private let kinds: [FaultKind]

    /// Creates a sweep.
    ///
    /// - Parameters:
    ///   - settings: For virtual time, without capture.
    ///   - kinds: The faults.
    public init(_ suite: ScenarioSuite, settings: PlaySettings, kinds: [FaultKind]) {
        self.suite = suite
        self.settings = settings
        self.kinds = kinds
    }

    /// Plays everything.
    ///
    /// - Parameters:
    ///   - toolVersion: The version to note.
    ///   - interruption: Set from outside to end the sweep early; what is not played is missing from the matrix.
    ///   - onPlay: Called before each play with a fault.
    ///   - onScenario: Called after each scenario.
    public func run(
        toolVersion: String, interruption: Interruption, onPlay: (ScenarioDefinition, InjectedFault) -> Void,
        onScenario: (FaultedScenario) -> Void
    ) -> FaultMatrix {
        let player = FaultPlayer(self.settings, interruption: interruption)
        var matrix = FaultMatrix(
            toolVersion: toolVersion, seed: self.settings.seed, kinds: self.kinds.map(\.rawValue), scenarios: [],
            leftOut: [])
        for member in self.suite.members where !interruption.isRequested {
            let counting = FaultInjector(nil)
            let baseline = player.play(member, counting, stepLimit: .max)
            let definition = member.definition
            guard let outcome = baseline.end?.outcome, case .passed = outcome else {
                matrix.leftOut.append(
                    "\(definition.file):\(definition.line)  \(definition.title): \(baseline.end?.outcome.name ?? "error")"
                )
                continue
            }
            guard !interruption.isRequested else { break }
            let scenario = self.sweep(member, baseline, counting.points, player, interruption, onPlay)
            matrix.scenarios.append(scenario)
            onScenario(scenario)
        }
        return matrix
    }

    private func sweep(
        _ member: ScenarioSuite.Member, _ baseline: FaultTrace, _ points: [FaultPoint], _ player: FaultPlayer,
        _ interruption: Interruption, _ onPlay: (ScenarioDefinition, InjectedFault) -> Void
    ) -> FaultedScenario {
        let definition = member.definition
        let promises = baseline.systems.sorted().flatMap { self.settings.systems[$0]?.faultPromises ?? [] }
        let judge = FaultJudge(baseline: baseline, definition: definition, promises: promises)
        let legal = self.kinds.filter { kind in
            // A protocol that does not promise to sort messages out never has them doubled or overtaken by TCP.
            kind != .duplicate && kind != .reorder
                || promises.contains { $0.fault == kind.rawValue && $0.promise == .sameEnd }
        }
        let chosen = Self.chosen(points)
        var cells: [FaultCell] = []
        for point in chosen {
            for kind in legal where point.admits(kind) && !interruption.isRequested {
                let fault = InjectedFault(kind, at: point.number)
                let injector = FaultInjector(fault)
                onPlay(definition, fault)
                let trace = player.play(member, injector, stepLimit: baseline.stepCount * 20 + Self.leastSteps)
                let (outcome, detail) = judge.verdict(on: trace, kind, point, injector)
                cells.append(
                    FaultCell(
                        kind: kind.rawValue, point: point.number, outcome: outcome,
                        detail: self.settings.vault.masked(detail)))
            }
        }
        return FaultedScenario(
            file: definition.file, line: definition.line, title: definition.title,
            points: chosen.map {
                FaultPlace(
                    number: $0.number, atNanoseconds: $0.at.nanoseconds, isSent: $0.isSent,
                    summary: self.settings.vault.masked($0.summary))
            }, pointCount: points.count, cells: cells)
    }

    /// So many steps every play with a fault may take; those that a time limit of minutes and a client that tries again
    /// every few milliseconds need.
    private static let leastSteps = 200_000

    private static func chosen(_ points: [FaultPoint]) -> [FaultPoint] {
        guard points.count > Self.pointLimit else { return points }
        let half = Self.pointLimit / 2
        let rest = points.count - half
        return points.prefix(half) + (0..<half).map { points[half + $0 * rest / half] }
    }
}

/// Plays scenarios with faults, one after the other, in virtual time.
private final class FaultPlayer {
    private let settings: PlaySettings
    private let interruption: Interruption
    private let engines = EnginePool()
    private let parts: VirtualSharedParts

    init(_ settings: PlaySettings, interruption: Interruption) {
        self.settings = settings
        self.interruption = interruption
        self.parts = VirtualSharedParts(settings: settings, interruption: interruption)
    }

    func play(_ member: ScenarioSuite.Member, _ injector: FaultInjector, stepLimit: Int) -> FaultTrace {
        let worker = Worker()
        let engine = self.engines.take()
        var trace = FaultTrace()
        let play = ScenarioPlay(
            member.definition, attempt: member.attempt(1), settings: self.settings, worker: worker,
            network: MemoryNetwork(scheduler: worker), engine: engine,
            emit: { trace.take($0, self.settings.systems) }, onEnd: { _ in })
        play.injector = injector
        play.sharedParts = self.parts
        play.start(member.file)
        worker.play(play, interruption: self.interruption) {
            trace.stepCount += 1
            return trace.end != nil || trace.stepCount > stepLimit
        }
        if trace.end == nil {
            trace.isEndless = true
            play.abandon(because: self.interruption.failure)
        }
        self.engines.giveBack(engine, after: trace.end?.outcome ?? .error)
        return trace
    }
}
