/// One of several parts of a run, to which the scenarios of a project are dealt or the users of a load test.
public struct Shard: Hashable, Sendable, CustomStringConvertible {
    /// Which part, counted from one.
    public var index: Int

    /// How many parts there are.
    public var count: Int

    /// How many scenarios all parts have together, or nil if that is not known.
    public var plannedScenarios: Int?

    /// What the shards of the run have in common, or nil if that is not known.
    public var plan: ShardPlan?

    /// Creates a shard.
    ///
    /// - Parameters:
    ///   - index: Which part, counted from one.
    ///   - count: How many parts there are.
    ///   - plannedScenarios: How many scenarios all parts have together.
    ///   - plan: What all parts have in common.
    public init(index: Int, count: Int, plannedScenarios: Int? = nil, plan: ShardPlan? = nil) {
        self.index = index
        self.count = count
        self.plannedScenarios = plannedScenarios
        self.plan = plan
    }

    /// The shard as the command line writes it, such as `2/4`.
    public var description: String { "\(self.index)/\(self.count)" }
}
