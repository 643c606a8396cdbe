import ChatCore
import Reports
import RunRecord
import Scenario

/// What `repartee test` is going to play: the scenarios chosen, and the settings they share.
struct TestPlan {
    let suite: ScenarioSuite
    let settings: PlaySettings

    /// Runs of more scenarios than this record no wire unless asked: their reports would hold gigabytes of heartbeats.
    static let captureLimit = 1000

    /// Why there is nothing to play, if there is nothing.
    let emptiness: String

    /// Finds the project, reads its configuration, loads the scripts and chooses scenarios.
    ///
    /// - Throws: ``ScriptProblem`` if there is nothing that could be loaded.
    init(_ command: TestCommand, _ environment: CommandEnvironment) throws(ScriptProblem) {
        let paths = command.paths.isEmpty ? ["Scenarios"] : command.paths
        let project = ProjectFolder(of: paths[0], in: environment)
        let configuration = try project.configuration()
        let destination = try Self.destination(command.target, configuration)
        let isVirtual: Bool
        if case .embedded = destination { isVirtual = command.clock != .real } else { isVirtual = false }
        var settings = PlaySettings(
            systems: Systems.all, projectRoot: project.root, workingDirectory: environment.workingDirectory,
            project: configuration, destination: destination,
            seed: command.seed ?? UInt64.random(in: 1...999_999_999), isVirtual: isVirtual,
            epochMilliseconds: isVirtual ? PlaySettings.virtualEpochMilliseconds : WallClock.epochMilliseconds,
            variables: environment.variables)
        let files = try project.scripts(paths, in: environment)
        let all = ScenarioSuite(files, settings: settings)
        self.suite = all.selecting(ScenarioSelection(filters: command.filter, tags: command.tag))
        settings.capture =
            command.capture?.level ?? (self.suite.members.count > Self.captureLimit ? .none : .messages)
        self.settings = settings
        if files.isEmpty {
            self.emptiness = "there is no scenario file (*.lua) in \(paths.joined(separator: ", "))"
        } else if all.members.isEmpty {
            self.emptiness =
                "no file in \(paths.joined(separator: ", ")) declares a scenario; write scenario(\"name\", function(t) … end)"
        } else {
            self.emptiness = "none of \(all.members.count) scenarios fits --filter and --tag; --list shows them all"
        }
    }

    private static func destination(
        _ target: String?, _ configuration: ProjectConfiguration
    ) throws(ScriptProblem) -> PlaySettings.Destination {
        guard let target, target != "embedded" else { return .embedded }
        if let known = configuration.targets[target] { return .named(target, known) }
        if target.contains("://") { return .named(target, ProjectConfiguration.Target(served: target)) }
        let known = configuration.targets.keys.sorted()
        throw ScriptProblem(
            "there is no target \"\(target)\" in repartee.lua"
                + (known.isEmpty ? "; it names none" : "; there are \(known.joined(separator: ", "))"), isUsage: true)
    }

    /// Prints why files could not be loaded.
    func printErrors(to environment: CommandEnvironment) {
        for error in self.suite.errors { environment.writeError("error: \(error.detail)\n\n") }
    }
}
