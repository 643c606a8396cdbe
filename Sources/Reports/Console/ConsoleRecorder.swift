import Metrics
public import RunRecord

/// Tells a person in front of a console how a run goes.
///
/// What went wrong is printed in full at once, and the end repeats only the names; so the reason for a single failure
/// is always the last screen.
public struct ConsoleRecorder {
    private let options: ConsoleOptions
    private let elapsed: (() -> Duration)?
    private let write: (String) -> Void
    private var run: RunStart?
    private var running: [Int: (start: ScenarioStart, lastNanoseconds: Int64)] = [:]
    private var counts = OutcomeCounts()
    private var failures: [(start: ScenarioStart, outcome: Outcome, message: String?)] = []
    private var flaky: [(start: ScenarioStart, seeds: [UInt64])] = []
    private var earlierSeeds: [String: [UInt64]] = [:]
    private var completeness = RunCompleteness()
    private var emptyCount = 0
    private var printedFile: String?
    private var printedTenths = 0
    private var hasPrinted = false

    /// Runs of more scenarios than this get no line for each scenario that passed.
    private static let listingLimit = 100

    /// The summary lists at most this many scenarios.
    private static let summaryLimit = 20

    /// A problem is printed with at most this many lines; reports have the whole.
    private static let problemLimit = 80

    /// More characters of the first line of a problem are not shown where another one is printed in full.
    private static let messageLimit = 110

    /// More characters of the line of a check are not shown.
    private static let checkLimit = 80

    /// Creates a recorder for a run that has not begun.
    ///
    /// - Parameters:
    ///   - options: How much is said, and how.
    ///   - elapsed: The real time since the start of the run, asked once when it ends; nil if it is not to be printed.
    ///   - write: Takes the text of whole lines, each with its line feed.
    public init(
        options: ConsoleOptions = ConsoleOptions(), elapsed: (() -> Duration)? = nil,
        write: @escaping (String) -> Void
    ) {
        self.options = options
        self.elapsed = elapsed
        self.write = write
    }

    /// Takes the next entry of the record.
    public mutating func record(_ entry: RunEntry) {
        self.completeness.record(entry)
        switch entry {
        case .runStarted(let start): self.runStarted(start)
        case .scenarioStarted(let start):
            self.running[start.index] = (start, start.atNanoseconds)
            if self.options.detail == .verbose {
                self.printFile(start.file)
                self.line("  \(self.paint(.bold, "▶ " + VisibleText.line(start.name)))\(self.mark(of: start.index))")
            }
        case .happened(let scenario, let nanoseconds, let runEvent):
            guard self.options.detail == .verbose else { return }
            self.happened(runEvent, scenario: scenario, atNanoseconds: nanoseconds)
        case .scenarioEnded(let end):
            guard let (start, _) = self.running.removeValue(forKey: end.index) else { return }
            self.scenarioEnded(start, end)
        case .runEnded(let end): self.runEnded(end)
        }
    }
}

extension ConsoleRecorder {
    private mutating func line(_ text: String) {
        self.hasPrinted = true
        self.write(text + "\n")
    }

    /// Sets what follows apart from what stands above, if anything does.
    private mutating func blankLine() {
        if self.hasPrinted { self.line("") }
    }

    private func paint(_ color: ConsoleColor, _ text: String) -> String {
        self.options.usesColors ? color.paint(text) : text
    }

    private mutating func runStarted(_ start: RunStart) {
        self.run = start
        guard self.options.detail != .quiet else { return }
        let shard = start.shard.map { ", shard \($0)" } ?? ""
        let count = Self.count(start.plannedScenarios, "scenario")
        self.line(
            VisibleText.line(
                "repartee \(start.toolVersion): \(count)\(shard), target \(start.target), \(start.clock.rawValue) time, "
                    + "seed \(start.seed)"))
    }

    private mutating func happened(_ runEvent: RunEvent, scenario: Int, atNanoseconds: Int64) {
        guard let last = self.running[scenario]?.lastNanoseconds,
            let text = TranscriptLine.text(
                runEvent, sinceNanoseconds: atNanoseconds.subtractingReportingOverflow(last).partialValue)
        else { return }
        self.running[scenario]?.lastNanoseconds = atNanoseconds
        self.line(self.paint(.faint, "  \(text)\(self.mark(of: scenario))"))
    }

    /// Tells scenarios that run side by side apart.
    private func mark(of scenario: Int) -> String {
        self.running.count > 1 ? "  [\(scenario)]" : ""
    }

    private mutating func printFile(_ file: String) {
        guard file != self.printedFile else { return }
        self.printedFile = file
        self.blankLine()
        self.line(self.paint(.bold, VisibleText.line(file)))
    }

    private mutating func scenarioEnded(_ start: ScenarioStart, _ end: ScenarioEnd) {
        if end.isRetried { return start.isTry ? self.tryEnded(start, end) : self.attemptFailed(start, end) }
        self.counts.add(end.outcome, isRetry: start.isRetry)
        if end.isEmpty { self.emptyCount += 1 }
        let time = DurationText.text(
            nanoseconds: end.atNanoseconds.subtractingReportingOverflow(start.atNanoseconds).partialValue)
        let isListed = self.isListing
        switch end.outcome {
        case .passed where start.isRetry: self.printFlaky(start, after: time)
        case .passed where isListed: self.printPassed(start, end, after: time)
        case .expectedFailure(let reason) where isListed:
            self.printSetAside(start, mark: "≈", "failed as expected", reason)
        case .skipped(let reason) where isListed: self.printSetAside(start, mark: "-", "skipped", reason)
        case .passed, .expectedFailure, .skipped: break
        case .failed, .error: self.printFailed(start, end, after: time)
        }
        if let slowTearDown = end.slowTearDown, isListed || [.failed, .error].contains(end.outcome) {
            self.line("    \(self.paint(.yellow, "teardown  \(VisibleText.line(slowTearDown))"))")
        }
        if !isListed { self.printProgress() }
    }

    /// Whether scenarios have a line each, also where nothing is wrong with them.
    private var isListing: Bool {
        switch self.options.detail {
        case .quiet: false
        case .normal: (self.run?.plannedScenarios ?? 0) <= Self.listingLimit
        case .verbose: true
        }
    }

    private mutating func printFlaky(_ start: ScenarioStart, after time: String) {
        let seeds = self.earlierSeeds.removeValue(forKey: start.id) ?? []
        self.flaky.append((start, seeds))
        self.printFile(start.file)
        let seed = start.replaySeed(in: self.run)
        let what = "(flaky: passed at attempt \(start.attempt) after \(time), seed \(seed))"
        self.line("  \(self.paint(.yellow, "↻ \(VisibleText.line(start.name))")) \(self.paint(.faint, what))")
    }

    private mutating func printPassed(_ start: ScenarioStart, _ end: ScenarioEnd, after time: String) {
        self.printFile(start.file)
        let note = end.isEmpty ? ", asserted nothing" : ""
        let figures = end.passes.map { "passes: \($0.text)" } ?? time
        self.line(
            "  \(self.paint(.green, "✓")) \(VisibleText.line(start.name)) \(self.paint(.faint, "(\(figures)\(note))"))")
        self.printRates(end)
    }

    /// A scenario that neither passed nor fails the run.
    private mutating func printSetAside(_ start: ScenarioStart, mark: String, _ what: String, _ reason: String) {
        self.printFile(start.file)
        let reason = reason.isEmpty ? "" : ": \(VisibleText.line(reason))"
        self.line(
            "  \(self.paint(.yellow, mark)) \(VisibleText.line(start.name)) \(self.paint(.faint, "(\(what)\(reason))"))"
        )
    }

    private mutating func printFailed(_ start: ScenarioStart, _ end: ScenarioEnd, after time: String) {
        let problems = end.problemsByWeight
        self.failures.append((start, end.outcome, problems.first?.message))
        self.printFile(start.file)
        let (mark, word) = end.outcome == .failed ? ("✗", "failed") : ("!", "error")
        let attempt = start.attempt > 1 ? ", \(start.isTry ? "try" : "attempt") \(start.attempt)" : ""
        let what = end.passes?.verdict.map(Self.word) ?? "\(word) after \(time)\(attempt)"
        let name = VisibleText.line(start.name)
        self.line("  \(self.paint(.red, "\(mark) \(name)")) \(self.paint(.faint, "(\(what))"))")
        self.printRates(end)
        self.printProblems(problems, of: start.explaining(end))
    }

    /// The rate that was stored, and in how many tries each soft check held.
    private mutating func printRates(_ end: ScenarioEnd) {
        guard let passes = end.passes else { return }
        if let baseline = passes.baseline {
            let figures = baseline.rate.text(confidence: passes.confidence)
            self.line("    \(self.paint(.faint, "baseline: \(figures); difference \(baseline.difference)"))")
        }
        for check in passes.checks {
            let figures = check.rate.text(confidence: passes.confidence)
            let text = VisibleText.shortened(VisibleText.line(check.text), to: Self.checkLimit)
            self.line("    \(self.paint(.faint, "\(VisibleText.line(check.heading)): held in \(figures): \(text)"))")
        }
    }

    private static func word(_ verdict: PassRate.Verdict) -> String {
        switch verdict {
        case .pass: "passed"
        case .fail: "failed"
        case .inconclusive: "inconclusive"
        }
    }

    /// A try that another one follows, whether or not it passed; it matters to those who watch closely.
    private mutating func tryEnded(_ start: ScenarioStart, _ end: ScenarioEnd) {
        guard self.options.detail == .verbose else { return }
        let what = end.outcome == .passed ? "passed" : "did not pass"
        let note = "(try \(start.attempt) \(what), seed \(start.replaySeed(in: self.run)))"
        self.line("  \(VisibleText.line(start.name)) \(self.paint(.faint, note))")
    }

    /// An attempt that another one follows: why it did not pass, in one line.
    private mutating func attemptFailed(_ start: ScenarioStart, _ end: ScenarioEnd) {
        let seed = start.replaySeed(in: self.run)
        self.earlierSeeds[start.id, default: []].append(seed)
        guard self.options.detail != .quiet else { return }
        self.printFile(start.file)
        let name = VisibleText.line(start.name)
        let what = "(attempt \(start.attempt) did not pass, seed \(seed); trying again)"
        self.line("  \(self.paint(.yellow, "↻")) \(name) \(self.paint(.faint, what))")
        if let message = end.problemsByWeight.first?.message {
            self.line(
                "    \(self.paint(.yellow, "│")) \(VisibleText.shortened(VisibleText.line(message), to: Self.messageLimit))"
            )
        }
    }

    private mutating func printProblems(_ problems: [Problem], of start: ScenarioStart) {
        let gutter = self.paint(.red, "    │")
        for (index, problem) in problems.enumerated() {
            if index > 0 { self.line(gutter) }
            let lines = VisibleText.lines(ProblemText.text(problem)).split(
                omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            for line in lines.prefix(Self.problemLimit) { self.line(line.isEmpty ? gutter : "\(gutter) \(line)") }
            if lines.count > Self.problemLimit {
                let more = NumberText.counted(lines.count - Self.problemLimit, "more line")
                self.line("\(gutter) … \(more) in the reports")
            }
        }
        if problems.isEmpty { self.line("\(gutter) no reason was recorded") }
        if let run = self.run { self.line("    replay    \(ReplayCommand.text(for: start, in: run))") }
    }

    /// Long runs print a line for each tenth of the scenarios, so that a log shows that they go on.
    private mutating func printProgress() {
        guard self.options.detail == .normal, let planned = self.run?.plannedScenarios, planned > 0 else { return }
        let tenths = self.counts.total * 10 / planned
        guard tenths > self.printedTenths else { return }
        self.printedTenths = tenths
        self.line(self.paint(.faint, "… \(self.counts.total) of \(planned): \(Self.text(self.counts))"))
    }
}

extension ConsoleRecorder {
    private mutating func runEnded(_ end: RunEnd) {
        let failed = self.failures.count
        self.blankLine()
        if failed > 1 {
            for (start, outcome, message) in self.failures.prefix(Self.summaryLimit) {
                let mark = outcome == .failed ? "✗" : "!"
                let place = VisibleText.line("\(start.file):\(start.line)  \(start.name)")
                self.line("\(self.paint(.red, mark)) \(place)")
                if let message {
                    self.line("    \(VisibleText.shortened(VisibleText.line(message), to: Self.messageLimit))")
                }
            }
            if failed > Self.summaryLimit { self.line("… and \(failed - Self.summaryLimit) more") }
            self.line("")
        }
        for (start, seeds) in self.flaky.prefix(Self.summaryLimit) {
            let place = VisibleText.line("\(start.file):\(start.line)  \(start.name)")
            self.line("\(self.paint(.yellow, "↻")) \(place)")
            let failed = seeds.map { "\($0)" }.joined(separator: ", ")
            self.line("    flaky: failed with seed \(failed), passed with seed \(start.replaySeed(in: self.run))")
        }
        if self.flaky.count > Self.summaryLimit { self.line("… and \(self.flaky.count - Self.summaryLimit) more") }
        if !self.flaky.isEmpty { self.line("") }
        self.printUnfinished(end)
        if self.emptyCount > 0 {
            let note =
                "\(Self.count(self.emptyCount, "scenario")) passed and asserted nothing; --forbid-empty fails such"
            self.line(self.paint(.yellow, note))
        }
        self.printRobustness(end.robustness)
        if let usage = end.usage { self.line("language models: \(usage.text)") }
        let isGood = end.counts.failed + end.counts.errors == 0 && !end.isInterrupted
        let text = "\(Self.count(end.counts.total, "scenario")): \(Self.text(end.counts))"
        self.line(self.paint(isGood ? .green : .red, text))
        self.line(self.timeText(end))
    }

    /// How many of the scenarios passed that try the bot with the same mutator.
    private mutating func printRobustness(_ rates: [MutatorRate]) {
        guard !rates.isEmpty else { return }
        self.line("robustness by mutator")
        let shown = rates.prefix(Self.summaryLimit).map { (name: VisibleText.line($0.mutator), rate: $0) }
        let width = shown.map(\.name.count).max() ?? 0
        for (name, rate) in shown {
            let text = "  \(name)\(String(repeating: " ", count: width - name.count))  \(rate.text)"
            self.line(self.paint(rate.passed < rate.played || rate.errors > 0 ? .red : .green, text))
        }
        if rates.count > shown.count { self.line("  … and \(rates.count - shown.count) more") }
        self.line("")
    }

    /// What a run that was broken off did not bring to its end, or did not begin.
    private mutating func printUnfinished(_ end: RunEnd) {
        let unbegun = self.completeness.unbegunCount
        let never = unbegun > 0 ? "\(Self.count(unbegun, "scenario")) never began" : nil
        if end.isInterrupted {
            let reason = end.timeLimit.map { "the time limit of the run, \($0), passed" } ?? "interrupted"
            let open = self.running.isEmpty ? nil : "\(Self.count(self.running.count, "scenario")) did not end"
            self.line(self.paint(.red, [reason, open, never].compactMap(\.self).joined(separator: "; ")))
            for (_, running) in self.running.sorted(by: { $0.key < $1.key }).prefix(Self.summaryLimit) {
                self.line(
                    "    \(VisibleText.line("\(running.start.file):\(running.start.line)  \(running.start.name)"))")
            }
        } else if let never {
            self.line(self.paint(.yellow, never))
        }
    }

    private func timeText(_ end: RunEnd) -> String {
        let time = DurationText.text(nanoseconds: end.durationNanoseconds)
        let seed = self.run.map { ", seed \($0.seed)" } ?? ""
        guard self.run?.clock == .virtual else { return "\(time)\(seed)" }
        guard let elapsed = self.elapsed?() else { return "\(time) of virtual time\(seed)" }
        return "\(DurationText.text(nanoseconds: elapsed.nanoseconds)) (\(time) of virtual time)\(seed)"
    }

    private static func text(_ counts: OutcomeCounts) -> String {
        let parts = [
            (counts.passed, "passed"), (counts.failed, "failed"),
            (counts.errors, counts.errors == 1 ? "error" : "errors"), (counts.flaky, "flaky"),
            (counts.expectedFailures, "failed as expected"), (counts.skipped, "skipped"),
        ]
        let texts = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return texts.isEmpty ? "nothing was played" : texts.joined(separator: ", ")
    }

    private static func count(_ count: Int, _ noun: String) -> String {
        count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
    }
}
