internal import Machines

/// The figures of two sets of runs side by side, with what can honestly be said about each difference.
///
/// Intervals of confidence come from drawing stretches of intervals, and runs where there are several, anew many times.
/// The drawing is seeded, so a comparison of the same files says the same. One run on each side cannot tell how much
/// runs differ by themselves; several of each can.
public struct Comparison: Sendable {
    /// A run of one side.
    public struct Run: Sendable {
        /// What it measured.
        public let measurements: Measurements
        /// How long it took, in microseconds.
        public let durationMicroseconds: Int64

        /// Creates a run.
        public init(measurements: Measurements, durationMicroseconds: Int64) {
            self.measurements = measurements
            self.durationMicroseconds = durationMicroseconds
        }

        /// Creates a run of what all of its shards came to.
        public init(_ totals: LoadTotals) {
            self.init(measurements: totals.measurements, durationMicroseconds: totals.durationMicroseconds)
        }
    }

    /// The figures, by metric.
    public let rows: [ComparisonRow]
    /// What limits the comparison as a whole.
    public let caveats: [String]

    /// How sure intervals are. Defined here: with dozens of figures side by side, 95 % would cry wolf in each report.
    public static let confidence = 0.99
    private static let drawCount = 500
    private static let percentiles: [(name: String, percentile: Double)] = [
        ("p50", 50), ("p90", 90), ("p99", 99), ("p99.9", 99.9),
    ]

    /// Compares runs.
    ///
    /// - Parameters:
    ///   - before: The runs to compare with, at least one.
    ///   - after: The runs to judge, at least one.
    ///   - seed: Of the drawing.
    public init(before: [Run], after: [Run], seed: UInt64 = 1) {
        var caveats: [String] = []
        if before.count < 3 || after.count < 3 {
            caveats.append(
                "with fewer than three runs on a side, how much runs differ by themselves is not in the intervals")
        }
        let others = after.flatMap { $0.measurements.metrics }
        var metrics: [Metric] = []
        for metric in before.flatMap({ $0.measurements.metrics }) where !metrics.contains(metric) {
            if others.contains(metric) { metrics.append(metric) }
        }
        let names = Set((before + after).flatMap { $0.measurements.metrics.map(\.name) })
        let missing = names.subtracting(metrics.map(\.name)).sorted()
        if !missing.isEmpty { caveats.append("only on one side: " + missing.joined(separator: ", ")) }
        var rows: [ComparisonRow] = []
        for metric in metrics.sorted(by: { $0.name < $1.name }) {
            // Each metric draws by itself, so that one more of them does not change what is said of the others.
            rows += Self.rows(
                of: metric, before: before, after: after, random: RandomSource(seed: seed).derived(for: metric.name))
        }
        self.rows = rows
        self.caveats = caveats
    }

    private static func rows(of metric: Metric, before: [Run], after: [Run], random: RandomSource) -> [ComparisonRow] {
        let left = Side(before, metric)
        let right = Side(after, metric)
        let figures = Self.figures(of: metric)
        var random = random
        var changes = [[Double]](repeating: [], count: figures.count)
        for _ in 0..<Self.drawCount {
            let leftDraw = left.bootstrap.draw(&random)
            let rightDraw = right.bootstrap.draw(&random)
            for (place, figure) in figures.enumerated() {
                guard let old = figure.value(leftDraw), let new = figure.value(rightDraw),
                    let change = Self.change(metric, old, new)
                else { continue }
                changes[place].append(change)
            }
        }
        return zip(figures, changes).map { figure, changes in
            self.row(metric, figure, left: left, right: right, changes: changes.sorted())
        }
    }

    /// One side's samples of one metric.
    private struct Side {
        let bootstrap: Bootstrap
        let total: Histogram
        let everything: Draw

        init(_ runs: [Run], _ metric: Metric) {
            self.bootstrap = Bootstrap(
                runs.map { $0.measurements.timeline(of: metric.name) }, durations: runs.map(\.durationMicroseconds),
                starts: runs.map { $0.measurements.phases.countedStart })
            self.everything = self.bootstrap.everything
            var total = Histogram()
            for run in runs { total.merge(run.measurements.histogram(of: metric.name)) }
            self.total = total
        }
    }

    /// One figure of a metric: how it is made, and how many samples are too few for it.
    private struct Figure {
        let name: String
        let value: (Draw) -> Double?
        /// The figure from the finer histogram of the whole run, where there is one.
        let exact: (Histogram) -> Double?
        let leastSamples: Int64
    }

    private static func figures(of metric: Metric) -> [Figure] {
        switch metric.kind {
        // Intervals are drawn by slots, in which what is below zero has no place.
        case .trend where metric.unit == .number:
            [Figure(name: "mean", value: { $0.mean }, exact: { $0.mean }, leastSamples: 20)]
        case .trend:
            Self.percentiles.map { name, percentile in
                Figure(
                    name: name, value: { $0.value(atPercentile: percentile) },
                    exact: { $0.value(atPercentile: percentile).map(Double.init) },
                    // At least ten samples must lie beyond it, or it is what a few of them happened to be.
                    leastSamples: Int64((10 / (1 - percentile / 100)).rounded()))
            } + [Figure(name: "mean", value: { $0.mean }, exact: { $0.mean }, leastSamples: 20)]
        case .counter: [Figure(name: "per second", value: { $0.perSecond }, exact: { _ in nil }, leastSamples: 10)]
        case .rate: [Figure(name: "share", value: { $0.mean }, exact: { $0.mean }, leastSamples: 100)]
        case .gauge: [Figure(name: "level", value: { $0.meanLevel }, exact: { _ in nil }, leastSamples: 10)]
        }
    }

    /// The relative change, or the difference of shares; nil where there was nothing to relate to.
    private static func change(_ metric: Metric, _ old: Double, _ new: Double) -> Double? {
        if metric.kind == .rate { return new - old }
        if old == 0 { return new == 0 ? 0 : nil }
        return (new - old) / abs(old)
    }

    /// The intervals with samples below which nothing is said.
    private static let leastIntervals = 10

    private static func row(
        _ metric: Metric, _ figure: Figure, left: Side, right: Side, changes: [Double]
    ) -> ComparisonRow {
        let old = figure.exact(left.total) ?? figure.value(left.everything)
        let new = figure.exact(right.total) ?? figure.value(right.everything)
        let change = old.flatMap { old in new.flatMap { Self.change(metric, old, $0) } }
        func row(_ verdict: ComparisonRow.Verdict, _ interval: ClosedRange<Double>? = nil) -> ComparisonRow {
            ComparisonRow(
                metric: metric, figure: figure.name, before: old, after: new, change: change, interval: interval,
                confidence: Self.confidence, verdict: verdict)
        }
        for (side, name) in [(left, "before"), (right, "after")] {
            if side.total.count < figure.leastSamples {
                return row(
                    .tooFewSamples(
                        "\(NumberText.grouped(side.total.count)) \(name), \(figure.name) needs "
                            + NumberText.grouped(figure.leastSamples)))
            }
            if side.bootstrap.filledCount < Self.leastIntervals {
                return row(
                    .tooFewSamples(
                        "they are from \(NumberText.counted(side.bootstrap.filledCount, "interval")) \(name), at least "
                            + "\(Self.leastIntervals) are needed"))
            }
        }
        guard let change, changes.count >= Self.drawCount / 2 else { return row(.tooFewSamples("there is no figure")) }
        let tail = (1 - Self.confidence) / 2
        let low = changes[Int(Double(changes.count - 1) * tail)]
        let high = changes[Int((Double(changes.count - 1) * (1 - tail)).rounded(.up))]
        // The figure itself is told apart more finely than what was drawn from, and may lie just beside it.
        let interval = min(low, change)...max(high, change)
        let isBelowResolution = metric.kind != .rate && abs(change) < 0.001
        return row(interval.contains(0) || isBelowResolution ? .noChange : .changed, interval)
    }
}
