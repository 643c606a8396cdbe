import Load
import Machines
import Metrics
import Scenario
import Synchronization

/// Shows people how a load run stands while it goes: a view that is drawn anew in place, or a line a second.
final class ProgressConsole: Sendable {
    /// What was shown last.
    private struct Last {
        var atMicroseconds: Int64 = 0
        var finished = 0
        var sent: Int64 = 0
        /// How many lines are drawn that the next view replaces.
        var drawnLines = 0
        /// Why users failed, as far as it was told already.
        var causes: Set<FailureCause.Key> = []
    }

    private let environment: CommandEnvironment
    private let isQuiet: Bool
    private let interruption: Interruption
    private let run: LiveView.Run
    private let last = Mutex(Last())

    /// - Parameter interruption: The wish to end the run, which the view shows.
    init(_ setup: LoadSetup, _ environment: CommandEnvironment, isQuiet: Bool, interruption: Interruption) {
        self.environment = environment
        self.isQuiet = isQuiet
        self.interruption = interruption
        self.run = LiveView.Run(setup)
    }

    /// The size of a terminal that does not say.
    private static let usualSize = (columns: 80, rows: 24)

    /// Shows how the run stands: a view that replaces the last one on a terminal, else a line.
    func progress(_ progress: LoadProgress) {
        guard !self.isQuiet else { return }
        self.tell(progress.causes)
        let rates = self.rates(progress)
        guard self.environment.canRedraw else {
            self.environment.writeOutput(self.line(progress, rates) + "\n")
            return
        }
        let size = self.environment.terminalSize() ?? Self.usualSize
        let view = LiveView(
            run: self.run, progress: progress, rates: rates, isStopping: self.interruption.isRequested)
        let lines = view.lines(width: size.columns, height: size.rows, usesColors: self.environment.usesColors)
        let drawn = self.last.withLock { last in
            defer { last.drawnLines = lines.count }
            return last.drawnLines
        }
        self.environment.writeOutput(
            Self.eraser(drawn) + lines.map { $0 + "\n" }.joined())
    }

    /// So many causes of failures are told while the run goes; the end has them all.
    private static let toldCauses = 5

    /// So much of what happened is told of each.
    private static let causeLength = 200

    /// Tells why users fail, each cause when it first comes: who waits an hour for the end of a run wants to know at
    /// once that there is no server any more.
    private func tell(_ causes: [FailureCause]) {
        let fresh = self.last.withLock { last in
            let fresh = causes.filter { !last.causes.contains($0.key) }.prefix(Self.toldCauses - last.causes.count)
            last.causes.formUnion(fresh.map(\.key))
            return fresh
        }
        guard !fresh.isEmpty else { return }
        self.erase()
        for cause in fresh.sorted(by: { $0.firstMicroseconds < $1.firstMicroseconds }) {
            let time = NumberText.decimal(Double(cause.firstMicroseconds) / 1_000_000, decimals: 3)
            let user = cause.user.map { ", user \($0)" } ?? ""
            self.environment.writeOutput(
                "failed at \(time)s\(user): \(cause.kind): \(cause.message.shortened(to: Self.causeLength))\n")
        }
    }

    /// Tells people of something that does not end the run.
    func warn(_ text: String) {
        self.erase()
        self.environment.writeError("warning: \(text)\n")
    }

    /// Removes the view, if there is one.
    func erase() {
        let drawn = self.last.withLock { last in
            defer { last.drawnLines = 0 }
            return last.drawnLines
        }
        if drawn > 0 { self.environment.writeOutput(Self.eraser(drawn)) }
    }

    /// What moves the cursor up so many lines and erases all below (ECMA-48, CUU and ED).
    private static func eraser(_ lines: Int) -> String { lines > 0 ? "\u{1B}[\(lines)A\r\u{1B}[J" : "" }

    private func rates(_ progress: LoadProgress) -> LiveView.Rates {
        self.last.withLock { last in
            let seconds = max(0.001, Double(progress.atMicroseconds - last.atMicroseconds) / 1_000_000)
            let sent = progress.deliveries.sent
            defer {
                last.atMicroseconds = progress.atMicroseconds
                last.finished = progress.starts.finished
                last.sent = sent
            }
            return LiveView.Rates(
                iterations: Double(progress.starts.finished - last.finished) / seconds,
                texts: Double(sent - last.sent) / seconds)
        }
    }

    private func line(_ progress: LoadProgress, _ rates: LiveView.Rates) -> String {
        var parts = [
            NumberText.decimal(Double(progress.atMicroseconds) / 1_000_000, decimals: 0) + "s",
            NumberText.counted(progress.users, "user"),
            "\(NumberText.counted(progress.starts.finished, "iteration")) "
                + "(\(NumberText.decimal(rates.iterations, decimals: 0))/s)",
        ]
        if progress.atMicroseconds < progress.measurements.phases.countedStart { parts.append("warm-up") }
        if progress.deliveries.sent > 0 {
            parts.append("\(NumberText.decimal(rates.texts, decimals: 0)) texts/s")
        }
        for metric in [BuiltInMetric.delivery, .acknowledgement, .iteration] {
            let values = progress.measurements.histogram(of: metric.rawValue)
            guard !values.isEmpty else { continue }
            let texts = zip(["p50", "p99"], values.values(atPercentiles: [50, 99])).map {
                "\($0) \(Self.time($1 ?? 0))"
            }
            parts.append("\(metric.rawValue) " + texts.joined(separator: " "))
            break
        }
        parts.append("\(progress.failureCount) failed")
        if progress.deliveries.lost > 0 { parts.append("\(progress.deliveries.lost) lost") }
        if progress.health.state != .valid { parts.append("generator \(progress.health.state.rawValue)") }
        if self.interruption.isRequested { parts.append("stopping") }
        return parts.joined(separator: "  ")
    }

    private static func time(_ microseconds: Int64) -> String {
        NumberText.value(Double(microseconds), unit: .microseconds)
    }
}
