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
    /// How many shards the run has, the parts of all cores counted.
    public var shardCount: Int
    /// On how many cores each machine plays its part; the run has so many times fewer machines than shards.
    public var cores: Int
    /// The parts of the run over time.
    public var phases: Phases
    /// The thresholds as they are written.
    public var thresholds: [String]
    /// Whether time moved only when nothing else could happen.
    public var isVirtual: Bool
    /// Where the chat was: `embedded`, or the name or URL of a target.
    public var target: String
    /// The command that plays the whole run again.
    public var replay: String?

    /// Creates an identity; a run has at least one shard and one core.
    public init(
        runID: String, seed: UInt64, planHash: String, title: String, shardCount: Int = 1, cores: Int = 1,
        phases: Phases = Phases(),
        thresholds: [String] = [], isVirtual: Bool = false, target: String = "embedded", replay: String? = nil
    ) {
        self.runID = runID
        self.seed = seed
        self.planHash = planHash
        self.title = title
        self.shardCount = max(1, shardCount)
        self.cores = cores > 1 && self.shardCount.isMultiple(of: cores) ? cores : 1
        self.phases = phases
        self.thresholds = thresholds
        self.isVirtual = isVirtual
        self.target = target
        self.replay = replay
    }

    /// Says in what two identities differ beside what names a run, its seed, its file and its plan.
    ///
    /// - Returns: A sentence about the shards of both; nil if they are the same.
    func difference(from other: RunIdentity) -> String? {
        guard self != other else { return nil }
        func clock(_ identity: RunIdentity) -> String { identity.isVirtual ? "virtual" : "real" }
        if self.isVirtual != other.isVirtual {
            return "one shard was played in \(clock(self)) time and the other in \(clock(other)) time"
        }
        if self.target != other.target {
            return "the shards played against different targets (\(self.target) and \(other.target))"
        }
        if self.phases != other.phases || self.thresholds != other.thresholds {
            return "the shards have different phases or thresholds"
        }
        if self.cores != other.cores {
            return "one shard was played on \(NumberText.counted(self.cores, "core")) and the other on \(other.cores)"
        }
        return "the shards were played by different commands (\(self.replay ?? "none") and \(other.replay ?? "none"))"
    }

    /// Returns what people call a shard: `shard 2/4`, `core 1/2` of a run on one machine, `shard 2/4 core 1/2`.
    ///
    /// - Returns: Nil if the whole run was played in one part.
    public func name(ofShard shard: Int) -> String? {
        guard self.shardCount > 1 else { return nil }
        let machines = self.shardCount / self.cores
        let parts = [
            machines > 1 ? "shard \((shard - 1) % machines + 1)/\(machines)" : nil,
            self.cores > 1 ? "core \((shard - 1) / machines + 1)/\(self.cores)" : nil,
        ]
        return parts.compactMap(\.self).joined(separator: " ")
    }
}
