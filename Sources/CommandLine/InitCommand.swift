import ArgumentParser
import FoundationEssentials
import Reports
import Scenario

/// `repartee init`: a project that passes at once.
struct InitCommand: EnvironmentCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Makes a project: a first scenario, settings for editors, and jobs for GitHub and GitLab.",
        discussion: "Files that are there already stay as they are.")

    @Argument(help: "The folder of the project; the working directory unless given.")
    var folder = "."

    func run(in environment: CommandEnvironment) async -> ExitStatus {
        let prefix = self.folder == "." ? "" : self.folder + "/"
        let types = LuaStubs(systems: ProjectSystems.all(in: environment)).files.map {
            ("\(TypesCommand.defaultFolder)/\($0.name)", $0.text)
        }
        let files = (ProjectTemplate.files + types).map { (name: prefix + $0.0, text: $0.1) }
        let kept = files.filter { FileManager.default.fileExists(atPath: environment.path($0.name)) }.map(\.name)
        for name in kept { environment.writeOutput("kept    \(name)\n") }
        let status = TypesCommand.write(files.filter { !kept.contains($0.name) }, in: environment)
        guard status == .success else { return status }
        let test = self.folder == "." ? "repartee test" : ReplayCommand.text(["cd", self.folder]) + " && repartee test"
        environment.writeOutput("\nnext: \(test)\n")
        return .success
    }
}
