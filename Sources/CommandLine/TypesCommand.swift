import ArgumentParser
import Load
import Reports
import Scenario

/// `repartee types`: annotations for editors, and the reference page.
struct TypesCommand: EnvironmentCommand {
    static let configuration = CommandConfiguration(
        commandName: "types",
        abstract: "Writes annotations of the language and of all systems for lua-language-server.",
        discussion: """
            Systems are those that are built in, those in Lua that come with the program, and those that the scripts \
            below the folder Scenarios declare. \
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
        let systems = ProjectSystems.all(in: environment)
        if let reference = self.reference {
            do throws(CommandProblem) {
                try OutputFiles(reference == "-" ? [] : [("--reference", reference)], in: environment).refuseScripts()
            } catch {
                return environment.report(error)
            }
            let page = ReferencePage(systems: systems, sections: [LoadReference.markdown]).markdown
            guard reference != "-" else {
                environment.writeOutput(page)
                return .success
            }
            return Self.write([(reference, page)], in: environment)
        }
        let files = LuaStubs(systems: systems).files.map { (name: "\(self.folder)/\($0.name)", text: $0.text) }
        // Whatever else lies there under the name of a system is somebody's script.
        let lost = files.first { file in
            let beginning = FileSystem.beginning(
                of: environment.path(file.name), length: LuaStubs.beginning.utf8.count)
            return beginning.map { $0 != Array(LuaStubs.beginning.utf8) } ?? false
        }
        if let lost {
            environment.writeError(
                "error: \(lost.name) holds no annotations and would be lost; name another folder with --folder\n")
            return .usage
        }
        return Self.write(files, in: environment)
    }

    /// Writes files, with the folders above them, and says so.
    static func write(_ files: [(name: String, text: String)], in environment: CommandEnvironment) -> ExitStatus {
        for (name, text) in files {
            guard environment.write(Array(text.utf8), to: name) else { return .harness }
            environment.writeOutput("wrote   \(name)\n")
        }
        return .success
    }
}
