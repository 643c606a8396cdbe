import FoundationEssentials
import Machines
import RunRecord
import Scenario

/// The chat systems that the scripts of a project can require: those that are built in, those in Lua that come with the
/// program, and those that the project's own scripts declare.
enum ProjectSystems {
    /// Returns all of them, each name once: a project's own system takes the place of one that comes with the program.
    ///
    /// What cannot be loaded is told and left out, for annotations are of use in the middle of work.
    static func all(in environment: CommandEnvironment) -> [ChatSystem] {
        let own = Self.own(in: environment)
        let shipped = ShippedSystems.described(
            for: Self.settings(environment, root: environment.workingDirectory, ProjectConfiguration()))
        let names = Set(own.map(\.name))
        return BuiltInSystems.all + (shipped.filter { !names.contains($0.name) } + own).sorted { $0.name < $1.name }
    }

    private static func own(in environment: CommandEnvironment) -> [ChatSystem] {
        guard FileManager.default.fileExists(atPath: environment.path(ProjectFolder.scenarios)) else { return [] }
        do throws(ScriptProblem) {
            let project = ProjectFolder(of: ProjectFolder.scenarios, in: environment)
            let settings = Self.settings(environment, root: project.root, try project.configuration())
            let named = NamedScripts([ScriptPath(ProjectFolder.scenarios, in: environment)], in: environment)
            let suite = ScenarioSuite(try project.scripts(named), settings: settings)
            for problem in suite.errors {
                environment.writeError("left out: \(problem.file ?? ProjectFolder.scenarios): \(problem.message)\n")
            }
            return suite.systems.filter(\.isOwn).map(\.system)
        } catch {
            environment.writeError("left out: \(error.message)\n")
            return []
        }
    }

    private static func settings(
        _ environment: CommandEnvironment, root: String, _ project: ProjectConfiguration
    ) -> ExecutionSettings {
        ExecutionSettings(
            systems: BuiltInSystems.all, projectRoot: root, workingDirectory: environment.workingDirectory,
            project: project,
            seed: 1, variables: environment.variables, vault: environment.vault)
    }
}
