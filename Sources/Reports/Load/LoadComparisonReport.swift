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
            "h1",
            changed == 0
                ? "No change that could not be chance"
                : "\(changed) of \(NumberText.counted(self.comparison.rows.count, "figure")) changed")
        for side in self.sides { body.element("p", look: "saying", side) }
        for note in self.notes { body.element("p", look: "note", note) }
        body.raw("</section>\n<section class=\"sheet wide\"><h2>Figures</h2><div class=\"wide-table\" tabindex=\"0\">")
        self.figures(to: &body)
        body.raw("</div></section>\n")
        self.spectra(to: &body)
        let title = (self.after.first ?? self.before.first)?.identity.title ?? "load"
        return LoadPage.document(title: "\(title) · comparison", facts: "comparison of load runs", body)
    }

    /// Writes the table of figures.
    private func figures(to body: inout Markup) {
        var name = ""
        body.table(
            ["", "", "before", "after", ""],
            self.comparison.rows.map { row in
                defer { name = row.metric.name }
                let look = row.tendency?.rawValue ?? (row.verdict == .changed ? "changed" : "")
                return [
                    .init(row.metric.name == name ? "" : row.metric.name), .init(row.figure),
                    .init(Self.text(row, row.before)), .init(Self.text(row, row.after)),
                    .init(row.text + (row.tendency.map { " \($0.rawValue)" } ?? ""), look: "change \(look)"),
                ]
            })
    }

    /// Writes each trend of both sides by percentile.
    private func spectra(to body: inout Markup) {
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
    }

    /// Which runs are compared, a line for each side.
    var sides: [String] {
        self.named.map { name, runs in
            let texts = runs.map { "\($0.identity.runID)" + ($0.startedAt.map { " (\($0))" } ?? "") }
            let deliveries = runs.map(\.deliveries).filter { $0.expected > 0 }
            let lost = NumberText.grouped(deliveries.map(\.lost).saturatingSum)
            let expected = NumberText.counted(deliveries.map(\.expected).saturatingSum, "delivery", "deliveries")
            return "\(name): \(runs.first?.identity.title ?? ""), \(texts.count == 1 ? "run" : "runs") "
                + texts.joined(separator: ", ")
                + (deliveries.isEmpty ? "" : "; \(lost) of \(expected) lost")
        }
    }

    /// What limits or weakens the comparison: too few runs, other plans, a generator that was not fit, a run that was
    /// cut short.
    var notes: [String] {
        var notes = self.comparison.caveats
        // Runs of one seed differ in their plan only if they were given another load or other files.
        let plans = Dictionary(grouping: self.before + self.after) { $0.identity.seed }
        if plans.values.contains(where: { Set($0.map(\.identity.planHash)).count > 1 }) {
            notes.append("runs of one seed had different loads or scripts, so figures differ by themselves")
        }
        for (name, runs) in self.named {
            for run in runs {
                if run.ending != .finished {
                    notes.append("\(name), run \(run.identity.runID): it was ended before its time")
                }
                if run.healthVerdict.state != .valid {
                    notes.append("\(name), run \(run.identity.runID): the generator was \(run.healthVerdict.line)")
                }
            }
        }
        return notes
    }

    private var named: [(String, [LoadTotals])] { [("before", self.before), ("after", self.after)] }

    /// The trends that are drawn: those that took any time.
    private var metrics: [Metric] {
        var names: Set<String> = []
        return self.comparison.rows.map(\.metric).filter { metric in
            guard metric.kind == .trend, names.insert(metric.name).inserted else { return false }
            return [self.before, self.after].contains { (Self.sum($0, metric).greatestFigure ?? 0) > 0 }
        }
    }

    private static func sum(_ runs: [LoadTotals], _ metric: Metric) -> Histogram {
        var sum = Histogram()
        for run in runs { sum.merge(run.measurements.histogram(of: metric.name)) }
        return sum
    }

    static func text(_ row: ComparisonRow, _ value: Double?) -> String {
        guard let value else { return "–" }
        if row.metric.kind == .rate { return NumberText.decimal(value * 100, decimals: 3) + "%" }
        return NumberText.value(value, unit: row.metric.unit) + (row.metric.kind == .counter ? "/s" : "")
    }
}
