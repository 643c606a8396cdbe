/// The figures of a run as tables (RFC 4180): one row for each series, and one for each series and interval.
///
/// Values are in the unit that the row names; times of intervals are seconds since the start of the run. `count` is how
/// many values there are, of a counter how much it grew; a counter has no percentiles.
public struct CSVOutput: Sendable {
    private let snapshot: LoadSnapshot

    /// Creates an output of a run as it stands.
    public init(_ snapshot: LoadSnapshot) {
        self.snapshot = snapshot
    }

    /// The table of totals.
    public var totals: String {
        let names = LoadSnapshot.percentiles.map(\.name)
        var rows = [["metric", "tags", "kind", "unit", "count", "sum", "min", "mean"] + names + ["max"]]
        for series in self.snapshot.measurements.sortedSeries {
            let metric = self.snapshot.measurements.metric(of: series)
            let total = series.total
            let values = total.values(of: metric.kind)
            let percentiles = values.figures(atPercentiles: LoadSnapshot.percentiles.map(\.percentile))
            rows.append(
                self.names(series, metric) + [
                    NumberText.exact(total.count(of: metric.kind)), NumberText.exact(total.total),
                    Self.text(values.leastFigure),
                    values.mean.map { mean in
                        metric.unit == .number ? NumberText.exact(mean) : NumberText.decimal(mean, decimals: 3)
                    } ?? "",
                ] + percentiles.map(Self.text) + [Self.text(values.greatestFigure)])
        }
        return Self.table(rows)
    }

    /// The table over time.
    public var intervals: String {
        var rows = [
            [
                "second", "seconds", "metric", "tags", "kind", "unit", "count", "sum", "min", "p50", "p99", "max",
                "level",
            ]
        ]
        for series in self.snapshot.measurements.sortedSeries {
            let metric = self.snapshot.measurements.metric(of: series)
            let seconds = series.timeline.intervalSeconds
            for interval in series.timeline.intervals {
                let histogram = interval.histogram
                let values = histogram.values(of: metric.kind)
                let percentiles = values.figures(atPercentiles: [50, 99])
                rows.append(
                    ["\(interval.index * seconds)", "\(seconds)"] + self.names(series, metric) + [
                        NumberText.exact(histogram.count(of: metric.kind)), NumberText.exact(histogram.total),
                        Self.text(values.leastFigure), Self.text(percentiles[0]), Self.text(percentiles[1]),
                        Self.text(values.greatestFigure),
                        metric.kind == .gauge ? NumberText.exact(interval.level) : "",
                    ])
            }
        }
        return Self.table(rows)
    }

    private func names(_ series: Series, _ metric: Metric) -> [String] {
        [metric.name, series.tagText, metric.kind.rawValue, metric.unit.rawValue]
    }

    private static func text(_ value: Double?) -> String { value.map(NumberText.exact) ?? "" }

    private static func table(_ rows: [[String]]) -> String {
        rows.map { $0.map(Self.field).joined(separator: ",") + "\r\n" }.joined()
    }

    private static func field(_ text: String) -> String {
        guard text.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else { return text }
        // Byte by byte: with a combining mark behind it a quotation mark is another character here.
        let parts = text.utf8.split(separator: 0x22, omittingEmptySubsequences: false).map(Substring.init)
        return "\"" + parts.joined(separator: "\"\"") + "\""
    }
}
