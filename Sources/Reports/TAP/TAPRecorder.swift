import JSON
public import RunRecord

/// Writes the Test Anything Protocol, version 14: a line per scenario as it ends, the plan last.
///
/// A file without its plan is from a run that was killed, and consumers say so. Each attempt at a scenario is a test
/// point of its own.
public struct TAPRecorder {
    private let write: (String) -> Void
    private var run: RunStart?
    private var running: [Int: ScenarioStart] = [:]
    private var points = 0

    /// Creates a recorder for a run that has not begun.
    ///
    /// - Parameter write: Takes the text of whole lines, each with its line feed.
    public init(write: @escaping (String) -> Void) {
        self.write = write
    }

    /// Takes the next entry of the record.
    public mutating func record(_ entry: RunEntry) {
        switch entry {
        case .runStarted(let start):
            self.run = start
            self.line("TAP version 14")
            self.line(
                "# repartee \(start.toolVersion), target \(start.target), \(start.clock.rawValue) time, "
                    + "seed \(start.seed)")
        case .scenarioStarted(let start): self.running[start.index] = start
        case .happened: break
        case .scenarioEnded(let end):
            guard let start = self.running.removeValue(forKey: end.index) else { return }
            self.scenarioEnded(start, end)
        case .runEnded(let end):
            if end.isInterrupted {
                self.line("Bail out! The run was interrupted.")
            } else {
                self.line("1..\(self.points)")
            }
        }
    }

    private func line(_ text: String) { self.write(VisibleText.line(text) + "\n") }

    private mutating func scenarioEnded(_ start: ScenarioStart, _ end: ScenarioEnd) {
        self.points += 1
        let attempt = start.attempt > 1 ? " (attempt \(start.attempt))" : ""
        let point = "\(self.points) - \(Self.escaped("\(start.file): \(start.name)\(attempt)"))"
        switch end.outcome {
        case .passed: self.line("ok \(point)")
        case .skipped(let reason): self.line("ok \(point) # SKIP \(Self.escaped(reason))")
        case .failed, .error:
            self.line("not ok \(point)")
            self.diagnose(start, end)
        }
    }

    /// The block of YAML after a point that failed; its quoted strings are written as JSON, which YAML includes.
    private func diagnose(_ start: ScenarioStart, _ end: ScenarioEnd) {
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
        if let run = self.run { self.line("  replay: \(Self.quoted(ReplayCommand.text(for: start, in: run)))") }
        self.line("  ...")
    }

    /// A text of several lines; the digit says how far they are indented, for the first may itself begin with a space.
    private func block(_ name: String, _ text: String) {
        self.line("  \(name): |2-")
        for line in VisibleText.lines(text).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            // A tab may not stand where a reader looks for indentation.
            self.write(line.isEmpty ? "\n" : "    \(line.replacing("\t", with: "    "))\n")
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
