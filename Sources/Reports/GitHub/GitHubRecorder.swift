public import RunRecord

/// Tells GitHub Actions what went wrong: annotations at the lines of the scripts, and a summary of the job.
///
/// GitHub shows ten errors of a step and drops the others silently. So a message that has been told once waits until
/// the end of the run, and what finds no place then is counted in a notice.
public struct GitHubRecorder {
    /// GitHub shows so many errors of a step.
    static let annotationLimit = 10

    /// The summary shows so many failures.
    private static let summaryLimit = 50

    /// The summary cuts texts to this many characters; GitHub refuses a summary of more than one mebibyte.
    private static let textLimit = 8_000

    private let folder: String
    private let write: (String) -> Void
    private var run: RunStart?
    private var running: [Int: ScenarioStart] = [:]
    private var counts = OutcomeCounts()
    private var failures: [Failure] = []
    private var toldMessages: Set<String> = []
    private var told = 0
    private var retried: [String: [ScenarioStart]] = [:]
    private var flaky: [(start: ScenarioStart, text: String)] = []
    private var end: RunEnd?
    private var completeness = RunCompleteness()

    private struct Failure {
        let start: ScenarioStart
        let problem: Problem?
        let text: String
        var isTold = false
    }

    /// Creates a recorder for a run that has not begun.
    ///
    /// - Parameters:
    ///   - folder: The folder of the project within the repository, empty if the project is the repository.
    ///   - write: Takes the workflow commands, one a line; they must go to standard output.
    public init(folder: String = "", write: @escaping (String) -> Void) {
        self.folder = folder
        self.write = write
    }

    /// Takes the next entry of the record.
    public mutating func record(_ entry: RunEntry) {
        self.completeness.record(entry)
        switch entry {
        case .runStarted(let start): self.run = start
        case .scenarioStarted(let start):
            self.running[start.index] = start
        case .happened: break
        case .scenarioEnded(let end):
            guard let start = self.running.removeValue(forKey: end.index) else { return }
            guard !end.isRetried else {
                if !start.isTry { self.retried[start.id, default: []].append(start) }
                return
            }
            self.counts.add(end.outcome, isRetry: start.isRetry)
            switch end.outcome {
            case .failed, .error: self.failed(start, end)
            case .passed where start.isRetry: self.passedLate(start)
            case .passed, .expectedFailure, .skipped: break
            }
        case .runEnded(let end):
            self.end = end
            self.tellRest()
        }
    }

    /// Takes note that no more entries come, also if the last one did not end the run.
    public mutating func finish() {
        guard self.end == nil, let problem = self.completeness.problem else { return }
        self.tellRest()
        self.write("::error::\(Self.message(problem))\n")
    }

    /// Notes a scenario that passed after attempts that did not, with the seeds of all.
    private mutating func passedLate(_ start: ScenarioStart) {
        let earlier = self.retried.removeValue(forKey: start.id) ?? []
        let seeds = earlier.map { "\($0.replaySeed(in: self.run))" }.joined(separator: ", ")
        let seed = start.replaySeed(in: self.run)
        let text = "failed with seed \(seeds), passed at attempt \(start.attempt) with seed \(seed)"
        self.flaky.append((start, text))
    }

    private mutating func failed(_ start: ScenarioStart, _ end: ScenarioEnd) {
        let problems = end.problemsByWeight
        var texts = problems.map(ProblemText.text)
        if let run = self.run { texts.append("replay    " + ReplayCommand.text(for: start.explaining(end), in: run)) }
        self.failures.append(
            Failure(start: start, problem: problems.first, text: texts.joined(separator: "\n\n")))
        if self.toldMessages.insert(problems.first?.message ?? "").inserted { self.tell(self.failures.count - 1) }
    }

    private mutating func tell(_ index: Int) {
        guard self.told < Self.annotationLimit, !self.failures[index].isTold else { return }
        self.told += 1
        self.failures[index].isTold = true
        let failure = self.failures[index]
        let file = failure.problem?.file ?? failure.start.file
        let line = failure.problem?.line ?? failure.start.line
        self.write(
            "::error file=\(Self.property(self.path(file))),line=\(line),title=\(Self.property(failure.start.name))"
                + "::\(Self.message(VisibleText.shortened(failure.text, to: Self.textLimit)))\n")
    }

    private mutating func tellRest() {
        for index in self.failures.indices { self.tell(index) }
        for (start, text) in self.flaky.prefix(Self.annotationLimit) {
            self.write(
                "::warning file=\(Self.property(self.path(start.file))),line=\(start.line),"
                    + "title=\(Self.property("flaky: " + start.name))::\(Self.message(text))\n")
        }
        if let sentence = self.unbegunSentence { self.write("::warning::\(sentence)\n") }
        let untold = self.failures.count - self.told
        guard untold > 0 else { return }
        self.write(
            "::notice::\(untold) more scenarios did not pass; the reports and the summary of the job show them\n")
    }

    private func path(_ file: String) -> String { self.folder.isEmpty ? file : "\(self.folder)/\(file)" }

    /// How many scenarios the run did not come to, or nil if it came to all.
    private var unbegunSentence: String? {
        let unbegun = self.completeness.unbegunCount
        guard let end = self.end, unbegun > 0 else { return nil }
        let reason =
            end.timeLimit.map { "the run passed its time limit, \($0)" }
            ?? (end.isInterrupted ? "the run was interrupted" : "the run ended early")
        return "\(unbegun) of \(self.run?.plannedScenarios ?? 0) scenarios never began: \(reason)"
    }

    private static func message(_ text: String) -> String {
        VisibleText.lines(text).replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }

    private static func property(_ text: String) -> String {
        Self.message(VisibleText.line(text)).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}

extension GitHubRecorder {
    /// The summary of the run so far in Markdown, for the file that `GITHUB_STEP_SUMMARY` names.
    public var summary: String {
        var text = """
            ### repartee

            | passed | failed | errors | flaky | expected failures | skipped |
            | ---: | ---: | ---: | ---: | ---: | ---: |
            | \(self.counts.passed) | \(self.counts.failed) | \(self.counts.errors) | \(self.counts.flaky) | \
            \(self.counts.expectedFailures) | \(self.counts.skipped) |

            """
        if self.end == nil, let problem = self.completeness.problem { text += "\n**\(VisibleText.html(problem))**\n" }
        if let sentence = self.unbegunSentence { text += "\n**\(sentence)**\n" }
        for failure in self.failures.prefix(Self.summaryLimit) {
            let body = VisibleText.shortened(VisibleText.lines(failure.text), to: Self.textLimit)
            let fence = String(repeating: "`", count: max(3, Self.longestFence(in: body) + 1))
            text += """

                <details><summary>\(VisibleText.html("\(failure.start.file): \(failure.start.name)"))</summary>

                \(fence)text
                \(body)
                \(fence)

                </details>

                """
        }
        for (start, flaky) in self.flaky.prefix(Self.summaryLimit) {
            text += "\n<p>flaky: \(VisibleText.html("\(start.file): \(start.name)")) — \(VisibleText.html(flaky))</p>\n"
        }
        let hidden = self.failures.count - Self.summaryLimit
        if hidden > 0 { text += "\n\(hidden) more scenarios did not pass; the reports show them.\n" }
        return text
    }

    private static func longestFence(in text: String) -> Int {
        var longest = 0
        var current = 0
        for byte in text.utf8 {
            current = byte == UInt8(ascii: "`") ? current + 1 : 0
            longest = max(longest, current)
        }
        return longest
    }
}
