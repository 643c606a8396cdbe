/// One of the parts that users of a workload play, and how many of them play it.
public struct Role: Hashable, Sendable {
    /// The name, such as `visitors`.
    public var name: String

    /// How many users of a cycle play it; at least 1.
    public var share: Int

    /// The scenario that its users play; nil stands for that of the workload.
    public var scenario: String?

    /// Creates a role.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - share: How many users of a cycle play it.
    ///   - scenario: The scenario that its users play, if not that of the workload.
    public init(name: String, share: Int, scenario: String? = nil) {
        self.name = name
        self.share = share
        self.scenario = scenario
    }
}
