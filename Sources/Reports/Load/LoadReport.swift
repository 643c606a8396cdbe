public import Metrics

/// The report of one load run for people: verdicts first, then curves, distributions, the ledger and the generator.
public struct LoadReport: Sendable {
    let totals: LoadTotals
    let outcomes: [ThresholdOutcome]
    let errors: [ThresholdError]
    let health: HealthVerdict
    let deliveries: DeliveryAccount
    let axis: TimeAxis
    /// The names of metrics in the order in which they are shown; those that are not in it come after.
    let order: [String]

    /// - Parameters:
    ///   - totals: The figures of the run.
    ///   - baseline: An earlier run, for thresholds that ask for one.
    ///   - metrics: What the run could have measured beside what it did, in the order in which it is shown.
    public init(_ totals: LoadTotals, baseline: LoadTotals? = nil, metrics: [Metric] = []) {
        self.totals = totals
        (self.outcomes, self.errors) = totals.thresholds(baseline: baseline, metrics: metrics)
        self.health = totals.healthVerdict
        self.deliveries = totals.ledger.account(isOver: true)
        self.axis = TimeAxis(totals)
        self.order = metrics.map(\.name)
    }

    /// Renders the file.
    ///
    /// - Returns: UTF-8.
    public func document() -> [UInt8] {
        var body = Markup()
        self.summary(to: &body)
        self.thresholds(to: &body)
        self.causes(to: &body)
        self.latencies(to: &body)
        self.courses(to: &body)
        self.trends(to: &body)
        self.generator(to: &body)
        self.ledger(to: &body)
        self.lateness(to: &body)
        self.others(to: &body)
        let identity = self.totals.identity
        let facts = [
            "run \(identity.runID)", "seed \(identity.seed)",
            identity.shardCount == identity.cores ? "" : "\(identity.shardCount / identity.cores) shards",
            identity.cores == 1 ? "" : "\(identity.cores) cores",
            identity.isVirtual ? "virtual time" : "", "target \(identity.target)", self.totals.startedAt ?? "",
        ].filter { !$0.isEmpty }.joined(separator: " · ")
        let title = self.totals.unfinishedProblem.map { "\($0) · \(identity.title)" } ?? identity.title
        return LoadPage.document(title: "\(title) · load report", facts: facts, body)
    }
}
