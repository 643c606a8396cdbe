/// What a file declares.
struct FileDeclarations {
    /// The scenarios, in order.
    let definitions: [ScenarioDefinition]

    /// The shape of the load that the file is meant for, if it says one.
    let workload: WorkloadDeclaration?

    /// The chat systems that it requires or declares.
    let systems: [UsedSystem]

    /// What its text and those of its modules mention.
    let mentions: ScriptMentions

    /// The files that the script was made from: itself and what it has read; absolute paths without links.
    let sources: Set<String>
}
