/// A run that is over.
public struct RunEnd: Hashable, Sendable {
    /// How the scenarios ended.
    public var counts: OutcomeCounts

    /// How long the run took on its own clock, in nanoseconds; in virtual time the sum over the scenarios.
    public var durationNanoseconds: Int64

    /// Whether the run was broken off before all scenarios had been played.
    public var isInterrupted: Bool

    /// The time limit of the run that broke it off, as scripts write durations (`10m`), or nil if none did.
    public var timeLimit: String?

    /// How robust the scenarios were whose rows name a mutator, in the order of the names.
    public var robustness: [MutatorRate]

    /// What the answers of language models took, if any told it.
    public var usage: ModelUsage?

    /// Of a shard, digests of the files that its scenarios have read while they were played, as those of
    /// ``ShardPlan/files``, which are not among them.
    public var files: [String: String]

    /// Creates the end of a run.
    public init(
        counts: OutcomeCounts, durationNanoseconds: Int64, isInterrupted: Bool = false, timeLimit: String? = nil,
        robustness: [MutatorRate] = [], usage: ModelUsage? = nil, files: [String: String] = [:]
    ) {
        self.counts = counts
        self.durationNanoseconds = durationNanoseconds
        self.isInterrupted = isInterrupted
        self.timeLimit = timeLimit
        self.robustness = robustness
        self.usage = usage
        self.files = files
    }
}
