import Scenario

/// Which scenarios files that changed choose: those that are made from one of them, and those that read one while they
/// play.
struct AffectedScenarios {
    /// Scenarios that are made from one of these files are chosen; nil if all are, for whatever repartee.lua says may
    /// matter to every scenario.
    let files: Set<String>?

    /// The ids of the scenarios that read one of the changed files while they play, as far as the last run showed; of
    /// what has not been played since that is written down, any that may.
    let ids: Set<String>

    /// Finds the scenarios of a suite.
    ///
    /// - Parameters:
    ///   - changed: The files, as absolute paths without links; nil for all.
    ///   - scripts: The files of the scenarios themselves, which are known to matter to their own ones only.
    init(
        of suite: ScenarioSuite, by changed: Set<String>?, in project: ProjectFolder, _ history: RunHistory,
        scripts: [String]
    ) {
        let configuration = project.configurationPath
        self.files = changed?.contains(configuration) == true ? nil : changed
        let root = ChangedFiles.withoutLinks(project.root) + "/"
        let inside = (self.files ?? []).filter { $0.hasPrefix(root) }
        let known = Set(scripts.map(ChangedFiles.withoutLinks))
        let hasOthers = !inside.isSubset(of: known)
        let changes = Set(inside.map { String($0.dropFirst(root.count)) })
        let affected = suite.members.filter { member in
            guard let reads = history.entries[member.definition.id]?.reads else {
                return hasOthers && member.mayReadMore
            }
            return !reads.isDisjoint(with: changes)
        }
        self.ids = Set(affected.map(\.definition.id))
    }
}
