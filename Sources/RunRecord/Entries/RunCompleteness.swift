/// Whether entries tell of a run from its start to its end, so that what they say of it may be believed.
///
/// A run that was killed leaves reports, too, and what had been played until then may all have passed. As long as there
/// is a ``problem``, every report has it as an error of its own.
public struct RunCompleteness: Hashable, Sendable {
    /// The name of the error in reports.
    public static let caseName = "the run ends"

    /// What kind of problem it is.
    public static let problemKind = ProblemKind.unfinished

    private var start: RunStart?
    private var end: RunEnd?

    /// How many of the planned scenarios have begun their first attempt.
    private var begun = 0

    /// How many of the planned scenarios have come to their last attempt's end.
    private var played = 0

    /// The scenarios that have begun and not ended.
    private var playing: Set<Int> = []

    /// What scenarios share stands in a record only if something went wrong in it, and is not planned.
    private var shared: Set<Int> = []

    /// Creates the account of a run that has not begun.
    public init() {}

    /// Creates the account of a whole record.
    public init(_ entries: some Sequence<RunEntry>) {
        for entry in entries { self.record(entry) }
    }

    /// Takes the next entry of the record.
    public mutating func record(_ entry: RunEntry) {
        switch entry {
        case .runStarted(let start): self.start = start
        case .scenarioStarted(let start):
            self.playing.insert(start.index)
            if start.askedBy != nil {
                self.shared.insert(start.index)
            } else if start.attempt == 1 {
                self.begun += 1
            }
        case .happened: break
        case .scenarioEnded(let end):
            self.playing.remove(end.index)
            if self.shared.remove(end.index) == nil, !end.isRetried { self.played += 1 }
        case .runEnded(let end): self.end = end
        }
    }

    /// How many of the planned scenarios have not begun.
    public var unbegunCount: Int { max(0, (self.start?.plannedScenarios ?? 0) - self.begun) }

    /// Why the run is not whole, such as `the run did not end: 88 of 832 played`; nil if it is.
    ///
    /// A run that failed may have ended before all was played, for it may have been told to; its failure tells enough.
    public var problem: String? {
        guard let start = self.start else { return "the run did not end: its beginning is missing" }
        let count = "\(self.played) of \(start.plannedScenarios) played"
        guard let end = self.end else { return "the run did not end: \(count)" }
        // No run leaves one behind: whatever ends it ends what plays, too, so that lines are missing.
        guard self.playing.isEmpty else {
            let began = self.playing.count == 1 ? "1 scenario" : "\(self.playing.count) scenarios"
            return "the record is not whole: it has no end of \(began) that began, \(count)"
        }
        // What shared hooks do last may outlast the run, although all was played; only a failure would tell of it.
        let isOvertaken = end.timeLimit != nil && end.counts.failed + end.counts.errors == 0
        guard self.played < start.plannedScenarios || isOvertaken else { return nil }
        if let limit = end.timeLimit { return "the run passed its time limit, \(limit): \(count)" }
        if end.isInterrupted { return "the run was interrupted: \(count)" }
        return end.counts.failed + end.counts.errors > 0 ? nil : "the run ended too early: \(count)"
    }
}
