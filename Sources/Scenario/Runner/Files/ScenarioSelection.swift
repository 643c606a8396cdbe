/// Which scenarios of a suite are played.
public struct ScenarioSelection: Sendable {
    /// Parts of titles; a scenario whose title contains one of them is played. Empty: all.
    public var filters: [String]

    /// Expressions over tags.
    ///
    /// One of them must hold; those that begin with `not` must all hold.
    public var tags: [TagExpression]

    /// The ids of the scenarios that may be played, or nil for all.
    public var ids: Set<String>?

    /// Absolute paths of files; a scenario whose script was made from one of them is played. Nil: all.
    public var changedFiles: Set<String>?

    /// The ids of scenarios to which one of these files matters that is read while they play.
    public var affectedIDs: Set<String> = []

    /// Creates a selection.
    public init(
        filters: [String] = [], tags: [TagExpression] = [], ids: Set<String>? = nil, changedFiles: Set<String>? = nil
    ) {
        self.filters = filters
        self.tags = tags
        self.ids = ids
        self.changedFiles = changedFiles
    }

    /// Whether a scenario is played.
    func includes(_ member: ScenarioSuite.Member) -> Bool {
        let definition = member.definition
        let tags = Set(definition.tags)
        let wanted = self.tags.filter { !$0.isNegation }
        guard self.tags.allSatisfy({ !$0.isNegation || $0.holds(for: tags) }) else { return false }
        guard wanted.isEmpty || wanted.contains(where: { $0.holds(for: tags) }) else { return false }
        if let ids = self.ids, !ids.contains(definition.id) { return false }
        if let files = self.changedFiles, files.isDisjoint(with: member.sources),
            !self.affectedIDs.contains(definition.id)
        {
            return false
        }
        return self.filters.isEmpty || self.filters.contains { definition.title.hasBytes($0) }
    }
}
