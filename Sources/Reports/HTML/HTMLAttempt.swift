import JSON
import RunRecord

/// One attempt at a scenario as a page holds it: a line of the index, and the block with the conversation.
struct HTMLAttempt {
    let start: ScenarioStart

    /// The place of the script among the files of the report.
    let file: Int

    /// How many attempts of the run began before.
    let number: Int

    /// The conversation as it goes; nil once the attempt has ended.
    private var block: ConversationBlock? = ConversationBlock()

    /// What is left of an attempt that has ended: two texts to copy.
    private var finished: (summary: [UInt8], block: [UInt8])?

    init(_ start: ScenarioStart, number: Int, file: Int) {
        self.start = start
        self.number = number
        self.file = file
    }

    /// Adds what happened next.
    mutating func add(_ runEvent: RunEvent, atNanoseconds: Int64) {
        self.block?.add(runEvent, atNanoseconds: atNanoseconds)
    }

    /// Takes note of the end and renders what is now known for good.
    mutating func finish(_ end: ScenarioEnd, run: RunStart?) {
        var summary: [UInt8] = []
        self.renderSummary(end, run: run, to: &summary)
        var block: [UInt8] = []
        self.block?.render(end: end, to: &block)
        self.finished = (summary, block)
        self.block = nil
    }

    /// About how many bytes the attempt takes in a page.
    var sizeHint: Int { 100 + (self.finished.map { $0.summary.count + $0.block.count } ?? 2_000) }

    /// Appends the line of the index.
    func renderSummary(run: RunStart?, to output: inout [UInt8]) {
        guard let finished = self.finished else { return self.renderSummary(nil, run: run, to: &output) }
        output.append(contentsOf: finished.summary)
    }

    /// Appends the block.
    func renderBlock(to output: inout [UInt8]) {
        self.block?.render(end: nil, to: &output)
        if let finished = self.finished { output.append(contentsOf: finished.block) }
    }
}

extension HTMLAttempt {
    /// Appends what the list shows, searches and sorts.
    private func renderSummary(_ end: ScenarioEnd?, run: RunStart?, to output: inout [UInt8]) {
        EmbeddedJSON.write(to: &output) { writer in
            writer.appendMembers { members in
                self.addStart(end, run: run, to: &members)
                if let end { self.addEnd(end, to: &members) }
            }
        }
    }

    /// - Parameter end: How the attempt ended, by which the command is chosen that plays it again.
    private func addStart(_ end: ScenarioEnd?, run: RunStart?, to members: inout JSONMemberWriter) {
        members.add("file", self.file)
        members.add("line", self.start.line)
        members.add("title", self.start.titlePath)
        members.add("seed", String(self.start.replaySeed(in: run)))
        members.add("attempt", self.start.attempt)
        members.add("at", self.start.atNanoseconds)
        members.add("entries", self.block?.count)
        members.add("messages", self.block?.messages)
        if self.start.isTry { members.add("try", true) }
        members.add("repetition", self.start.repetition)
        members.add("row", self.start.row)
        if !self.start.tags.isEmpty { members.add("tags", self.start.tags) }
        members.add("replay", run.map { ReplayCommand.text(for: self.start.explaining(end), in: $0) })
    }

    private func addEnd(_ end: ScenarioEnd, to members: inout JSONMemberWriter) {
        members.add("ended", end.atNanoseconds)
        members.add("wall", end.wallNanoseconds)
        members.add("outcome", end.outcome.name)
        members.add("reason", end.outcome.reason)
        if end.isEmpty { members.add("empty", true) }
        if let passes = end.passes { members.add("passes", Self.rate(passes, isLast: !end.isRetried)) }
        guard let problem = end.problemsByWeight.first else { return }
        members.add("problem", problem.message)
        if problem.file != self.start.file { members.add("problem_file", problem.file) }
        members.add("problem_line", problem.line)
        if let differences = problem.evidence?.differences, !differences.isEmpty {
            members.add("differences", value: .array(differences.prefix(Self.shownDifferences).map(\.json)))
        }
    }

    /// The overview shows so many places at which a value was not as expected.
    private static let shownDifferences = 2

    /// How many tries have passed, where their rate decides.
    ///
    /// - Parameter isLast: Whether no other try follows: of many the page shows the rates of checks after the last.
    private static func rate(_ passes: PassRate, isLast: Bool) -> JSONObject {
        var rate: JSONObject = [
            "text": .string(passes.text), "verdict": .string(passes.verdict?.rawValue ?? ""),
        ]
        if let baseline = passes.baseline {
            rate["baseline"] = .string(
                "\(baseline.rate.text(confidence: passes.confidence)); difference \(baseline.difference)")
        }
        guard isLast, !passes.checks.isEmpty else { return rate }
        rate["checks"] = .array(
            passes.checks.map { check in
                [
                    "place": .string(check.heading), "text": .string(check.text),
                    "figures": .string(check.rate.text(confidence: passes.confidence)),
                ]
            })
        return rate
    }
}
