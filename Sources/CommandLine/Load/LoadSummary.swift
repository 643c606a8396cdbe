import Load
import Metrics
import RunRecord

/// What a load run came to, and how the process ends for it.
struct LoadSummary {
    let totals: LoadTotals
    /// What this process knows beside the result, if it played the run itself.
    let account: LoadRun.Account?
    let thresholds: [ThresholdOutcome]
    let health: HealthVerdict
    let deliveries: DeliveryAccount

    /// Whether the figures are those of the whole run and not of one of its parts.
    let isWhole: Bool

    init(totals: LoadTotals, account: LoadRun.Account?, baseline: LoadTotals?, isWhole: Bool, isJudgedOnHealth: Bool) {
        self.totals = totals
        self.account = account
        self.isWhole = isWhole
        // A part of a run cannot tell whether the whole one keeps its bounds.
        self.thresholds =
            isWhole ? totals.thresholds(baseline: baseline, metrics: BuiltInMetric.allCases.map(\.metric)).outcomes : []
        self.health = isJudgedOnHealth ? totals.healthVerdict : GeneratorHealth().verdict()
        self.deliveries = totals.ledger.account(isOver: true)
    }

    /// How the process ends: what was wrong first decides.
    var status: ExitStatus {
        if case .interrupted = self.totals.ending { return .interrupted }
        if self.health.state == .invalid { return .harness }
        let isKept = self.thresholds.allSatisfy { if case .passed = $0.verdict { true } else { false } }
        if case .aborted = self.totals.ending { return .failed }
        // Thresholds say how much may go wrong; without any, nothing may.
        guard self.thresholds.isEmpty else { return isKept ? .success : .failed }
        let problems = self.account?.problems ?? []
        guard problems.isEmpty else {
            return problems.contains { $0.example.category == .error } ? .script : .failed
        }
        return self.deliveries.lost == 0 && self.deliveries.misdelivered == 0 ? .success : .failed
    }
}
