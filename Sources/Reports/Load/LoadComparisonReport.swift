public import Metrics

/// The report that lays two sets of load runs over each other: what changed, by how much, and how sure that is.
public struct LoadComparisonReport: Sendable {
    private let before: [LoadTotals]
    private let after: [LoadTotals]
    private let comparison: Comparison

    /// - Parameters:
    ///   - before: The runs to compare with, at least one.
    ///   - after: The runs to judge, at least one.
    ///   - seed: Of the drawing that intervals of confidence come from.
    public init(before: [LoadTotals], after: [LoadTotals], seed: UInt64 = 1) {
        self.before = before
        self.after = after
        self.comparison = Comparison(
            before: before.map(Comparison.Run.init), after: after.map(Comparison.Run.init), seed: seed)
    }

    /// The figures, for the console and for who decides on an exit code.
    public var rows: [ComparisonRow] { self.comparison.rows }

    /// Renders the file.
    ///
    /// - Returns: UTF-8.
    public func document() -> [UInt8] {
        var body = Markup()
        let changed = self.comparison.rows.count { $0.verdict == .changed }
        body.raw("<section class=\"wide\">")
        body.element(
            "h1", changed == 0 ? "No change that could not be chance" : "\(changed) figures changed")
        for (name, runs) in [("before", self.before), ("after", self.after)] {
            let texts = runs.map { "\($0.identity.runID)" + ($0.startedAt.map { " (\($0))" } ?? "") }
            let title = runs.first?.identity.title ?? ""
            body.element(
                "p", look: "saying",
                "\(name): \(title), \(texts.count == 1 ? "run" : "runs") " + texts.joined(separator: ", "))
        }
        for caveat in self.comparison.caveats + self.warnings { body.element("p", look: "note", caveat) }
        body.raw("</section>\n<section class=\"sheet wide\"><h2>Figures</h2><div class=\"wide-table\">")
        body.table(
            ["", "", "before", "after", "change"],
            self.comparison.rows.map { row in
                [
                    .init(row.metric.name), .init(row.figure), .init(Self.text(row, row.before)),
                    .init(Self.text(row, row.after)),
                    .init(row.text, look: row.verdict == .changed ? "changed" : "said"),
                ]
            })
        body.raw("</div></section>\n")
        for metric in self.metrics {
            body.raw("<section class=\"sheet\">")
            body.element("h2", metric.name)
            body.raw(
                "<p class=\"legend\"><span class=\"c0\"><i></i> before</span><span class=\"c1\"><i></i> after</span></p>"
            )
            body.append(
                SpectrumChart(
                    label: "\(metric.name) by percentile",
                    curves: [("before", Self.sum(self.before, metric)), ("after", Self.sum(self.after, metric))],
                    unit: metric.unit
                ).draw(width: 560, height: 260))
            body.raw("</section>\n")
        }
        let title = (self.after.first ?? self.before.first)?.identity.title ?? "load"
        return LoadPage.document(title: "\(title) · comparison", facts: "comparison of load runs", body)
    }

    /// What weakens the comparison on either side: a generator that was not fit.
    private var warnings: [String] {
        [("before", self.before), ("after", self.after)].flatMap { name, runs in
            runs.filter { $0.healthVerdict.state != .valid }.map { run in
                "\(name), run \(run.identity.runID): the generator was \(run.healthVerdict.line)"
            }
        }
    }

    private var metrics: [Metric] {
        var names: Set<String> = []
        return self.comparison.rows.map(\.metric).filter { $0.kind == .trend && names.insert($0.name).inserted }
    }

    private static func sum(_ runs: [LoadTotals], _ metric: Metric) -> Histogram {
        var sum = Histogram()
        for run in runs { sum.merge(run.measurements.histogram(of: metric.name)) }
        return sum
    }

    private static func text(_ row: ComparisonRow, _ value: Double?) -> String {
        guard let value else { return "–" }
        if row.metric.kind == .rate { return NumberText.decimal(value * 100, decimals: 3) + "%" }
        return NumberText.value(value, unit: row.metric.unit) + (row.metric.kind == .counter ? "/s" : "")
    }
}
