import Load
import Machines
import Metrics
import Reports
import RunRecord
import Scenario
import Secrets

/// Shows a load run to people: what is about to be played, and what it came to.
struct LoadConsole {
    private let environment: CommandEnvironment
    private let isQuiet: Bool
    private let timesNoText: Bool

    /// - Parameter setup: What is played; nil for a saved result, which was set up elsewhere.
    init(_ setup: LoadSetup?, _ environment: CommandEnvironment, isQuiet: Bool = false) {
        self.environment = environment
        self.isQuiet = isQuiet
        self.timesNoText = setup?.timesNoText == true
    }

    /// Says what is about to be played.
    func begin(_ setup: LoadSetup) {
        guard !self.isQuiet else { return }
        let plan = setup.settings.plan
        for note in setup.notes { self.print(note) }
        let clock = setup.isVirtual ? "virtual time" : "real time"
        self.print(
            "\(setup.identity.title): \(NumberText.counted(plan.userCount, "user")), \(plan.shape.length.scriptText), seed \(plan.seed), \(clock)"
                + (plan.shard.count > 1 ? ", shard \(plan.shard)" : "")
                + (setup.settings.cores > 1 ? ", \(setup.settings.cores) cores" : ""))
    }

    /// Shows what this machine can do.
    func calibrated(_ calibration: Calibration?) {
        guard !self.isQuiet else { return }
        self.print("calibrated: \(calibration?.line ?? "the loopback of this machine cannot be reached")")
    }

    /// Shows what the run came to.
    func end(_ summary: LoadSummary) {
        self.print("")
        for row in self.table(summary.totals) { self.print(row) }
        self.iterations(summary.totals, summary.conclusion?.starts)
        self.skips(summary.totals.skips)
        self.unrecovered(summary.totals)
        if let line = summary.deliveryLine {
            self.print("deliveries  \(line)")
            for line in summary.defectLines { self.print("            \(line)") }
        }
        if let line = summary.acknowledgementLine { self.print("unacknowledged  \(line)") }
        self.answers(summary.totals.httpAnswers)
        self.traffic(summary.totals)
        self.models(summary.totals)
        self.counts(summary.totals)
        self.untimed(summary.totals)
        self.print("generator   \(summary.health.line)")
        self.scripts(summary.totals)
        switch summary.totals.ending {
        case .finished, .unfinished: break
        case .aborted(let reason): self.print("ended       before its time by a threshold: \(reason)")
        case .mistaken: self.print("ended       before its time: every iteration was a mistake of the script")
        case .interrupted: self.print("ended       before its time, from outside")
        }
        for warning in summary.conclusion?.warnings ?? [] { self.print("warning     \(warning)") }
        self.causes(summary)
        self.thresholds(summary)
        if !summary.isWhole { self.print("thresholds are judged once the results of all shards are merged") }
        if let (word, reasons) = summary.verdict {
            self.print(word + String(repeating: " ", count: max(1, 12 - word.count)) + reasons)
        }
    }

    /// Shows what became of the thresholds, those that did not hold first.
    private func thresholds(_ summary: LoadSummary) {
        var (failed, unjudged, passed): ([String], [String], [String]) = ([], [], [])
        for outcome in summary.thresholds {
            switch outcome.verdict {
            case .failed: failed.append("\(self.mark("✗", .red)) \(outcome.line)")
            case .notEvaluated: unjudged.append("\(self.mark("!", .red)) \(outcome.line)")
            case .passed: passed.append("\(self.mark("✓", .green)) \(outcome.line)")
            }
        }
        for error in summary.unreadable {
            unjudged.append("\(self.mark("!", .red)) \(error.text): not evaluated, \(error.message)")
        }
        for line in failed + unjudged + passed { self.print(line) }
    }

    private func mark(_ mark: String, _ color: ConsoleColor) -> String {
        self.environment.usesColors ? color.paint(mark) : mark
    }

    /// Shows what scripts cost, where that was measured.
    private func scripts(_ totals: LoadTotals) {
        func time(_ microseconds: Int64) -> String { NumberText.value(Double(microseconds), unit: .microseconds) }
        let scripts = totals.health.map(\.health.scriptMicroseconds).saturatingSum
        guard scripts > 0 else { return }
        let collection = totals.health.map(\.health.collectionMicroseconds).saturatingSum
        self.print("scripts     ran for \(time(scripts)), \(time(collection)) of it to collect garbage (estimated)")
        if let line = totals.calibration?.line { self.print("calibrated  \(line)") }
    }

    /// Shows what became of the iterations.
    ///
    /// - Parameter account: What became of the planned starts, where this process knows.
    private func iterations(_ totals: LoadTotals, _ account: PacingAccount?) {
        func count(_ metric: BuiltInMetric) -> Int64 { totals.measurements.histogram(of: metric.rawValue).sum }
        let planned = account.map { " of \(NumberText.grouped(Int64($0.planned))) planned" } ?? ""
        var parts = ["\(NumberText.counted(count(.iterations), "iteration"))\(planned)"]
        let warmUp = totals.measurements.histogram(
            of: BuiltInMetric.iterations.rawValue, phase: LoadSettings.warmUpName
        ).sum
        if totals.identity.phases.countedStart > 0, warmUp > 0 {
            parts.append("\(NumberText.grouped(warmUp)) in the warm-up, which does not count")
        }
        let brokenOff = count(.brokenOff)
        if brokenOff > 0 { parts.append("\(NumberText.grouped(brokenOff)) broken off") }
        for (reason, count) in (account?.dropped ?? [:]).sorted(by: { $0.key < $1.key }) where count > 0 {
            parts.append("\(NumberText.grouped(Int64(count))) not started: \(reason.rawValue)")
        }
        self.print("iterations  " + parts.joined(separator: ", "))
    }

    /// Shows of how many users `recovery`, which the table has, says nothing.
    private func unrecovered(_ totals: LoadTotals) {
        let count = totals.measurements.histogram(of: BuiltInMetric.unrecovered.rawValue).sum
        guard count > 0 else { return }
        self.print("unrecovered \(NumberText.grouped(count)) × a user whom a storm hit heard nothing again")
    }

    /// Shows why iterations were skipped.
    private func skips(_ skips: [(reason: String, count: Int64)]) {
        for skip in skips.prefix(5) { self.print("skipped     \(NumberText.grouped(skip.count)) × \(skip.reason)") }
        if skips.count > 5 {
            let count = skips.dropFirst(5).map(\.count).saturatingSum
            self.print(
                "skipped     \(NumberText.grouped(count)) × \(NumberText.counted(skips.count - 5, "other reason"))")
        }
    }

    private func causes(_ summary: LoadSummary) {
        let causes = summary.totals.causes
        guard !causes.isEmpty || summary.haveTextsFailed else { return }
        for cause in causes.prefix(5) {
            self.print("\n\(NumberText.grouped(cause.count)) × \(cause.kind), \(cause.when)")
            self.print(cause.detail)
        }
        if causes.count > 5 {
            self.print(
                "\nand \(NumberText.counted(causes.count - 5, "other kind of problem", "other kinds of problems"))")
        }
        self.print("")
        if summary.deliveries.sent > 0 {
            self.print(
                "texts       carried marks such as \(LoadSetup.exampleMark), which servers see and which take some 30 "
                    + "bytes; --no-ledger leaves them as they are")
        }
        if let replay = summary.totals.identity.replay { self.print("replay      \(replay)") }
    }

    /// Shows how many HTTP requests there were, how many failed, and which statuses their answers had.
    private func answers(_ answers: HTTPAnswers?) {
        guard let answers else { return }
        var parts = answers.statuses.prefix(Self.countLimit).map { "\(NumberText.grouped($0.count)) × \($0.name)" }
        if answers.statuses.count > Self.countLimit {
            let others = answers.statuses.count - Self.countLimit
            parts.append(NumberText.counted(others, "other status", "other statuses"))
        }
        if answers.unanswered > 0 { parts.append("\(NumberText.grouped(answers.unanswered)) × no whole answer") }
        self.print("http        \(answers.text): \(parts.joined(separator: ", "))")
    }

    /// Shows how many bytes went over the connections, where any did.
    private func traffic(_ totals: LoadTotals) {
        guard let traffic = totals.traffic else { return }
        self.print(
            "data        \(totals.trafficText(traffic.sent)) sent, \(totals.trafficText(traffic.received)) received")
    }

    /// Shows what the answers of language models took, where they told it.
    private func models(_ totals: LoadTotals) {
        let told = [
            (BuiltInMetric.modelInputTokens, "tokens in"), (.modelOutputTokens, "tokens out"), (.modelCost, "cost"),
        ].filter { !totals.measurements.histogram(of: $0.0.rawValue).isEmpty }
        guard !told.isEmpty else { return }
        let figures = told.map { metric, name in
            let total = totals.measurements.histogram(of: metric.rawValue).total
            return "\(NumberText.value(total, unit: metric.metric.unit)) \(name)"
        }
        self.print("models      \(figures.joined(separator: ", "))")
    }

    /// Shows what scripts count themselves, and the shares that they measure.
    private func counts(_ totals: LoadTotals) {
        let seconds = totals.countedSeconds
        let counts = totals.measurements.metrics.sorted { $0.name < $1.name }.compactMap { metric -> String? in
            guard BuiltInMetric(rawValue: metric.name) == nil else { return nil }
            let values = totals.measurements.histogram(of: metric.name)
            switch metric.kind {
            case .counter:
                let count = "\(metric.name) \(NumberText.value(values.total, unit: metric.unit))"
                return seconds > 0 ? count + " (\(NumberText.decimal(values.total / seconds, decimals: 2))/s)" : count
            case .rate:
                guard let share = values.mean else { return nil }
                return "\(metric.name) \(NumberText.decimal(share * 100, decimals: 1))% of "
                    + NumberText.grouped(values.count)
            case .trend, .gauge: return nil
            }
        }
        guard !counts.isEmpty else { return }
        let others =
            counts.count > Self.countLimit ? ["and \(NumberText.counted(counts.count - Self.countLimit, "other"))"] : []
        self.print("counted     \((counts.prefix(Self.countLimit) + others).joined(separator: ", "))")
    }

    private static let countLimit = 12

    /// Says how the time of a message is measured where WebSockets were opened and nothing was.
    private func untimed(_ totals: LoadTotals) {
        let measured = totals.measurements
        // What a script times itself is what it wants to know.
        let isTimed = measured.metrics.contains { $0.kind == .trend && BuiltInMetric(rawValue: $0.name) == nil }
        guard self.timesNoText, !isTimed, !measured.histogram(of: BuiltInMetric.upgrade.rawValue).isEmpty else {
            return
        }
        self.print(
            "texts       no time of a message was measured; the option ledger says which messages are texts, as in "
                + "t:actor(websocket, { ledger = { sent = \"$.text\", received = \"$.text\" } })")
    }

    /// The metrics that are times, the built-in ones first.
    static func trends(of totals: LoadTotals) -> [Metric] {
        totals.measurements.trends(leading: BuiltInMetric.allCases.map(\.rawValue))
    }

    /// The times, a row for each metric that has samples.
    private func table(_ totals: LoadTotals) -> [String] {
        let percentiles = [50.0, 90, 99, 99.9]
        var rows = [["", "count", "min", "p50", "p90", "p99", "p99.9", "max"]]
        for metric in Self.trends(of: totals) {
            let values = totals.measurements.histogram(of: metric.name)
            guard let least = values.leastFigure, let greatest = values.greatestFigure else { continue }
            let figures = [least] + values.figures(atPercentiles: percentiles).compactMap(\.self) + [greatest]
            rows.append(
                [metric.name, NumberText.grouped(values.count)]
                    + figures.map { NumberText.value($0, unit: metric.unit) })
            rows += self.namedRows(of: metric, totals, percentiles)
        }
        guard rows.count > 1 else { return [] }
        return TextTable(rows).lines
    }

    /// A row for each of the names that samples of a metric have, such as those of requests.
    private func namedRows(of metric: Metric, _ totals: LoadTotals, _ percentiles: [Double]) -> [[String]] {
        let tags = totals.measurements.series(of: metric.name).compactMap { $0.tags.first(where: \.isName) }
        return Set(tags).sorted().prefix(Self.namedRowLimit).compactMap { tag in
            let values = totals.measurements.histogram(of: metric.name, tags: [tag])
            guard let least = values.leastFigure, let greatest = values.greatestFigure else { return nil }
            let figures = [least] + values.figures(atPercentiles: percentiles).compactMap(\.self) + [greatest]
            return ["↳ \(tag.value)", NumberText.grouped(values.count)]
                + figures.map { NumberText.value($0, unit: metric.unit) }
        }
    }

    private static let namedRowLimit = 30

    private func print(_ line: String) {
        self.environment.writeOutput(self.environment.vault.masked(line) + "\n")
    }
}
