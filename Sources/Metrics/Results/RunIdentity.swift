/// What makes two shards parts of one load run; results merge only where it is the same.
public struct RunIdentity: Hashable, Sendable {
    /// The id of the run, the same in all shards.
    public var runID: String
    /// The seed from which all users, rooms and arrivals follow.
    public var seed: UInt64
    /// A digest of the shape of the load and the rows of its users.
    public var planHash: String
    /// What the run is called in reports.
    public var title: String
    /// How many shards the run has.
    public var shardCount: Int
    /// The parts of the run over time.
    public var phases: Phases
    /// The thresholds as they are written.
    public var thresholds: [String]

    public init(
        runID: String, seed: UInt64, planHash: String, title: String, shardCount: Int = 1, phases: Phases = Phases(),
        thresholds: [String] = []
    ) {
        self.runID = runID
        self.seed = seed
        self.planHash = planHash
        self.title = title
        self.shardCount = max(1, shardCount)
        self.phases = phases
        self.thresholds = thresholds
    }
}
