import Machines
public import RunRecord
import Secrets
public import Transport

/// Plays scenarios in virtual time, each that passes once more for every fault at every point of what goes over its
/// connections.
public final class FaultSweep {
    /// At most so many points of a scenario are played: the first half of them, then as many spread over the rest.
    public static let pointLimit = 200

    private let suite: ScenarioSuite
    private let settings: ExecutionSettings
    private let kinds: [FaultKind]
    private let interruption: Interruption
    private let player: FaultPlayer

    /// Creates a sweep.
    ///
    /// - Parameters:
    ///   - settings: For virtual time, without capture.
    ///   - kinds: The faults.
    ///   - interruption: Set from outside to end the sweep early; what is not played is missing.
    public init(_ suite: ScenarioSuite, settings: ExecutionSettings, kinds: [FaultKind], interruption: Interruption) {
        self.suite = suite
        self.settings = settings
        self.kinds = kinds
        self.interruption = interruption
        self.player = FaultPlayer(settings, interruption: interruption)
    }

    /// Plays one scenario.
    ///
    /// - Parameters:
    ///   - index: Its place in the suite.
    ///   - count: How many of its plays are left out, because they have been played before.
    ///   - tell: Gets what happens, masked.
    public func play(_ index: Int, skipping count: Int, tell: (FaultMessage) -> Void) {
        let member = self.suite.members[index]
        let counting = FaultInjector(nil)
        let baseline = self.player.play(member, counting, stepLimit: .max)
        guard !self.interruption.isRequested else { return }
        guard let outcome = baseline.end?.outcome, case .passed = outcome else {
            return tell(self.leftOut(baseline.end))
        }
        if let part = baseline.failedPart { return tell(self.leftOut(part)) }
        let points = Self.chosen(counting.points)
        let places = points.map {
            FaultPlace(
                number: $0.number, atNanoseconds: $0.at.nanoseconds, isSent: $0.isSent,
                summary: self.settings.vault.masked($0.summary))
        }
        let promises = baseline.systems.sorted().flatMap { self.settings.systems[$0]?.faultPromises ?? [] }
        let possible = PossibleFaults(promises)
        let judge = FaultJudge(baseline: baseline, definition: member.definition, possible: possible)
        let plays = points.flatMap { point in
            self.kinds.filter { point.admits($0) && possible.contains($0, at: point) }.map { ($0, point) }
        }
        tell(
            .began(
                systems: baseline.systems.sorted(), points: places, pointCount: counting.points.count,
                playCount: plays.count))
        for (kind, point) in plays.dropFirst(count) where !self.interruption.isRequested {
            let fault = InjectedFault(kind, at: point.number)
            let injector = FaultInjector(fault)
            tell(.plays(fault.name))
            let trace = self.player.play(member, injector, stepLimit: baseline.stepCount * 20 + Self.leastSteps)
            // What was broken off shows nothing about the fault.
            guard !self.interruption.isRequested else { return }
            let (outcome, detail) = judge.verdict(on: trace, kind, point, injector)
            tell(.played(FaultCell(fault.name, outcome: outcome, detail: self.settings.vault.masked(detail))))
        }
        if !self.interruption.isRequested { tell(.ended) }
    }

    /// What is told of a scenario that does not pass without a fault.
    ///
    /// - Parameter end: How it ended; nil if it did not.
    private func leftOut(_ end: ScenarioEnd?) -> FaultMessage {
        guard let end else {
            return .leftOut(.error, type: "limit", reason: "it does not come to its end")
        }
        let problem = end.problemsByWeight.first
        let reason = end.outcome.reason ?? problem?.message ?? ""
        return .leftOut(end.outcome, type: problem?.typeName ?? "", reason: self.settings.vault.masked(reason))
    }

    /// What is told of a scenario that passes, of which something that it shares with others does not.
    private func leftOut(_ part: SharedCase) -> FaultMessage {
        let problem = part.problems.first { $0.category == .error } ?? part.problems.first
        return .leftOut(
            part.outcome, type: problem?.typeName ?? "", reason: self.settings.vault.masked(problem?.message ?? ""))
    }

    /// So many steps every execution with a fault may take; those that a time limit of minutes and a client that tries
    /// again every few milliseconds need.
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
    private let settings: ExecutionSettings
    private let interruption: Interruption
    private let engines: HostPool
    private let parts: VirtualTimeParts

    init(_ settings: ExecutionSettings, interruption: Interruption) {
        self.settings = settings
        self.engines = HostPool(settings)
        self.interruption = interruption
        self.parts = VirtualTimeParts(settings: settings, interruption: interruption)
    }

    func play(_ member: ScenarioSuite.Member, _ injector: FaultInjector, stepLimit: Int) -> FaultTrace {
        let worker = Worker()
        defer { worker.end() }
        let engine = self.engines.take()
        var trace = FaultTrace()
        weak var playing: ScenarioExecution?
        let take = { (entry: RunEntry) in
            trace.take(entry, self.settings.systems) { name in playing?.actors.first { $0.name == name } }
        }
        let parts = NotedParts(self.parts)
        let execution = ScenarioExecution(
            member.definition, attempt: member.attempt(1), settings: self.settings, worker: worker,
            network: MemoryNetwork(scheduler: worker), engine: engine, emit: take,
            onEnd: { take(.scenarioEnded($0)) })
        playing = execution
        execution.connections.injector = injector
        execution.shared.parts = parts
        execution.start(member.file)
        worker.play(execution, interruption: self.interruption) {
            trace.stepCount += 1
            return trace.end != nil || trace.stepCount > stepLimit
        }
        if trace.end == nil {
            trace.isEndless = true
            execution.abandon(because: self.interruption.failure)
        }
        trace.failedPart = self.parts.failure(among: parts.used)
        self.engines.giveBack(engine, after: trace.end?.outcome ?? .error)
        return trace
    }
}

/// Gives a scenario what it shares with others, and notes what it has asked for.
private final class NotedParts: SharedParts {
    private let parts: VirtualTimeParts
    private(set) var used: Set<SharedPart.Key> = []

    init(_ parts: VirtualTimeParts) { self.parts = parts }

    func value(
        of part: SharedPart, for asker: ScenarioDefinition, chain: [SharedPart.Key],
        progress: @escaping () -> Void, completion: @escaping (SharedValue) -> Void
    ) {
        self.used.insert(part.key)
        self.parts.value(of: part, for: asker, chain: chain, progress: progress, completion: completion)
    }
}
