import Metrics

/// The parts of the page that are drawn.
extension LoadReport {
    /// How many trends are drawn; the figures of all stand in the table.
    private static let trendLimit = 12

    /// The figures of every run of which more is worse.
    private static let troubles: Set<String> = [
        "errors", "failures", "broken_off", "rate_limited", "http_failed", "http_repeated",
    ]

    /// Rates, levels and errors over time.
    func courses(to body: inout Markup) {
        let measured = self.totals.measurements
        func metrics(_ kind: MetricKind) -> [Metric] { measured.metrics.filter { $0.kind == kind } }
        // What was never above zero says so in the table, and would be a line on the axis.
        func isAboveZero(_ metric: Metric) -> Bool { measured.histogram(of: metric.name).total > 0 }
        func growth(_ timeline: Timeline) -> [Double?] {
            self.filled(timeline) { $0.histogram.total / self.length(of: $0, timeline) }
        }
        // Beside sizes, numbers of things would be lines on the axis. The bytes of compression are among these: their
        // metrics are older than the unit, and files of earlier runs have them as numbers.
        let counters = metrics(.counter)
        self.course(
            "Per second", of: counters.filter { !$0.isSize }, text: { NumberText.value($0, unit: .count) },
            to: &body, value: growth)
        self.course(
            "Bytes per second", of: counters.filter { $0.isSize && isAboveZero($0) },
            text: { NumberText.value($0, unit: .bytes) }, to: &body, value: growth)
        self.course("Levels", of: metrics(.gauge), text: { NumberText.value($0, unit: .count) }, to: &body) {
            timeline in
            var level: Double?
            return self.slots(timeline).map { interval in
                level = interval?.level ?? level
                return level
            }
        }
        self.course(
            "Rates", of: metrics(.rate).filter(isAboveZero), limit: 1,
            text: { NumberText.decimal($0 * 100, decimals: 2) + "%" }, to: &body
        ) { timeline in
            self.slots(timeline).map { $0?.histogram.mean }
        }
    }

    /// Writes a chart of metrics over time, if any of them has a sample.
    ///
    /// - Parameters:
    ///   - limit: What no value can be above.
    ///   - text: The text of a value.
    ///   - value: Returns the values of a metric, one for each interval from the start of the run.
    private func course(
        _ title: String, of metrics: [Metric], limit: Double = .infinity, text: @escaping (Double) -> String,
        to body: inout Markup, value: (Timeline) -> [Double?]
    ) {
        let timelines = metrics.map { ($0, self.totals.measurements.timeline(of: $0.name)) }
            .filter { !$0.1.intervals.isEmpty }
        guard let seconds = timelines.map(\.1.intervalSeconds).max() else { return }
        // Timelines whose last sample came early are finer; they are shown with the others' steps only if equal.
        let curves = timelines.filter { $0.1.intervalSeconds == seconds }.map {
            LineChart.Curve(name: $0.0.name, values: value($0.1), isTrouble: Self.troubles.contains($0.0.name))
        }
        body.raw("<section class=\"sheet wide\" tabindex=\"0\">")
        body.element("h2", title)
        body.append(
            LineChart(label: title, curves: curves, intervalSeconds: Double(seconds), limit: limit, text: text)
                .draw(self.axis))
        let hidden = timelines.map(\.0.name).filter { name in
            !curves.prefix(LineChart.curveLimit).contains { $0.name == name }
        }
        if !hidden.isEmpty { body.element("p", look: "note", "not drawn: " + hidden.joined(separator: ", ")) }
        body.raw("</section>\n")
    }

    /// How many seconds of an interval the run lasted; the last one is usually cut short.
    private func length(of interval: Timeline.Interval, _ timeline: Timeline) -> Double {
        let full = Double(timeline.intervalSeconds)
        let left = self.axis.seconds - Double(interval.index) * full
        return left > 0.2 * full ? min(full, left) : full
    }

    /// The intervals from the start on, nil where nothing was recorded.
    private func slots(_ timeline: Timeline) -> [Timeline.Interval?] {
        var slots = [Timeline.Interval?](repeating: nil, count: (timeline.intervals.last?.index ?? -1) + 1)
        for interval in timeline.intervals { slots[interval.index] = interval }
        return slots
    }

    private func filled(_ timeline: Timeline, _ value: (Timeline.Interval) -> Double) -> [Double?] {
        self.slots(timeline).map { $0.map(value) ?? 0 }
    }

    /// Writes each trend over time and by percentile.
    func trends(to body: inout Markup) {
        let metrics = self.trendMetrics
        for metric in metrics.prefix(Self.trendLimit) {
            let total = self.totals.measurements.histogram(of: metric.name)
            body.raw("<section class=\"sheet wide\" tabindex=\"0\">")
            body.element("h2", metric.name)
            body.raw(
                "<div class=\"pair\"><div><h3 class=\"legend\">over time: <span class=\"median\"><i></i> median</span> <span class=\"tail\"><i></i> p99</span></h3>\n"
            )
            body.append(
                HeatMap(
                    label: "\(metric.name) over time", timeline: self.totals.measurements.timeline(of: metric.name),
                    metric: metric
                ).draw(self.axis))
            body.raw("</div><div><h3>by percentile</h3>\n")
            body.append(
                SpectrumChart(
                    label: "\(metric.name) by percentile", curves: [(metric.name, total)], unit: metric.unit
                ).draw())
            body.raw("</div></div></section>\n")
        }
        if metrics.count > Self.trendLimit {
            body.element(
                "p", look: "note wide",
                "not drawn: " + metrics.dropFirst(Self.trendLimit).map(\.name).joined(separator: ", "))
        }
    }
}
