import Metrics
public import RunRecord

/// Tells GitHub Actions what went wrong: annotations at the lines of the scripts, and a summary of the job.
///
/// GitHub shows ten errors of a step and drops the others silently. So a message that has been told once waits until
/// the end of the run, and what finds no place then is counted in a notice.
public struct GitHubRecorder {
    /// GitHub shows so many errors of a step.
    static let annotationLimit = 10

    /// The summary shows so many failures, and so many scenarios that passed late.
    private static let summaryLimit = 50

    /// How many bytes a summary may have: GitHub refuses what one step writes if it is more than a mebibyte, and others
    /// may add something.
    private static let byteLimit = 1_000_000

    /// How many bytes are kept of the text of a failure and of a name.
    private static let textLimit = (failure: 8_000, name: 1_000)

    private let folder: String
    private let write: (String) -> Void
    private var run: RunStart?
    private var running: [Int: ScenarioStart] = [:]
    private var counts = OutcomeCounts()
    /// The first failures: no others are shown or can be told later than at once.
    private var failures: [Failure] = []
    private var failureCount = 0
    private var toldMessages: Set<String> = []
    private var told = 0
    /// The seeds of attempts that were not the last ones, by the scenario.
    private var earlierSeeds: [String: [UInt64]] = [:]
    /// The first scenarios that passed late.
    private var flaky: [(place: Place, text: String)] = []
    private var end: RunEnd?
    private var completeness = RunCompleteness()

    /// The line of a scenario, or of its problem, and its name.
    private struct Place {
        let file: String
        let line: Int
        let name: String

        init(_ start: ScenarioStart, _ problem: Problem? = nil) {
            self.file = problem?.file ?? start.file
            self.line = problem?.line ?? start.line
            self.name = GitHubRecorder.shortened(start.name, to: GitHubRecorder.textLimit.name)
        }
    }

    private struct Failure {
        let place: Place
        /// The file that declares the scenario.
        let file: String
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
                if !start.isTry { self.earlierSeeds[start.id, default: []].append(start.replaySeed(in: self.run)) }
                return
            }
            self.counts.add(end.outcome, isRetry: start.isRetry)
            let earlierSeeds = self.earlierSeeds.removeValue(forKey: start.id) ?? []
            switch end.outcome {
            case .failed, .error: self.failed(start, end)
            case .passed where start.isRetry: self.passedLate(start, earlierSeeds)
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
    private mutating func passedLate(_ start: ScenarioStart, _ earlierSeeds: [UInt64]) {
        guard self.flaky.count < Self.summaryLimit else { return }
        let seeds = earlierSeeds.map { "\($0)" }.joined(separator: ", ")
        let seed = start.replaySeed(in: self.run)
        let text = "failed with seed \(seeds), passed at attempt \(start.attempt) with seed \(seed)"
        self.flaky.append((Place(start), Self.shortened(text, to: Self.textLimit.failure)))
    }

    private mutating func failed(_ start: ScenarioStart, _ end: ScenarioEnd) {
        let problems = end.problemsByWeight
        var texts = problems.map(ProblemText.text)
        if let run = self.run { texts.append("replay    " + ReplayCommand.text(for: start.explaining(end), in: run)) }
        var failure = Failure(
            place: Place(start, problems.first), file: start.file,
            text: Self.shortened(texts.joined(separator: "\n\n"), to: Self.textLimit.failure))
        self.failureCount += 1
        if self.told < Self.annotationLimit, self.toldMessages.insert(problems.first?.message ?? "").inserted {
            self.tell(failure)
            failure.isTold = true
        }
        if self.failures.count < Self.summaryLimit { self.failures.append(failure) }
    }

    private mutating func tell(_ failure: Failure) {
        self.told += 1
        self.annotate("error", failure.place, title: failure.place.name, failure.text)
    }

    private func annotate(_ level: String, _ place: Place, title: String, _ text: String) {
        self.write(
            "::\(level) file=\(Self.property(self.path(place.file))),line=\(place.line),title=\(Self.property(title))"
                + "::\(Self.message(text))\n")
    }

    private mutating func tellRest() {
        for failure in self.failures where self.told < Self.annotationLimit && !failure.isTold { self.tell(failure) }
        for (place, text) in self.flaky.prefix(Self.annotationLimit) {
            self.annotate("warning", place, title: "flaky: " + place.name, text)
        }
        if let sentence = self.unbegunSentence { self.write("::warning::\(sentence)\n") }
        let untold = self.failureCount - self.told
        guard untold > 0 else { return }
        self.write(
            "::notice::\(NumberText.counted(untold, "more scenario")) did not pass; the reports and the summary of the job "
                + "show \(untold == 1 ? "it" : "them")\n")
    }

    private func path(_ file: String) -> String { self.folder.isEmpty ? file : "\(self.folder)/\(file)" }

    /// How many scenarios the run did not come to, or nil if it came to all.
    private var unbegunSentence: String? {
        let unbegun = self.completeness.unbegunCount
        guard let end = self.end, unbegun > 0 else { return nil }
        let reason =
            end.timeLimit.map { "the run passed its time limit, \($0)" }
            ?? (end.isInterrupted ? "the run was interrupted" : "the run ended early")
        let planned = NumberText.counted(self.run?.plannedScenarios ?? 0, "scenario")
        return "\(unbegun) of \(planned) never began: \(reason)"
    }

    /// Makes a text that is kept: one that can be printed, of so many bytes.
    private static func shortened(_ text: String, to length: Int) -> String {
        VisibleText.shortened(VisibleText.lines(text), toBytes: length)
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
        /// Adds a paragraph unless there is no room for it.
        func add(_ paragraph: String) -> Bool {
            guard text.utf8.count + paragraph.utf8.count <= Self.byteLimit else { return false }
            text += paragraph
            return true
        }
        let shown = self.failures.prefix { add(Self.paragraph($0)) }.count
        for (place, flaky) in self.flaky {
            _ = add(
                "\n<p>flaky: \(VisibleText.html("\(place.file): \(place.name)")) — \(VisibleText.html(flaky))</p>\n")
        }
        let hidden = self.failureCount - shown
        if hidden > 0 {
            let scenarios = NumberText.counted(hidden, "more scenario")
            text += "\n\(scenarios) did not pass; the reports show \(hidden == 1 ? "it" : "them").\n"
        }
        return text
    }

    private static func paragraph(_ failure: Failure) -> String {
        let fence = String(repeating: "`", count: max(3, Self.longestFence(in: failure.text) + 1))
        return """

            <details><summary>\(VisibleText.html("\(failure.file): \(failure.place.name)"))</summary>

            \(fence)text
            \(failure.text)
            \(fence)

            </details>

            """
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
