import JSON
public import RunRecord

/// Renders the Test Anything Protocol, version 14: a line per scenario as it ends, the plan last.
///
/// A stream without its plan is from a run that was killed, and consumers say so; a file says it itself: it is whole at
/// any time, and that of a run that has not ended bails out. The last attempt at a scenario is its test point; those
/// before it are comments, and a point that passed after them says that it is flaky.
public struct TAPRecorder: DocumentRecorder {
    /// The lines so far, each with its line feed; a stream takes them as they come.
    var text = ""

    private var run: RunStart?
    private var running: [Int: ScenarioStart] = [:]

    /// What the attempts that play have attached: comments before their points.
    private var attached: [Int: [String]] = [:]
    private var points = 0
    private var completeness = RunCompleteness()
    private var isRunOver = false
    private var earlierSeeds: [String: [UInt64]] = [:]

    /// Creates a recorder for a run that has not begun.
    public init() {}

    /// Takes the next entry of the record.
    public mutating func record(_ entry: RunEntry) {
        self.completeness.record(entry)
        switch entry {
        case .runStarted(let start):
            self.run = start
            self.line("TAP version 14")
            self.line(
                "# repartee \(start.toolVersion), target \(start.target), \(start.clock.rawValue) time, "
                    + "seed \(start.seed)")
        case .scenarioStarted(let start):
            self.running[start.index] = start
        case .happened(let scenario, _, .attached(let name, let path, _)):
            self.attached[scenario, default: []].append("# attached \(name): \(path)")
        case .happened: break
        case .scenarioEnded(let end):
            guard let start = self.running.removeValue(forKey: end.index) else { return }
            for comment in self.attached.removeValue(forKey: end.index) ?? [] { self.line(comment) }
            self.scenarioEnded(start, end)
        case .runEnded(let end):
            self.isRunOver = true
            let unbegun = self.completeness.unbegunCount
            if unbegun > 0 { self.line("# never began: \(unbegun) of \(self.run?.plannedScenarios ?? 0)") }
            if end.isInterrupted {
                let reason = end.timeLimit.map { "The run passed its time limit, \($0)." }
                self.line("Bail out! \(reason ?? "The run was interrupted.")")
            } else {
                if let problem = self.completeness.problem { self.runFailed(problem) }
                self.line("1..\(self.points)")
            }
        }
    }

    /// Renders the whole file as it stands after the entries so far.
    ///
    /// - Returns: UTF-8.
    public func document() -> [UInt8] { Array(self.textWithEnd.utf8) }

    /// The lines so far of a file, which say that there should be more if the run has not ended.
    private var textWithEnd: String {
        guard !self.isRunOver, let problem = self.completeness.problem else { return self.text }
        var ended = self
        ended.runFailed(problem)
        ended.line("Bail out! \(problem.prefix(1).uppercased())\(problem.dropFirst()).")
        return ended.text
    }

    /// A run that is not whole is a point that failed.
    private mutating func runFailed(_ problem: String) {
        self.points += 1
        self.line("not ok \(self.points) - \(RunCompleteness.caseName)")
        self.line("  ---")
        self.line("  message: \(Self.quoted(problem))")
        self.line("  severity: error")
        self.line("  type: \(Self.quoted(RunCompleteness.problemKind.rawValue))")
        self.line("  ...")
    }

    private mutating func line(_ text: String) { self.text += VisibleText.line(text) + "\n" }

    private mutating func scenarioEnded(_ start: ScenarioStart, _ end: ScenarioEnd) {
        let seed = start.replaySeed(in: self.run)
        if end.isRetried, start.isTry { return }
        if end.isRetried {
            self.earlierSeeds[start.id, default: []].append(seed)
            let message = end.problemsByWeight.first?.message ?? "no reason was recorded"
            self.line(
                "# attempt \(start.attempt) of \(start.file): \(start.name) did not pass: \(message) (seed \(seed))")
            return
        }
        self.points += 1
        let point = "\(self.points) - \(Self.escaped("\(start.file): \(start.name)"))"
        let earlier = self.earlierSeeds.removeValue(forKey: start.id) ?? []
        switch end.outcome {
        case .passed where start.isRetry:
            self.line("ok \(point)")
            self.line("  ---")
            self.line("  flaky: true")
            self.line("  failed_with_seeds: [\(earlier.map { "\($0)" }.joined(separator: ", "))]")
            self.line("  passed_with_seed: \(seed)")
            self.line("  ...")
        case .passed:
            self.line("ok \(point)")
            if let passes = end.passes {
                self.line("  ---")
                self.line("  passes: \(Self.quoted(passes.text))")
                self.rates(passes)
                self.line("  ...")
            }
        case .expectedFailure(let reason):
            self.line("not ok \(point) # TODO \(Self.escaped(reason))")
            self.diagnose(start, end)
        case .skipped(let reason): self.line("ok \(point) # SKIP \(Self.escaped(reason))")
        case .failed, .error:
            self.line("not ok \(point)")
            self.diagnose(start, end)
        }
    }

    /// The block of YAML after a point that failed; its quoted strings are written as JSON, which YAML includes.
    private mutating func diagnose(_ start: ScenarioStart, _ end: ScenarioEnd) {
        let problems = end.problemsByWeight
        self.line("  ---")
        if let problem = problems.first {
            self.line("  message: \(Self.quoted(problem.message))")
            self.line("  severity: \(problem.category == .failure ? "fail" : "error")")
            self.line("  type: \(Self.quoted(problem.typeName))")
            self.line("  at:")
            self.line("    file: \(Self.quoted(problem.file ?? start.file))")
            self.line("    line: \(problem.line ?? start.line)")
            self.block("detail", problems.map(ProblemText.text).joined(separator: "\n\n"))
        }
        if let passes = end.passes { self.rates(passes) }
        if let run = self.run {
            self.line("  replay: \(Self.quoted(ReplayCommand.text(for: start.explaining(end), in: run)))")
        }
        self.line("  ...")
    }

    private mutating func rates(_ passes: PassRate) {
        if let baseline = passes.baseline {
            let figures = baseline.rate.text(confidence: passes.confidence)
            self.line("  baseline: \(Self.quoted("\(figures); difference \(baseline.difference)"))")
        }
        guard !passes.checks.isEmpty else { return }
        self.line("  checks:")
        for check in passes.checks {
            let text = "\(check.heading): \(check.rate.text(confidence: passes.confidence)): \(check.text)"
            self.line("    - \(Self.quoted(text))")
        }
    }

    /// A text of several lines; the digit says how far they are indented, for the first may itself begin with a space.
    private mutating func block(_ name: String, _ text: String) {
        self.line("  \(name): |2-")
        for line in VisibleText.lines(text).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            // A tab may not stand where a reader looks for indentation.
            self.text += (line.isEmpty ? "\n" : "    \(line.replacing("\t", with: "    "))\n")
        }
    }

    private static func quoted(_ text: String) -> String {
        JSONValue.string(VisibleText.line(text)).description
    }

    /// A description ends at a `#`, unless that is escaped.
    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("#", with: "\\#")
    }
}
