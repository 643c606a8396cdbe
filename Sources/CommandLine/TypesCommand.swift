import ArgumentParser
import FoundationEssentials
import Machines
import RunRecord
import Scenario
import Secrets

/// `repartee types`: annotations for editors, and the reference page.
struct TypesCommand: EnvironmentCommand {
    static let configuration = CommandConfiguration(
        commandName: "types",
        abstract: "Writes annotations of the language and of all systems for lua-language-server.",
        discussion: """
            Systems are those that are built in, and those that the scripts below the folder Scenarios declare. \
            Editors with lua-language-server find them through .luarc.json: { "workspace.library": [".repartee/types"] }; \
            `repartee init` writes that file.
            """)

    /// Where annotations lie within a project.
    static let defaultFolder = ".repartee/types"

    @Option(help: "The folder to write to.")
    var folder = Self.defaultFolder

    @Option(
        help: ArgumentHelp(
            "Writes the reference of the language as Markdown instead; - is standard output.", valueName: "file"))
    var reference: String?

    func run(in environment: CommandEnvironment) async -> ExitStatus {
        let systems = Systems.all + Self.ownSystems(in: environment)
        if let reference = self.reference {
            let page = ReferencePage(systems: systems).markdown
            guard reference != "-" else {
                environment.writeOutput(page)
                return .success
            }
            return Self.write([(reference, page)], in: environment)
        }
        return Self.write(
            LuaStubs(systems: systems).files.map { ("\(self.folder)/\($0.name)", $0.text) }, in: environment)
    }

    /// Returns the systems that the scripts of the project declare, by their names; what cannot be loaded is told and left
    /// out, for annotations are of use in the middle of work.
    private static func ownSystems(in environment: CommandEnvironment) -> [ChatSystem] {
        let folder = "Scenarios"
        guard FileManager.default.fileExists(atPath: environment.path(folder)) else { return [] }
        do throws(ScriptProblem) {
            let project = ProjectFolder(of: folder, in: environment)
            let settings = PlaySettings(
                systems: Systems.all, projectRoot: project.root, workingDirectory: environment.workingDirectory,
                project: try project.configuration(), seed: 1, variables: environment.variables,
                vault: environment.vault)
            let suite = ScenarioSuite(try project.scripts([folder], in: environment), settings: settings)
            for problem in suite.errors {
                environment.writeError("left out: \(problem.file ?? folder): \(problem.message)\n")
            }
            return suite.systems.filter(\.isOwn).map(\.system).sorted { $0.name < $1.name }
        } catch {
            environment.writeError("left out: \(error.message)\n")
            return []
        }
    }

    /// Writes files, with the folders above them, and says so.
    static func write(_ files: [(name: String, text: String)], in environment: CommandEnvironment) -> ExitStatus {
        for (name, text) in files {
            let url = URL(filePath: environment.path(name))
            do {
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: url, options: .atomic)
            } catch {
                environment.writeError(
                    "error: \(name) cannot be written; choose a folder that this user may write to\n")
                return .harness
            }
            environment.writeOutput("wrote   \(name)\n")
        }
        return .success
    }
}
