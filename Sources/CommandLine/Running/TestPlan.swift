import Load
import Machines
import Reports
import RunRecord
import Scenario
import Secrets

/// What `repartee test` is going to play: the scenarios chosen, and the settings they share.
struct TestPlan {
    let suite: ScenarioSuite
    let settings: ExecutionSettings

    /// What is known from earlier runs, without what the files do not declare any more.
    let history: RunHistory

    /// What is known of the rates of scenarios, to compare with; nil if one try decides.
    let baselines: BaselineFiles?

    /// How many scenarios are played at the same time.
    let workers: Int

    /// The time limit of the whole run, if it has one.
    let runLimit: Duration?

    /// What people are to know before the run: that scenarios are left out because others say `only` or a link leads
    /// to them, and where the part that it plays comes from, unless the command line names it.
    let notes: [String]

    /// The files by which the run would change, for those who watch them: absolute paths.
    let sources: Set<String>

    /// Those, and what scenarios read the last time while they played.
    let watched: Set<String>

    /// Where answers of models are kept that the run records.
    let cassettePath: String

    /// Runs of more scenarios than this record no wire unless asked: their reports would hold gigabytes of heartbeats.
    static let captureLimit = 1000

    /// Whether there is nothing to play.
    ///
    /// Files that cannot be loaded are cases of the run, and the other files are played. A shard that gets nothing
    /// still has a record, for the records of all shards make that of the run.
    var isEmpty: Bool {
        self.suite.errors.isEmpty && self.suite.members.isEmpty && (self.suite.shard?.plannedScenarios ?? 0) == 0
    }

    /// Why there is nothing to play, if there is nothing.
    let emptiness: String

    /// Finds the project, reads its configuration, loads the scripts and chooses scenarios.
    ///
    /// - Parameters:
    ///   - changedFiles: Only scenarios that are made from one of these files are played; nil for all.
    ///   - ids: Only scenarios with one of these ids are played; nil for all.
    ///   - isControlPort: Whether the target is a URL at which a control port answers.
    /// - Throws: ``ScriptProblem`` if there is nothing that could be loaded.
    init(
        _ command: TestCommand, _ environment: CommandEnvironment, changedFiles: Set<String>? = nil,
        chosen ids: Set<String>? = nil, isControlPort: Bool
    ) throws(ScriptProblem) {
        let arguments = (command.paths.isEmpty ? [ProjectFolder.scenarios] : command.paths).map {
            ScriptPath($0, in: environment)
        }
        let paths = arguments.map(\.path)
        let project = ProjectFolder(of: paths[0], in: environment)
        let configuration = try project.configuration()
        Watchdog.shared.setLimit(configuration.busyLimit)
        let part = try Self.part(command, environment)
        let destination = try TargetChoice.destination(
            command.target, configuration, isControlPort: isControlPort)
        let settings = try Self.settings(command, environment, project, configuration, destination)
        self.cassettePath = command.models.path(project, in: environment)
        let named = NamedScripts(arguments, in: environment)
        try PlanChecks.refuseMissing(named, command.paths, in: environment)
        let files = try project.scripts(named)
        let all = ScenarioSuite(files, settings: settings)
        let configurationPath = project.configurationPath
        self.sources = all.members.reduce(into: [configurationPath]) { $0.formUnion($1.sources) }
        try PlanChecks.refuseMistakenWorkloads(all)
        // Modules lie beside the files that require them, and those are no scenarios.
        let idle = all.idleFiles.filter { [sources] in
            !sources.contains(ChangedFiles.withoutLinks(environment.path($0)))
        }
        try PlanChecks.refuseIdleFiles(idle, Set(named.single.map(project.name)), all)
        try PlanChecks.refuseIdleChoices(command.selection, all)
        let history = Self.history(command, environment, files, all)
        self.history = history
        if command.selection.lastFailed, ids == nil, let damage = history.damage {
            throw ScriptProblem(
                "--last-failed: \(command.outputs.reports)/\(RunHistory.fileName) cannot be read: \(damage); "
                    + "a run without --last-failed writes it anew")
        }
        let root = ChangedFiles.withoutLinks(project.root)
        self.watched = self.sources.union(all.sourcesOfUnloadable).union(
            all.members.flatMap { history.entries[$0.definition.id]?.reads ?? [] }.map { root + "/" + $0 })
        self.runLimit = command.stopping.runTimeout?.duration ?? configuration.runLimit
        let gitChanges = try Self.changedFiles(command.selection, project)
        let affected = AffectedScenarios(
            of: all, by: changedFiles ?? gitChanges, in: project, history,
            scripts: files.map { environment.path($0.name) })
        let selection = Self.selection(command.selection, of: affected, ids: ids, history)
        // Whoever names a line of a file wants that scenario, also if another one is to be played only.
        let places = try project.places(named)
        let wanted = try all.keeping(places)
        let alone = wanted.playingOnly(besides: Set(places.map(\.file)))
        let selected = alone.selecting(selection)
        let isOneTry = command.trying.oneTry || command.injection.isAny
        if command.trying.repetitions > 1, !isOneTry { try PlanChecks.refuseRepeatedTries(selected) }
        let baselines = isOneTry ? nil : try Self.baselines(command, environment, files, of: all, for: selected)
        self.baselines = baselines
        let chosen = selected.prepared(
            repetitions: command.trying.repetitions, retries: command.trying.retries,
            tries: isOneTry ? .one : command.trying.allTries ? .all : .untilDecided,
            baselines: command.trying.updateBaseline ? [:] : baselines?.rates ?? [:])
        // What a run records is that of each shard.
        let cassette = command.models.record ? configurationPath : ChangedFiles.withoutLinks(self.cassettePath)
        self.suite =
            part.map {
                chosen.dealt(
                    to: $0.shard, microseconds: history.microseconds,
                    files: settings.digests(
                        of: chosen.members.reduce(into: [configurationPath, cassette]) { $0.formUnion($1.sources) }))
            } ?? chosen
        self.settings = settings.with(
            capture: Self.capture(command, of: chosen),
            updatesTranscripts: command.update,
            realTime: settings.isVirtual && command.clock == nil && !command.injection.isAny
                && chosen.needsRealTime ? WallClock.epochMilliseconds : nil)
        let workers = command.workers ?? destination.workers
        self.workers = workers ?? (self.settings.isVirtual ? 1 : Self.realTimeWorkers)
        self.notes = [
            PlanNotes.noteOfOnly(wanted, alone), part?.note,
            workers == nil ? PlanNotes.noteOfWorkers(self.workers, of: chosen, at: destination) : nil,
            PlanNotes.noteOfLinks(named.links.map(project.name)),
            PlanNotes.noteOfMisspelt(named.misspelt.map(project.name)),
            PlanNotes.noteOfIdleFiles(idle),
        ].compactMap(\.self)
        let isLastFailed = ids == nil && command.selection.lastFailed
        self.emptiness =
            PlanNotes.noneDeclared(in: paths, files, all, misspelt: named.misspelt.map(project.name))
            ?? PlanNotes.noneChosen(
                of: wanted, alone, selection, isLastFailed: isLastFailed, anyFailed: !history.failed.isEmpty)
    }

    /// What is known from earlier runs of what files declare now.
    private static func history(
        _ command: TestCommand, _ environment: CommandEnvironment, _ files: [ScriptFile], _ all: ScenarioSuite
    ) -> RunHistory {
        var history = RunHistory(path: command.outputs.historyPath(in: environment))
        history.update(
            of: Set(files.map(\.name)).subtracting(all.unloadableFiles),
            declaring: Set(all.members.map(\.definition.id)))
        return history
    }

    /// Which of the scenarios are played.
    ///
    /// - Parameters:
    ///   - affected: Those that changed files choose.
    ///   - ids: Those that whoever starts the run chooses; nil for all.
    private static func selection(
        _ options: SelectionOptions, of affected: AffectedScenarios, ids: Set<String>?, _ history: RunHistory
    ) -> ScenarioSelection {
        var selection = ScenarioSelection(filters: options.filter, tags: options.tag)
        // Whoever chooses a scenario of those that failed wants it, even if it has passed since.
        selection.ids = ids ?? (options.lastFailed ? history.failed : nil)
        (selection.changedFiles, selection.affectedIDs) = (affected.files, affected.ids)
        return selection
    }

    /// How much of the wire is recorded.
    private static func capture(_ command: TestCommand, of chosen: ScenarioSuite) -> WireCaptureLevel {
        guard command.injection.faults == nil else { return .none }
        return command.outputs.capture?.level ?? (chosen.members.count > Self.captureLimit ? .none : .messages)
    }

    /// What all scenarios are played with, before it is known which ones are.
    private static func settings(
        _ command: TestCommand, _ environment: CommandEnvironment, _ project: ProjectFolder,
        _ configuration: ProjectConfiguration, _ destination: ExecutionSettings.Destination
    ) throws(ScriptProblem) -> ExecutionSettings {
        let isVirtual = !destination.isRemote && command.clock != .real
        return ExecutionSettings(
            systems: BuiltInSystems.all, projectRoot: project.root, workingDirectory: environment.workingDirectory,
            project: configuration, destination: destination,
            seed: command.seed ?? UInt64.random(in: 1...999_999_999), isVirtual: isVirtual,
            epochMilliseconds: isVirtual ? ExecutionSettings.virtualEpochMilliseconds : WallClock.epochMilliseconds,
            variables: environment.variables, forbidsEmpty: command.forbidEmpty, vault: environment.vault,
            fault: command.injection.fault?.fault, attachments: command.outputs.attachments(in: environment),
            models: try command.models.client(configuration, project, in: environment))
    }

    /// Which part of the run is played, and a line that says where that is known from; nil for all of it.
    ///
    /// - Throws: ``ScriptProblem`` also if each part would have a seed of its own: their records are none of one run.
    private static func part(
        _ command: TestCommand, _ environment: CommandEnvironment
    ) throws(ScriptProblem) -> (shard: Shard, note: String?)? {
        guard let part = try command.selection.shard?.found(in: environment) else { return nil }
        guard command.seed != nil || part.shard == .whole || !command.writesRecord else {
            throw ScriptProblem(
                "--shard needs --seed, the same in all shards, so that `repartee report` can put their records together",
                isUsage: true)
        }
        return part
    }

    /// What a scenario has read while it was played, besides what it is made from: paths from the project's root.
    func reads(of member: ScenarioSuite.Member) -> Set<String> {
        let reads = self.settings.files.reads
        let root = ChangedFiles.withoutLinks(self.settings.projectRoot) + "/"
        let paths = reads.files(of: member.definition.id).union(reads.files(of: member.definition.file))
        return Set(
            paths.subtracting(member.sources).filter { $0.hasPrefix(root) }.map { String($0.dropFirst(root.count)) })
    }

    /// Reads what is known of the rates of scenarios, and checks that the command can use it.
    private static func baselines(
        _ command: TestCommand, _ environment: CommandEnvironment, _ files: [ScriptFile], of all: ScenarioSuite,
        for selected: ScenarioSuite
    ) throws(ScriptProblem) -> BaselineFiles {
        var baselines = try BaselineFiles(of: files.map(\.name), in: environment)
        if command.trying.updateBaseline {
            baselines.forgetOrphans(all)
            try baselines.requireRates(of: selected)
        }
        try baselines.requireDeclared(in: all)
        return baselines
    }

    /// So many scenarios are played at the same time in real time.
    private static let realTimeWorkers = 16

    /// What git says has changed, if the options ask for it.
    private static func changedFiles(
        _ options: SelectionOptions, _ project: ProjectFolder
    ) throws(ScriptProblem) -> Set<String>? {
        guard options.onlyChanged || options.changedSince != nil else { return nil }
        do throws(ChangedFiles.Unknown) {
            return try ChangedFiles(since: options.changedSince, in: project.root).paths
        } catch {
            throw ScriptProblem(error.message, isUsage: true)
        }
    }

    /// Prints why files could not be loaded.
    func printErrors(to environment: CommandEnvironment) {
        for error in self.suite.errors { environment.writeError("error: \(error.detail)\n\n") }
    }
}

extension ExecutionSettings.Destination {
    /// How many scenarios turn to the server of a target at the same time; nil if the project does not say.
    fileprivate var workers: Int? { if case .named(_, let target) = self { target.workers } else { nil } }
}
