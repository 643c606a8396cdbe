import FoundationEssentials
import Machines
import Scenario

/// What `repartee test` refuses to plan, because it is most likely not meant so: what passes would hide it.
enum PlanChecks {
    /// Refuses a path that does not exist, where it can be told what is most likely meant.
    static func refuseMissing(
        _ named: NamedScripts, _ paths: [String], in environment: CommandEnvironment
    ) throws(ScriptProblem) {
        guard let missing = named.missing else { return }
        if paths.isEmpty {
            throw ScriptProblem(
                "\(missing) does not exist here, the folder that is played if none is given; give a scenario file or a "
                    + "folder of them (. is this one), or make a project: repartee init", isUsage: true)
        }
        // The words of a name that stands in no quotes come one by one.
        let joined = paths.joined(separator: " ")
        guard paths.count > 1, FileManager.default.fileExists(atPath: environment.path(joined)) else { return }
        throw ScriptProblem(
            "\(missing) does not exist; put quotes around a name with blanks: \"\(joined)\"", isUsage: true)
    }

    /// Refuses workloads that no load test could play: the files of load tests are most often tried out here.
    static func refuseMistakenWorkloads(_ suite: ScenarioSuite) throws(ScriptProblem) {
        let mistakes = suite.workloads.sorted { $0.key < $1.key }.compactMap { file, workload in
            ChosenWorkload.mistakes(of: workload).map { "\(file):\(workload.line): \($0)" }
        }
        guard mistakes.isEmpty else { throw ScriptProblem(mistakes.joined(separator: "\n")) }
    }

    /// Refuses a file that is named beside others and declares nothing: that they pass hides that it was not played.
    static func refuseIdleFiles(
        _ idle: [String], _ named: Set<String>, _ suite: ScenarioSuite
    ) throws(ScriptProblem) {
        // Where nothing at all is declared, that is said of all files.
        guard !suite.members.isEmpty, let file = idle.first(where: named.contains) else { return }
        throw ScriptProblem(
            "\(file) declares no scenario; write scenario(\"name\", function(t) … end), or leave it out", isUsage: true)
    }

    /// Refuses choices of scenarios that are most likely not meant so.
    static func refuseIdleChoices(
        _ options: SelectionOptions, _ suite: ScenarioSuite
    ) throws(ScriptProblem) {
        if options.forbidOnly { try Self.refuseOnly(suite) }
        try Self.refuseIdleFilters(options.filter, suite)
        try Self.refuseMisspeltTags(options.tag, suite)
    }

    private static func refuseOnly(_ suite: ScenarioSuite) throws(ScriptProblem) {
        let only = suite.members.map(\.definition).filter(\.isOnly)
        guard !only.isEmpty else { return }
        let lines = only.map { "\n  \($0.file):\($0.line)  \($0.title)" }.joined()
        throw ScriptProblem(
            "--forbid-only: take only = true out of the options of \(only.count == 1 ? "this scenario" : "these scenarios")"
                + lines)
    }

    /// Refuses one of several filters that fits nothing: the others hide that it is misspelt.
    private static func refuseIdleFilters(_ filters: [String], _ suite: ScenarioSuite) throws(ScriptProblem) {
        // What a file declares that cannot be loaded, nobody knows.
        guard filters.count > 1, !suite.members.isEmpty, suite.errors.isEmpty else { return }
        let titles = suite.members.map(\.definition.title)
        guard let idle = filters.first(where: { filter in !titles.contains { $0.hasBytes(filter) } })
        else { return }
        throw ScriptProblem(
            "--filter \"\(idle)\": none of \(titles.count) scenarios has that in its name; --list shows them all",
            isUsage: true)
    }

    /// Refuses one of several tags that no scenario has and that is almost one that there is: the others hide it.
    ///
    /// Others are none of the files at hand, as where one line of a build plays any part of a project, and what is left
    /// out need not be there.
    private static func refuseMisspeltTags(
        _ expressions: [TagExpression], _ suite: ScenarioSuite
    ) throws(ScriptProblem) {
        guard !suite.members.isEmpty, suite.errors.isEmpty else { return }
        let known = Set(suite.members.flatMap(\.definition.tags))
        let misspelt = expressions.flatMap(\.tags.wanted).first { tag in
            !known.contains(tag) && TextDistance.suggestion(for: tag, among: known) != nil
        }
        guard let tag = misspelt else { return }
        throw ScriptProblem(
            "--tag: none of \(suite.members.count) scenarios has the tag \"\(tag)\""
                + TextDistance.hint(tag, among: known.sorted()), isUsage: true)
    }

    static func refuseRepeatedTries(_ suite: ScenarioSuite) throws(ScriptProblem) {
        let played = suite.members.map(\.definition).filter(\.isPlayedInTries)
        guard !played.isEmpty else { return }
        let lines = played.map { "\n  \($0.file):\($0.line)  \($0.title)" }.joined()
        throw ScriptProblem(
            "--repeat: passes in the options of \(played.count == 1 ? "this scenario" : "these scenarios") says how often "
                + "to play; leave out --repeat, or add --one-try" + lines, isUsage: true)
    }
}
