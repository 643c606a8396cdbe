import Metrics

/// The parts of the page that are tables of figures.
extension LoadReport {
    /// The trends that have samples.
    var trendMetrics: [Metric] {
        self.totals.measurements.trends(leading: self.order).filter {
            !self.totals.measurements.histogram(of: $0.name).isEmpty
        }
    }

    /// So many parts of a metric have rows of their own.
    private static let partLimit = 30

    /// Writes the table of trends.
    func latencies(to body: inout Markup) {
        let metrics = self.trendMetrics
        guard !metrics.isEmpty else { return }
        body.raw("<section class=\"sheet wide\"><h2>Distributions</h2><div class=\"wide-table\" tabindex=\"0\">")
        var rows: [[Markup.Cell]] = []
        let parts = Dictionary(
            uniqueKeysWithValues: self.totals.measurements.seriesByMetric.map { ($0.metric.name, $0.series) })
        for metric in metrics {
            let total = self.totals.measurements.histogram(of: metric.name)
            rows.append(Self.row(metric.name, total, metric.unit))
            let series = (parts[metric.name] ?? []).filter { !$0.tags.isEmpty }
            for part in series.prefix(Self.partLimit) where series.count > 1 || part.tags.contains(where: \.isName) {
                let tags = part.tags.map { "\($0.name)=\($0.value)" }.joined(separator: ", ")
                rows.append(Self.row("↳ \(tags)", self.totals.measurements.total(of: part), metric.unit))
            }
        }
        body.table(["", "samples", "min", "mean", "p50", "p90", "p99", "p99.9", "max"], rows)
        let negative = metrics.map { self.totals.measurements.histogram(of: $0.name).negativeCount }.saturatingSum
        if negative > 0 {
            body.element(
                "p", look: "note",
                "\(NumberText.counted(negative, "value was", "values were")) below zero and "
                    + "\(negative == 1 ? "counts" : "count") as zero: the clocks of the machines differ"
            )
        }
        body.raw("</div></section>\n")
    }

    private static func row(_ name: String, _ histogram: Histogram, _ unit: MetricUnit) -> [Markup.Cell] {
        func text(_ value: Double?) -> Markup.Cell { .init(value.map { NumberText.value($0, unit: unit) } ?? "–") }
        let figures = histogram.figures(atPercentiles: [50, 90, 99, 99.9])
        return [.init(name), .init(NumberText.grouped(histogram.count)), text(histogram.leastFigure)]
            + [text(histogram.mean)] + figures.map(text) + [text(histogram.greatestFigure)]
    }

    /// Writes the table of the statuses that answers of HTTP had.
    func answers(to body: inout Markup) {
        guard let answers = self.totals.httpAnswers else { return }
        body.raw("<section class=\"sheet wide\"><h2>Answers of HTTP</h2>")
        body.element("p", look: "note", answers.text)
        body.raw("<div class=\"wide-table\" tabindex=\"0\">")
        let none = answers.unanswered > 0 ? [("no whole answer", answers.unanswered)] : []
        let rows = (answers.statuses.map { ($0.name, $0.count) } + none).map { name, count -> [Markup.Cell] in
            let share = NumberText.decimal(Double(count) / Double(max(1, answers.requests)) * 100, decimals: 3)
            let speed = NumberText.value(Double(count) / self.countedSeconds, unit: .count)
            return [.init(name), .init(NumberText.grouped(count)), .init("\(share)%"), .init("\(speed)/s")]
        }
        body.table(["status", "answers", "share", "speed"], rows)
        body.raw("</div></section>\n")
    }

    /// So many series that are no trends have rows.
    private static let seriesLimit = 200

    /// Writes the table of what is no trend.
    func others(to body: inout Markup) {
        let measured = self.totals.measurements
        let series = measured.sortedSeries.filter {
            measured.metric(of: $0).kind != .trend && !measured.total(of: $0).isEmpty
        }
        guard !series.isEmpty else { return }
        body.raw(
            "<section class=\"sheet wide\"><h2>Counters, rates and levels</h2><div class=\"wide-table\" tabindex=\"0\">"
        )
        let seconds = self.countedSeconds
        let rows = series.prefix(Self.seriesLimit).map { part -> [Markup.Cell] in
            let metric = measured.metric(of: part)
            let total = measured.total(of: part)
            let tags =
                part.tags.isEmpty ? "" : " {\(part.tags.map { "\($0.name)=\($0.value)" }.joined(separator: ", "))}"
            let figure: String
            let speed: String
            switch metric.kind {
            case .rate:
                figure = NumberText.decimal((total.mean ?? 0) * 100, decimals: 3) + "%"
                speed = "\(NumberText.grouped(total.sum)) of \(NumberText.grouped(total.count))"
            case .gauge:
                let levels = part.timeline.intervals.map(\.level)
                figure = NumberText.value(levels.last ?? 0, unit: metric.unit)
                speed = "at most " + NumberText.value(levels.max() ?? 0, unit: metric.unit)
            case .counter, .trend:
                figure = NumberText.value(total.total, unit: metric.unit)
                speed = NumberText.value(total.total / seconds, unit: metric.unit) + "/s"
            }
            return [.init(metric.name + tags), .init(metric.kind.rawValue), .init(figure), .init(speed)]
        }
        body.table(["", "kind", "figure", ""], Array(rows))
        if series.count > Self.seriesLimit {
            body.element("p", look: "note", "and \(series.count - Self.seriesLimit) more series")
        }
        body.raw("</div></section>\n")
    }
}
