public import Metrics

/// The report of one load run for people: verdicts first, then curves, distributions, the ledger and the generator.
public struct LoadReport: Sendable {
    private let totals: LoadTotals
    private let outcomes: [ThresholdOutcome]
    private let errors: [ThresholdError]
    private let health: HealthVerdict
    private let deliveries: DeliveryAccount
    private let axis: TimeAxis

    /// How many trends are drawn; the figures of all stand in the table.
    private static let trendLimit = 12

    /// - Parameters:
    ///   - totals: The figures of the run.
    ///   - baseline: An earlier run, for thresholds that ask for one.
    ///   - metrics: What the run could have measured beside what it did.
    public init(_ totals: LoadTotals, baseline: LoadTotals? = nil, metrics: [Metric] = []) {
        self.totals = totals
        (self.outcomes, self.errors) = totals.thresholds(baseline: baseline, metrics: metrics)
        self.health = totals.healthVerdict
        self.deliveries = totals.ledger.account(isOver: true)
        self.axis = TimeAxis(totals)
    }

    /// Renders the file.
    ///
    /// - Returns: UTF-8.
    public func document() -> [UInt8] {
        var body = Markup()
        self.summary(to: &body)
        self.thresholds(to: &body)
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
            identity.shardCount == 1 ? "" : "\(identity.shardCount) shards",
            self.totals.startedAt ?? "",
        ].filter { !$0.isEmpty }.joined(separator: " · ")
        return LoadPage.document(title: "\(identity.title) · load report", facts: facts, body)
    }

    // MARK: Verdicts

    private func summary(to body: inout Markup) {
        body.raw("<section class=\"wide\"><h1>")
        body.text(self.totals.identity.title)
        body.raw(" <span class=\"badge \(self.health.state.rawValue)\">")
        body.text("generator \(self.health.state.rawValue)")
        body.raw("</span></h1>\n")
        let failed = self.outcomes.count { $0.verdict == .failed }
        let passed = self.outcomes.count { $0.verdict == .passed }
        var facts: [(String, String)] = [
            (
                "duration",
                TimeAxis.text(Double(self.totals.durationMicroseconds) / 1_000_000, isLong: self.axis.seconds >= 120)
            )
        ]
        if let users = self.users { facts.append(("most users at once", users)) }
        if !self.outcomes.isEmpty || !self.errors.isEmpty {
            let open = self.outcomes.count - failed - passed + self.errors.count
            facts.append(
                ("thresholds", "\(passed) passed, \(failed) failed" + (open > 0 ? ", \(open) not evaluated" : "")))
        }
        body.raw("<div class=\"figures\">")
        for (name, value) in facts {
            body.raw("<div>")
            body.element("b", value)
            body.element("span", name)
            body.raw("</div>")
        }
        body.raw("</div>\n")
        if self.deliveries.expected > 0 || !self.deliveries.isClean {
            body.raw("<p class=\"saying \(self.deliveries.isClean ? "passed" : "failed")\"><b>")
            body.text(self.deliveries.isClean ? "✓" : "✗")
            body.raw("</b> ")
            body.text(self.deliveries.line)
            body.raw("</p>\n")
        }
        switch self.totals.ending {
        case .finished: break
        case .aborted(let reason):
            self.say("failed", "✗", "ended before its time by a threshold: \(reason)", to: &body)
        case .interrupted: self.say("error", "!", "stopped from outside before its time", to: &body)
        }
        if let warning = self.totals.measurements.warning { self.say("error", "!", warning, to: &body) }
        for reason in self.health.reasons {
            self.say(self.health.state.rawValue, self.health.state == .invalid ? "✗" : "!", reason, to: &body)
        }
        body.raw("</section>\n")
    }

    private func say(_ look: String, _ mark: String, _ text: String, to body: inout Markup) {
        body.raw("<p class=\"saying \(look)\"><b>")
        body.text(mark)
        body.raw("</b> ")
        body.text(text)
        body.raw("</p>\n")
    }

    private var users: String? {
        guard let metric = self.totals.measurements.metric(named: "users"), metric.kind == .gauge else { return nil }
        return self.totals.measurements.timeline(of: "users").intervals.map(\.level).max().map(NumberText.grouped)
    }

    private func thresholds(to body: inout Markup) {
        guard !self.outcomes.isEmpty || !self.errors.isEmpty else { return }
        body.raw("<section class=\"sheet wide\"><h2>Thresholds</h2><div class=\"wide-table\">")
        var rows: [[Markup.Cell]] = self.outcomes.map { outcome in
            let word: String
            var said = ""
            switch outcome.verdict {
            case .passed: word = "passed"
            case .failed: word = "failed"
            case .notEvaluated(let reason):
                word = "not evaluated"
                said = reason
            }
            if let first = outcome.offending.first, outcome.windowCount > 1 {
                let from = self.axis.text(Double(first.span.lowerBound) / 1_000_000)
                said =
                    "\(outcome.offending.count) of \(outcome.windowCount) windows, the first at \(from) with "
                    + outcome.text(of: first.value)
            }
            return [
                .init(outcome.threshold.text), .init(outcome.value.map(outcome.text(of:)) ?? "–"),
                .init(word, look: word.replacing(" ", with: "_")), .init(said, look: "said"),
            ]
        }
        rows += self.errors.map {
            [.init($0.text), "–", .init("not evaluated", look: "not_evaluated"), .init($0.message, look: "said")]
        }
        body.table(["threshold", "figure", "verdict", ""], rows)
        body.raw("</div></section>\n")
    }

    // MARK: Figures and curves

    private var trendMetrics: [Metric] {
        self.totals.measurements.metrics.filter { metric in
            metric.kind == .trend && !self.totals.measurements.histogram(of: metric.name).isEmpty
        }
    }

    private func latencies(to body: inout Markup) {
        let metrics = self.trendMetrics
        guard !metrics.isEmpty else { return }
        body.raw("<section class=\"sheet wide\"><h2>Distributions</h2><div class=\"wide-table\">")
        var rows: [[Markup.Cell]] = []
        for metric in metrics {
            let total = self.totals.measurements.histogram(of: metric.name)
            rows.append(Self.row(metric.name, total, metric.unit))
            let series = self.totals.measurements.sortedSeries.filter {
                self.totals.measurements.metric(of: $0) == metric && !$0.tags.isEmpty
            }
            for part in series.prefix(8) where series.count > 1 {
                let tags = part.tags.map { "\($0.name)=\($0.value)" }.joined(separator: ", ")
                rows.append(Self.row("↳ \(tags)", part.total, metric.unit))
            }
        }
        body.table(["", "samples", "min", "mean", "p50", "p90", "p99", "p99.9", "max"], rows)
        let negative = metrics.map { self.totals.measurements.histogram(of: $0.name).negativeCount }.reduce(0, +)
        if negative > 0 {
            body.element(
                "p", look: "note",
                "\(NumberText.grouped(negative)) values were below zero and count as zero: the clocks of the machines differ"
            )
        }
        body.raw("</div></section>\n")
    }

    private static func row(_ name: String, _ histogram: Histogram, _ unit: MetricUnit) -> [Markup.Cell] {
        func text(_ value: Int64?) -> Markup.Cell {
            .init(value.map { NumberText.value(Double($0), unit: unit) } ?? "–")
        }
        let values = histogram.values(atPercentiles: [50, 90, 99, 99.9])
        return [.init(name), .init(NumberText.grouped(histogram.count)), text(histogram.minimum)]
            + [.init(histogram.mean.map { NumberText.value($0, unit: unit) } ?? "–")] + values.map(text)
            + [text(histogram.maximum)]
    }

    /// Rates, levels and errors over time.
    private func courses(to body: inout Markup) {
        let measured = self.totals.measurements
        func chart(
            _ title: String, _ kind: MetricKind, text: @escaping (Double) -> String,
            value: (Metric, Timeline) -> [Double?]
        ) {
            let metrics = measured.metrics.filter { $0.kind == kind }
            let timelines = metrics.map { ($0, measured.timeline(of: $0.name)) }.filter { !$0.1.intervals.isEmpty }
            guard let seconds = timelines.map(\.1.intervalSeconds).max() else { return }
            // Timelines whose last sample came early are finer; they are shown with the others' steps only if equal.
            let shown = timelines.filter { $0.1.intervalSeconds == seconds }
            let curves = shown.map { LineChart.Curve(name: $0.0.name, values: value($0.0, $0.1)) }
            body.raw("<section class=\"sheet wide\">")
            body.element("h2", title)
            body.append(
                LineChart(label: title, curves: curves, intervalSeconds: Double(seconds), text: text).draw(self.axis))
            let hidden = timelines.map(\.0.name).filter { name in
                !curves.prefix(LineChart.curveLimit).contains { $0.name == name }
            }
            if !hidden.isEmpty { body.element("p", look: "note", "not drawn: " + hidden.joined(separator: ", ")) }
            body.raw("</section>\n")
        }
        chart("Per second", .counter, text: { NumberText.value($0, unit: .count) }) { metric, timeline in
            let scale = metric.unit == .thousandths ? 1_000.0 : 1
            return self.filled(timeline) { Double($0.histogram.sum) / self.length(of: $0, timeline) / scale }
        }
        chart("Levels", .gauge, text: { NumberText.value($0, unit: .count) }) { metric, timeline in
            var level: Double?
            let scale = metric.unit == .thousandths ? 1_000.0 : 1
            return self.slots(timeline).map { interval in
                level = interval.map { Double($0.level) / scale } ?? level
                return level
            }
        }
        chart("Rates", .rate, text: { NumberText.decimal($0 * 100, decimals: 2) + "%" }) { _, timeline in
            self.slots(timeline).map { $0?.histogram.mean }
        }
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

    private func trends(to body: inout Markup) {
        let metrics = self.trendMetrics
        for metric in metrics.prefix(Self.trendLimit) {
            let total = self.totals.measurements.histogram(of: metric.name)
            body.raw("<section class=\"sheet wide\">")
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

    // MARK: Ledger, generator and the rest

    private func ledger(to body: inout Markup) {
        guard self.deliveries.sent > 0 || !self.deliveries.isClean else { return }
        let account = self.deliveries
        body.raw("<section class=\"sheet\"><h2>Delivery ledger</h2>")
        let rows: [(String, Int64, Bool)] = [
            ("messages sent", account.sent, false), ("deliveries expected", account.expected, false),
            ("delivered", account.delivered, false), ("lost", account.lost, true),
            ("duplicated", account.duplicated, true), ("out of order", account.reordered, true),
            ("to the wrong user", account.misdelivered, true), ("never sent", account.unexpected, true),
            ("of another run", account.foreign, true),
        ]
        body.table(
            ["", ""],
            rows.map { name, count, isBad in
                [.init(name), .init(NumberText.grouped(count), look: isBad && count > 0 ? "failed" : nil)]
            })
        let worst = self.totals.ledger.worstStreams(limit: 8)
        if !worst.isEmpty {
            body.element("h3", "worst senders")
            body.table(
                ["sender · channel", "lost", "doubled", "order", "wrong"],
                worst.map { stream in
                    let account = stream.account
                    return [.init("\(stream.sender) · \(stream.channel)")]
                        + [account.lost, account.duplicated, account.reordered, account.misdelivered].map {
                            .init(NumberText.grouped($0))
                        }
                })
        }
        body.raw("</section>\n")
    }

    private func generator(to body: inout Markup) {
        body.raw("<section class=\"sheet wide\"><h2>Load generator</h2><div class=\"wide-table\">")
        func time(_ value: Int64?) -> Markup.Cell {
            .init(value.map { NumberText.value(Double($0), unit: .microseconds) } ?? "–")
        }
        let rows = self.totals.health.prefix(64).map { shard, health -> [Markup.Cell] in
            let state = health.verdict().state.rawValue
            return [
                .init(self.totals.identity.shardCount == 1 ? "this machine" : "shard \(shard)"),
                .init(state, look: state),
                time(health.lateness.value(atPercentile: 99)), time(health.stalls.maximum),
                .init(
                    health.processor.value(atPercentile: 90).map {
                        "\(NumberText.decimal(Double($0) / 10, decimals: 0))%"
                    }
                        ?? "–"),
                .init(NumberText.value(Double(health.memoryPeakBytes), unit: .bytes)),
                time(health.scriptMicroseconds), time(health.collectionMicroseconds),
                .init(NumberText.grouped(health.arrivalsNotStarted)),
            ]
        }
        body.table(
            ["", "verdict", "late p99", "stall", "CPU p90", "memory", "Lua", "GC", "not started"], Array(rows))
        body.raw("</div>")
        if let floor = self.totals.calibration?.floor {
            let cost = self.totals.calibration?.roundTripsPerProcessorSecond.map {
                "; one second of processor time makes \(NumberText.grouped(Int64($0))) round trips"
            }
            body.element(
                "p", look: "note",
                "Floor by echo: median \(NumberText.value(Double(floor.medianMicroseconds), unit: .microseconds)), p99 "
                    + "\(NumberText.value(Double(floor.p99Microseconds), unit: .microseconds))\(cost ?? ""). No figure of "
                    + "the run can be below it.")
        }
        body.raw("</section>\n")
    }

    private func lateness(to body: inout Markup) {
        var late = Histogram()
        for (_, health) in self.totals.health { late.merge(health.lateness) }
        guard !late.isEmpty else { return }
        body.raw("<section class=\"sheet\"><h2>How late timers fired, by percentile</h2>")
        body.append(
            SpectrumChart(label: "timer lateness", curves: [("lateness", late)], unit: .microseconds)
                .draw(width: 520, height: 260))
        body.raw("</section>\n")
    }

    private func others(to body: inout Markup) {
        let measured = self.totals.measurements
        let series = measured.sortedSeries.filter { measured.metric(of: $0).kind != .trend && !$0.total.isEmpty }
        guard !series.isEmpty else { return }
        body.raw("<section class=\"sheet wide\"><h2>Counters, rates and levels</h2><div class=\"wide-table\">")
        let seconds = max(self.axis.seconds, 0.001)
        let rows = series.prefix(200).map { part -> [Markup.Cell] in
            let metric = measured.metric(of: part)
            let total = part.total
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
                figure = NumberText.value(Double(levels.last ?? 0), unit: metric.unit)
                speed = "at most " + NumberText.value(Double(levels.max() ?? 0), unit: metric.unit)
            case .counter, .trend:
                figure = NumberText.value(Double(total.sum), unit: metric.unit)
                speed = NumberText.value(Double(total.sum) / seconds, unit: metric.unit) + "/s"
            }
            return [.init(metric.name + tags), .init(metric.kind.rawValue), .init(figure), .init(speed)]
        }
        body.table(["", "kind", "figure", ""], Array(rows))
        if series.count > 200 { body.element("p", look: "note", "and \(series.count - 200) more series") }
        body.raw("</div></section>\n")
    }
}
