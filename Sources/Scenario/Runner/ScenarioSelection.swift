/// Which scenarios of a suite are played.
public struct ScenarioSelection: Sendable {
    /// Parts of titles; a scenario whose title contains one of them is played. Empty: all.
    public var filters: [String]

    /// Tags; a scenario that has one of them is played. Empty: all. A tag with a leading `!` keeps scenarios out.
    public var tags: [String]

    /// Creates a selection.
    public init(filters: [String] = [], tags: [String] = []) {
        self.filters = filters
        self.tags = tags
    }

    /// Whether a scenario is played.
    public func includes(_ definition: ScenarioDefinition) -> Bool {
        let unwanted = self.tags.filter { $0.hasPrefix("!") }.map { String($0.dropFirst()) }
        let wanted = self.tags.filter { !$0.hasPrefix("!") }
        guard !definition.tags.contains(where: unwanted.contains) else { return false }
        guard wanted.isEmpty || definition.tags.contains(where: wanted.contains) else { return false }
        return self.filters.isEmpty || self.filters.contains { $0.isEmpty || definition.title.contains($0) }
    }
}
