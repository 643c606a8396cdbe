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
    /// What people should know of the run beside its figures.
    let notes: [String]
    /// Whether the run goes on while somebody reads this; otherwise one without an end has broken off.
    private(set) var isPlaying = false

    /// - Parameters:
    ///   - totals: The figures of the run.
    ///   - baseline: An earlier run, for thresholds that ask for one.
    ///   - metrics: What the run could have measured beside what it did, in the order in which it is shown.
    ///   - notes: What people should know of the run beside its figures, such as that its baseline is of another file.
    public init(
        _ totals: LoadTotals, baseline: LoadTotals? = nil, metrics: [Metric] = [], notes: [String] = []
    ) {
        self.totals = totals
        (self.outcomes, self.errors) = totals.thresholds(baseline: baseline, metrics: metrics)
        self.health = totals.healthVerdict
        self.deliveries = totals.deliveries
        self.axis = TimeAxis(totals)
        self.order = metrics.map(\.name)
        self.notes = notes
    }

    /// What the page shows of a run, for a page that follows it while it goes.
    public struct Content: Sendable {
        /// The name of the window.
        public let title: String

        /// What stands beside the name of the tool at the top.
        public let facts: String

        /// The markup of everything else.
        public let markup: String
    }

    /// Renders the file.
    ///
    /// - Returns: UTF-8.
    public func document() -> [UInt8] {
        LoadPage.document(title: self.title, facts: self.facts, self.body)
    }

    /// Renders what a page that follows the run puts in place of what it has shown before.
    ///
    /// - Parameter isPlaying: Whether the run goes on.
    public func content(isPlaying: Bool) -> Content {
        var report = self
        report.isPlaying = isPlaying
        return Content(
            title: report.title, facts: report.facts, markup: String(decoding: report.body.bytes, as: UTF8.self))
    }

    /// The page that follows a run; it asks for all that it shows.
    ///
    /// UTF-8.
    public static let liveDocument: [UInt8] = {
        var body = Markup()
        body.element("h1", "No user has begun yet")
        return LoadPage.document(title: "repartee", facts: "", body, isLive: true)
    }()

    private var title: String {
        let identity = self.totals.identity
        let state = self.isPlaying ? self.totals.progress : self.totals.unfinishedProblem
        let title = state.map { "\($0) · \(identity.title)" } ?? identity.title
        return "\(title) · load report"
    }

    private var facts: String {
        let identity = self.totals.identity
        return [
            "run \(identity.runID)", "seed \(identity.seed)",
            identity.shardCount == identity.cores ? "" : "\(identity.shardCount / identity.cores) shards",
            identity.cores == 1 ? "" : "\(identity.cores) cores",
            identity.isVirtual ? "virtual time" : "", "target \(identity.target)", self.totals.startedAt ?? "",
        ].filter { !$0.isEmpty }.joined(separator: " · ")
    }

    private var body: Markup {
        var body = Markup()
        self.summary(to: &body)
        self.thresholds(to: &body)
        self.causes(to: &body)
        self.skips(to: &body)
        self.answers(to: &body)
        self.latencies(to: &body)
        self.courses(to: &body)
        self.trends(to: &body)
        self.generator(to: &body)
        self.ledger(to: &body)
        self.lateness(to: &body)
        self.others(to: &body)
        return body
    }
}
