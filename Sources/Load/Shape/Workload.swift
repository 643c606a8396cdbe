/// One executor of a load shape with the users that it starts.
public struct Workload: Hashable, Sendable {
    /// The name, unique in its shape.
    public var name: String

    /// The rule by which users start.
    public var executor: Executor

    /// How long after the start of the run the workload starts.
    public var startAfter: Duration

    /// How long users may take to finish once they have been told to stop.
    public var gracefulStop: Duration

    /// The scenario that the users play; nil stands for the only scenario of the file.
    public var scenario: String?

    /// The roles that users play, in the order of their names; empty if all are alike.
    public var roles: [Role]

    /// How users are dealt to rooms; nil if there are no rooms.
    public var rooms: RoomPlan?

    /// How long users think where the scenario says that they do.
    public var thinkTime: ThinkTime?

    /// The most users of the workload at once; for closed executors their own peak.
    public var maxUsers: Int

    /// When the last user must be gone, measured from the start of the run.
    public var latestEnd: Duration { self.startAfter + self.executor.length + self.gracefulStop }
}
