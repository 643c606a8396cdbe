import RunRecord

/// On how many cores a run is played unless somebody says how many.
public struct CoreCount: Sendable {
    /// How many cores this process may use.
    private let processors: Int
    /// Whether the server that is under load runs on this machine, too.
    private let sharesMachine: Bool

    /// Fewer users than these are not worth a core of their own; defined here.
    static let leastUsers = 50

    /// - Parameters:
    ///   - processors: How many cores this process may use.
    ///   - sharesMachine: Whether the server that is under load runs on this machine, too; it gets half of the cores.
    public init(processors: Int, sharesMachine: Bool) {
        self.processors = max(processors, 1)
        self.sharesMachine = sharesMachine
    }

    /// Returns the number for a plan.
    ///
    /// - Parameter plan: The plan of the whole shard.
    public func number(for plan: LoadPlan) -> Int {
        let free = self.sharesMachine ? max(self.processors / 2, 1) : self.processors
        let users = plan.userCount / plan.shard.count
        var cores = min(free, max(users / Self.leastUsers, 1))
        // A workload may have too few users to be dealt to all.
        while cores > 1, (try? plan.part(ofCore: cores, of: cores)) == nil { cores -= 1 }
        return cores
    }
}
