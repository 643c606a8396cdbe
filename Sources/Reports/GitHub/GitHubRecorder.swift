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
        switch entry {
        case .runStarted(let start): self.run = start
        case .scenarioStarted(let start): self.running[start.index] = start
        case .happened: break
        case .scenarioEnded(let end):
            guard let start = self.running.removeValue(forKey: end.index) else { return }
            self.counts.add(end.outcome)
            if end.outcome == .failed || end.outcome == .error { self.failed(start, end) }
        case .runEnded: self.tellRest()
        }
    }

    private mutating func failed(_ start: ScenarioStart, _ end: ScenarioEnd) {
        let problems = end.problemsByWeight
        var texts = problems.map(ProblemText.text)
        if let run = self.run { texts.append("replay    " + ReplayCommand.text(for: start, in: run)) }
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
        let path = self.folder.isEmpty ? file : "\(self.folder)/\(file)"
        self.write(
            "::error file=\(Self.property(path)),line=\(line),title=\(Self.property(failure.start.name))"
                + "::\(Self.message(VisibleText.shortened(failure.text, to: Self.textLimit)))\n")
    }

    private mutating func tellRest() {
        for index in self.failures.indices { self.tell(index) }
        let untold = self.failures.count - self.told
        guard untold > 0 else { return }
        self.write(
            "::notice::\(untold) more scenarios did not pass; the reports and the summary of the job show them\n")
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

            | passed | failed | errors | skipped |
            | ---: | ---: | ---: | ---: |
            | \(self.counts.passed) | \(self.counts.failed) | \(self.counts.errors) | \(self.counts.skipped) |

            """
        for failure in self.failures.prefix(Self.summaryLimit) {
            let body = VisibleText.shortened(VisibleText.lines(failure.text), to: Self.textLimit)
            let fence = String(repeating: "`", count: max(3, Self.longestFence(in: body) + 1))
            text += """

                <details><summary>\(Self.html("\(failure.start.file): \(failure.start.name)"))</summary>

                \(fence)text
                \(body)
                \(fence)

                </details>

                """
        }
        let hidden = self.failures.count - Self.summaryLimit
        if hidden > 0 { text += "\n\(hidden) more scenarios did not pass; the reports show them.\n" }
        return text
    }

    private static func html(_ text: String) -> String {
        VisibleText.line(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
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
