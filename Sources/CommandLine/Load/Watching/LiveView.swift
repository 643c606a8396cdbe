package import Load
package import Metrics
import Reports

/// The view of a run that is redrawn in place on a terminal: how far it is, rates, times, errors and verdicts.
///
/// A pure function of a snapshot and of the size of the terminal.
package struct LiveView {
    /// What does not change while the run goes.
    package struct Run: Sendable {
        /// When no more users begin, in microseconds since the start of the run.
        let lengthMicroseconds: Int64
        /// Whether the run ends with its iterations and not with its time.
        let isCounted: Bool
        let phases: Phases
        let thresholds: [Threshold]
        let baseline: LoadTotals?

        package init(
            lengthMicroseconds: Int64, isCounted: Bool = false, phases: Phases = Phases(),
            thresholds: [Threshold] = [], baseline: LoadTotals? = nil
        ) {
            self.lengthMicroseconds = lengthMicroseconds
            self.isCounted = isCounted
            self.phases = phases
            self.thresholds = thresholds
            self.baseline = baseline
        }
    }

    /// What happened between two snapshots, per second.
    package struct Rates: Sendable {
        var iterations = 0.0
        var texts = 0.0

        package init(iterations: Double, texts: Double) {
            self.iterations = iterations
            self.texts = texts
        }
    }

    let run: Run
    let progress: LoadProgress
    let rates: Rates
    /// Whether the run was asked to end.
    let isStopping: Bool

    package init(run: Run, progress: LoadProgress, rates: Rates, isStopping: Bool = false) {
        self.run = run
        self.progress = progress
        self.rates = rates
        self.isStopping = isStopping
    }

    /// How many thresholds that are broken are named.
    private static let thresholdLimit = 3
    /// The column of percentiles that shows what was measured last.
    private static let recentSeconds = 10

    /// Part of a line, with its color.
    private struct Piece {
        let text: String
        var color: ConsoleColor?
    }

    /// Returns the lines, none wider and all together not higher than given.
    ///
    /// - Parameters:
    ///   - width: The columns of the terminal.
    ///   - height: Its rows; the last one stays free for the cursor.
    ///   - usesColors: Whether colors may be used; without them there is no control character in the lines.
    package func lines(width: Int, height: Int, usesColors: Bool) -> [String] {
        // A line as wide as the terminal would make some terminals begin a new one.
        let width = max(1, width - 1)
        let verdicts = self.verdicts
        let head = [self.state, self.bar(width), self.counts]
        let room = max(0, height - 1 - head.count - verdicts.count)
        let times = Array(self.times.prefix(room))
        return (head + times + verdicts).prefix(max(1, height - 1)).map {
            Self.line($0, width: width, usesColors: usesColors)
        }
    }

    private static func line(_ pieces: [Piece], width: Int, usesColors: Bool) -> String {
        var line = ""
        var left = width
        for piece in pieces where left > 0 {
            let text = TerminalText.clipped(piece.text, to: left)
            left -= TerminalText.width(of: text)
            line += usesColors ? piece.color.map { $0.paint(text) } ?? text : text
        }
        return line
    }

    // MARK: How far it is

    private var seconds: Double { Double(self.progress.atMicroseconds) / 1_000_000 }

    /// From 0 to 1.
    private var share: Double {
        if self.run.isCounted, self.progress.starts.planned > 0 {
            let done = self.progress.starts.planned - self.progress.starts.pending - self.progress.starts.running
            return min(1, max(0, Double(done) / Double(self.progress.starts.planned)))
        }
        guard self.run.lengthMicroseconds > 0 else { return 0 }
        return min(1, Double(self.progress.atMicroseconds) / Double(self.run.lengthMicroseconds))
    }

    private var state: [Piece] {
        var pieces = [Piece(text: Self.time(self.seconds), color: .bold)]
        if self.run.isCounted {
            let planned = NumberText.counted(self.progress.starts.planned, "iteration")
            pieces.append(
                Piece(text: "  \(NumberText.grouped(Int64(self.progress.starts.finished))) of \(planned)"))
        } else {
            pieces.append(Piece(text: " of \(Self.time(Double(self.run.lengthMicroseconds) / 1_000_000))"))
        }
        pieces.append(Piece(text: "  \(self.phase)", color: self.isStopping ? .yellow : .bold))
        pieces.append(Piece(text: "  \(NumberText.counted(self.progress.users, "user"))"))
        return pieces
    }

    private var phase: String {
        if self.isStopping { return "stopping; interrupt again to break users off" }
        if !self.run.isCounted, self.progress.atMicroseconds >= self.run.lengthMicroseconds {
            return "users finish"
        }
        let list = self.run.phases.list
        return list.last { $0.startMicroseconds <= self.progress.atMicroseconds }?.name ?? list[0].name
    }

    private func bar(_ width: Int) -> [Piece] {
        let percent = " \(Int(self.share * 100))%"
        let room = max(0, min(width, 100) - percent.count)
        let done = Int(self.share * Double(room))
        return [
            Piece(text: String(repeating: "━", count: done), color: .green),
            Piece(text: String(repeating: "─", count: room - done), color: .faint), Piece(text: percent),
        ]
    }

    private static func time(_ seconds: Double) -> String {
        let whole = Int(max(0, seconds))
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        if whole < 120 { return "\(whole)s" }
        return whole < 3600
            ? "\(whole / 60):\(two(whole % 60))" : "\(whole / 3600):\(two(whole / 60 % 60)):\(two(whole % 60))"
    }

    // MARK: Figures

    private var counts: [Piece] {
        var pieces = [
            Piece(
                text: "\(NumberText.counted(self.progress.starts.finished, "iteration")) "
                    + "(\(NumberText.decimal(self.rates.iterations, decimals: 0))/s)")
        ]
        if self.progress.deliveries.sent > 0 {
            pieces.append(
                Piece(
                    text: "  \(NumberText.counted(self.progress.deliveries.sent, "text")) "
                        + "(\(NumberText.decimal(self.rates.texts, decimals: 0))/s)"))
        }
        func bad(_ count: Int64, _ name: String) -> Piece {
            Piece(text: "  \(NumberText.grouped(count)) \(name)", color: count > 0 ? .red : nil)
        }
        pieces.append(bad(Int64(self.progress.failureCount), "failed"))
        if self.progress.deliveries.sent > 0 { pieces.append(bad(self.progress.deliveries.lost, "lost")) }
        let errors = self.progress.measurements.histogram(of: BuiltInMetric.errors.rawValue).sum
        if errors > 0 { pieces.append(bad(errors, "errors")) }
        let unmet = self.progress.starts.dropped.values.reduce(0, +)
        if unmet > 0 { pieces.append(bad(Int64(unmet), "not started")) }
        return pieces
    }

    /// The times, a row for each metric that has samples, in the order of the summary.
    private var times: [[Piece]] {
        let measurements = self.progress.measurements
        let metrics = measurements.trends(leading: BuiltInMetric.allCases.map(\.rawValue))
        let percentiles = [50.0, 90, 99]
        var rows = [["", "count", "p50", "p90", "p99", "max", "last \(Self.recentSeconds)s p99"]]
        for metric in metrics {
            let values = measurements.histogram(of: metric.name)
            guard let greatest = values.greatestFigure else { continue }
            let recent = self.recent(metric.name).figure(atPercentile: 99)
            let figures = values.figures(atPercentiles: percentiles) + [greatest, recent]
            rows.append(
                [metric.name, NumberText.grouped(values.count)]
                    + figures.map { $0.map { NumberText.value($0, unit: metric.unit) } ?? "–" })
        }
        guard rows.count > 1 else { return [] }
        return TextTable(rows).lines.enumerated().map { place, line in
            [Piece(text: line, color: place == 0 ? .faint : nil)]
        }
    }

    /// What was measured in the last seconds.
    private func recent(_ name: String) -> Histogram {
        let timeline = self.progress.measurements.timeline(of: name)
        let first = Int(self.seconds) - Self.recentSeconds
        var recent = Histogram(.twoDigits)
        for interval in timeline.intervals where (interval.index + 1) * timeline.intervalSeconds > first {
            recent.merge(interval.histogram)
        }
        return recent
    }

    // MARK: Verdicts

    private var verdicts: [[Piece]] {
        var lines: [[Piece]] = []
        let view = LoadView(
            measurements: self.progress.measurements, deliveries: self.progress.deliveries,
            nowMicroseconds: self.progress.atMicroseconds, isOver: false, baseline: self.run.baseline?.measurements,
            baselineMicroseconds: self.run.baseline?.durationMicroseconds ?? 0)
        let outcomes = self.run.thresholds.map { $0.evaluate(view) }
        let broken = outcomes.filter { $0.verdict == .failed }
        if !outcomes.isEmpty {
            let held = outcomes.count { $0.verdict == .passed }
            var pieces = [Piece(text: "thresholds"), Piece(text: "  \(held) hold", color: held > 0 ? .green : nil)]
            if !broken.isEmpty { pieces.append(Piece(text: "  \(broken.count) broken", color: .red)) }
            let open = outcomes.count - held - broken.count
            if open > 0 { pieces.append(Piece(text: "  \(open) open")) }
            lines.append(pieces)
            lines += broken.prefix(Self.thresholdLimit).map { [Piece(text: "  \($0.line)", color: .red)] }
        }
        let color: ConsoleColor =
            switch self.progress.health.state {
            case .valid: .green
            case .degraded: .yellow
            case .invalid: .red
            }
        lines.append([Piece(text: "generator "), Piece(text: self.progress.health.line, color: color)])
        return lines
    }
}
