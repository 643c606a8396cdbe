import JSON
import RunRecord

/// One attempt at a scenario as a page holds it: a line of the index, and the block with the conversation.
struct HTMLAttempt {
    let start: ScenarioStart

    /// The place of the script among the files of the report.
    let file: Int

    /// How many attempts of the run began before.
    let number: Int

    private var block = ConversationBlock()

    /// What is left of a finished attempt: two texts to copy.
    private var finished: (summary: [UInt8], block: [UInt8])?

    init(_ start: ScenarioStart, number: Int, file: Int) {
        self.start = start
        self.number = number
        self.file = file
    }

    /// Adds what happened next.
    mutating func add(_ runEvent: RunEvent, atNanoseconds: Int64) {
        self.block.add(runEvent, atNanoseconds: atNanoseconds)
    }

    /// The overview shows so many places at which a value was not as expected.
    private static let shownDifferences = 2

    /// Takes note of the end and renders what is now known for good.
    mutating func finish(_ end: ScenarioEnd, run: RunStart?) {
        var summary: [UInt8] = []
        EmbeddedJSON.append(self.summary(end, run: run), to: &summary)
        var block: [UInt8] = []
        self.block.render(end: end, to: &block)
        self.finished = (summary, block)
        self.block = ConversationBlock()
    }

    /// About how many bytes the attempt takes in a page.
    var sizeHint: Int { 100 + (self.finished.map { $0.summary.count + $0.block.count } ?? 2_000) }

    /// Appends the line of the index.
    func renderSummary(run: RunStart?, to output: inout [UInt8]) {
        guard let finished = self.finished else { return EmbeddedJSON.append(self.summary(nil, run: run), to: &output) }
        output.append(contentsOf: finished.summary)
    }

    /// Appends the block.
    func renderBlock(to output: inout [UInt8]) {
        guard let finished = self.finished else { return self.block.render(end: nil, to: &output) }
        output.append(contentsOf: finished.block)
    }

    /// What the list shows, searches and sorts.
    private func summary(_ end: ScenarioEnd?, run: RunStart?) -> JSONValue {
        var members: JSONObject = [
            "file": .integer(self.file), "line": .integer(self.start.line),
            "title": .array(self.start.titlePath.map { .string($0) }),
            "seed": .string("\(self.start.replaySeed(in: run))"),
            "attempt": .integer(self.start.attempt), "at": .integer(self.start.atNanoseconds),
            "entries": .integer(self.block.count), "messages": .integer(self.block.messages),
        ]
        if self.start.isTry { members["try"] = true }
        members["repetition"] = self.start.repetition.map { .integer($0) }
        members["row"] = self.start.row.map { .string($0) }
        if !self.start.tags.isEmpty { members["tags"] = .array(self.start.tags.map { .string($0) }) }
        members["replay"] = run.map { .string(ReplayCommand.text(for: self.start.explaining(end), in: $0)) }
        guard let end else { return .object(members) }
        members["ended"] = .integer(end.atNanoseconds)
        members["wall"] = end.wallNanoseconds.map { .integer($0) }
        members["outcome"] = .string(end.outcome.name)
        members["reason"] = end.outcome.reason.map { .string($0) }
        if end.isEmpty { members["empty"] = true }
        if let passes = end.passes {
            var rate: JSONObject = [
                "text": .string(passes.text), "verdict": .string(passes.verdict?.rawValue ?? ""),
            ]
            if let baseline = passes.baseline {
                rate["baseline"] = .string(
                    "\(baseline.rate.text(confidence: passes.confidence)); difference \(baseline.difference)")
            }
            // Of many tries the page shows the rates after the last.
            if !end.isRetried, !passes.checks.isEmpty {
                rate["checks"] = .array(
                    passes.checks.map { check in
                        [
                            "place": .string(check.heading), "text": .string(check.text),
                            "figures": .string(check.rate.text(confidence: passes.confidence)),
                        ]
                    })
            }
            members["passes"] = .object(rate)
        }
        if let problem = end.problemsByWeight.first {
            members["problem"] = .string(problem.message)
            members["problem_file"] = problem.file.flatMap { $0 == self.start.file ? nil : .string($0) }
            members["problem_line"] = problem.line.map { .integer($0) }
            if let differences = problem.evidence?.differences, !differences.isEmpty {
                members["differences"] = .array(differences.prefix(Self.shownDifferences).map(\.json))
            }
        }
        return .object(members)
    }
}
