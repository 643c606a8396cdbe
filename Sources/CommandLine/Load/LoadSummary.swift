import Load
import Metrics
import RunRecord

/// What a load run came to, and how the process ends for it.
struct LoadSummary {
    let totals: LoadTotals
    /// What this process knows beside the result, if it played the run itself.
    let conclusion: LoadConclusion?
    let thresholds: [ThresholdOutcome]
    /// Thresholds that the figures cannot be read for, such as those about a metric of the script that nothing
    /// recorded.
    let unreadable: [ThresholdError]
    let health: HealthVerdict
    let deliveries: DeliveryAccount

    /// Whether the figures are those of the whole run and not of one of its parts.
    let isWhole: Bool

    init(
        totals: LoadTotals, conclusion: LoadConclusion?, baseline: LoadTotals?, isWhole: Bool,
        isJudgedOnHealth: Bool
    ) {
        self.totals = totals
        self.conclusion = conclusion
        self.isWhole = isWhole
        // A part of a run cannot tell whether the whole one keeps its bounds.
        (self.thresholds, self.unreadable) =
            isWhole ? totals.thresholds(baseline: baseline, metrics: BuiltInMetric.allCases.map(\.metric)) : ([], [])
        self.health = isJudgedOnHealth ? totals.healthVerdict : GeneratorHealth().verdict()
        self.deliveries = totals.ledger.account(isOver: true)
    }

    /// How the process ends: what was wrong first decides.
    var status: ExitStatus {
        if self.totals.ending == .interrupted { return .interrupted }
        if self.totals.ending == .unfinished { return .harness }
        if self.health.state == .invalid { return .harness }
        if case .aborted = self.totals.ending { return .failed }
        let causes = self.isWhole ? self.totals.unjudgedCauses : self.totals.causes
        if causes.contains(where: \.isHarness) { return .harness }
        switch self.emptiness {
        case .noIteration?: return .failed
        // Another part of the run may have something else.
        case .allSkipped?: if self.isWhole { return .nothingToRun }
        case nil: break
        }
        // What a part of a run may leave to the judgement of the whole one it does not judge itself.
        guard self.isWhole || self.totals.identity.thresholds.isEmpty else { return .success }
        guard self.unreadable.isEmpty, self.thresholds.allSatisfy({ $0.verdict == .passed }) else { return .failed }
        if causes.contains(where: \.isError) { return .script }
        return causes.isEmpty && self.isDelivered ? .success : .failed
    }

    /// Whether texts went the way they should, or a threshold says how many need not.
    private var isDelivered: Bool {
        guard self.isWhole else { return self.deliveries.isCleanInPart }
        return self.deliveries.isClean || !self.totals.deliveryThresholds.isEmpty
    }

    /// Why the run has shown nothing, if it came to its end and has shown nothing.
    var emptiness: RunEmptiness? { self.totals.ending == .finished ? self.totals.emptiness : nil }
}
