import ChatCore
import Load
import Metrics
import Reports
import RunRecord
import Synchronization

/// Shows a load run on the terminal: a line a second while it goes, and what it came to.
final class LoadConsole: Sendable {
    private struct Last {
        var atMicroseconds: Int64 = 0
        var finished = 0
        var sent: Int64 = 0
        var isLineOpen = false
    }

    private let environment: CommandEnvironment
    private let isQuiet: Bool
    private let last = Mutex(Last())

    init(_ environment: CommandEnvironment, isQuiet: Bool) {
        self.environment = environment
        self.isQuiet = isQuiet
    }

    /// Says what is about to be played.
    func begin(_ file: LoadFile) {
        guard !self.isQuiet else { return }
        let plan = file.settings.plan
        if let note = file.shardNote { self.print(note) }
        let clock = file.isVirtual ? "virtual time" : "real time"
        self.print(
            "\(file.identity.title): \(plan.userCount) users, \(plan.shape.length.scriptText), seed \(plan.seed), \(clock)"
                + (plan.shard.count > 1 ? ", part \(plan.shard)" : ""))
    }

    /// Shows how the run stands.
    func progress(_ progress: LoadProgress) {
        guard !self.isQuiet else { return }
        let line = self.last.withLock { last in
            let seconds = max(0.001, Double(progress.atMicroseconds - last.atMicroseconds) / 1_000_000)
            let sent = progress.deliveries.sent
            let iterations = Double(progress.starts.finished - last.finished) / seconds
            let texts = Double(sent - last.sent) / seconds
            last.atMicroseconds = progress.atMicroseconds
            last.finished = progress.starts.finished
            last.sent = sent
            last.isLineOpen = self.environment.isTerminal
            return self.line(progress, iterations: iterations, texts: texts)
        }
        self.environment.writeOutput(self.environment.isTerminal ? "\r\u{1B}[2K\(line)" : line + "\n")
    }

    private func line(_ progress: LoadProgress, iterations: Double, texts: Double) -> String {
        var parts = [
            NumberText.decimal(Double(progress.atMicroseconds) / 1_000_000, decimals: 0) + "s",
            "\(progress.users) users",
            "\(NumberText.grouped(Int64(progress.starts.finished))) iterations (\(NumberText.decimal(iterations, decimals: 0))/s)",
        ]
        if progress.deliveries.sent > 0 { parts.append("\(NumberText.decimal(texts, decimals: 0)) texts/s") }
        for metric in [BuiltInMetric.delivery, .acknowledgement, .iteration] {
            let values = progress.measurements.histogram(of: metric.rawValue)
            guard let middle = values.value(atPercentile: 50), let high = values.value(atPercentile: 99) else {
                continue
            }
            parts.append("\(metric.rawValue) p50 \(Self.time(middle)) p99 \(Self.time(high))")
            break
        }
        parts.append("\(progress.failureCount) failed")
        if progress.deliveries.lost > 0 { parts.append("\(progress.deliveries.lost) lost") }
        if progress.health.state != .valid { parts.append("generator \(progress.health.state.rawValue)") }
        return parts.joined(separator: "  ")
    }

    /// Shows what the run came to.
    func end(_ summary: LoadSummary) {
        if self.last.withLock({ $0.isLineOpen }) { self.environment.writeOutput("\n") }
        self.print("")
        for row in self.table(summary.totals) { self.print(row) }
        if let conclusion = summary.conclusion { self.starts(conclusion.starts) }
        if summary.deliveries.sent > 0 { self.print("deliveries  \(summary.deliveries.line)") }
        self.print("generator   \(summary.health.line)")
        for warning in summary.conclusion?.warnings ?? [] { self.print("warning     \(warning)") }
        self.problems(summary.conclusion?.problems ?? [])
        for outcome in summary.thresholds { self.print(outcome.line) }
        if !summary.isWhole { self.print("thresholds are judged once the results of all parts are merged") }
    }

    private func starts(_ account: PacingAccount) {
        var parts = [
            "\(NumberText.grouped(Int64(account.finished))) iterations of \(NumberText.grouped(Int64(account.planned))) planned"
        ]
        if account.unfinished > 0 { parts.append("\(account.unfinished) broken off") }
        for (reason, count) in account.dropped.sorted(by: { $0.key < $1.key }) where count > 0 {
            parts.append("\(NumberText.grouped(Int64(count))) not started: \(reason.rawValue)")
        }
        self.print("iterations  " + parts.joined(separator: ", "))
    }

    private func problems(_ problems: [LoadProblem]) {
        for problem in problems.prefix(5) {
            let when = NumberText.decimal(Double(problem.atMicroseconds) / 1_000_000, decimals: 3)
            self.print(
                "\n\(NumberText.grouped(Int64(problem.count))) × \(problem.example.typeName), first user \(problem.user) at \(when)s"
            )
            self.print(problem.example.detail)
        }
        if problems.count > 5 { self.print("\nand \(problems.count - 5) other kinds of problems") }
    }

    /// The times, a row for each metric that has samples.
    private func table(_ totals: LoadTotals) -> [String] {
        let names = totals.measurements.metrics.filter { $0.kind == .trend }.map(\.name)
        let order = BuiltInMetric.allCases.map(\.rawValue)
        let sorted = names.sorted {
            (order.firstIndex(of: $0) ?? order.count, $0) < (order.firstIndex(of: $1) ?? order.count, $1)
        }
        let percentiles = [50.0, 90, 99, 99.9]
        var rows = [["", "count", "min", "p50", "p90", "p99", "p99.9", "max"]]
        for name in sorted {
            guard let metric = totals.measurements.metric(named: name) else { continue }
            let values = totals.measurements.histogram(of: name)
            guard let least = values.minimum, let greatest = values.maximum else { continue }
            let figures = [least] + values.values(atPercentiles: percentiles).compactMap(\.self) + [greatest]
            rows.append(
                [name, NumberText.grouped(values.count)]
                    + figures.map { NumberText.value(Double($0), unit: metric.unit) })
        }
        guard rows.count > 1 else { return [] }
        return TextTable(rows).lines
    }

    private static func time(_ microseconds: Int64) -> String {
        NumberText.value(Double(microseconds), unit: .microseconds)
    }

    private func print(_ line: String) {
        self.environment.writeOutput(line + "\n")
    }
}
