import FoundationEssentials
import Scenario

/// The files that scenarios are made from, and when each was last written.
struct WatchedFiles {
    private let paths: [ScriptPath]
    private let environment: CommandEnvironment

    /// How often files are looked at; a person does not notice less.
    static let interval = Duration.milliseconds(200)

    /// - Parameter paths: The scripts and folders of the command line.
    init(_ paths: [String], in environment: CommandEnvironment) {
        self.paths = (paths.isEmpty ? [ProjectFolder.scenarios] : paths).map { ScriptPath($0, in: environment) }
        self.environment = environment
    }

    /// When the scripts of the command line, the settings of their project and some other files were last written.
    func dates(and sources: Set<String> = []) -> [String: Date] {
        let project = ProjectFolder(of: self.paths[0].path, in: self.environment)
        let scripts = NamedScripts(self.paths, in: self.environment).files
        let files = sources.union(scripts).union([project.configurationPath]).map(ChangedFiles.withoutLinks)
        return Dictionary(files.map { ($0, FileReads.lastWrite(of: $0)) }, uniquingKeysWith: { first, _ in first })
    }

    /// Files by their names for people.
    func shown(_ files: Set<String>) -> String {
        let folder = self.environment.workingDirectory + "/"
        return files.map { $0.hasPrefix(folder) ? String($0.dropFirst(folder.count)) : $0 }.sorted()
            .joined(separator: ", ")
    }
}
