import FoundationEssentials

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

    /// When the scripts of the command line and some other files were last written.
    func dates(and sources: Set<String> = []) -> [String: Date] {
        let files = Set(NamedScripts(self.paths, in: self.environment).files).union(sources)
        return Dictionary(
            files.map { path in
                let real = URL(filePath: path).resolvingSymlinksInPath().path
                let date = try? FileManager.default.attributesOfItem(atPath: real)[.modificationDate] as? Date
                return (real, date ?? .distantPast)
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The files that were written, came or went.
    func changes(since known: [String: Date], and sources: Set<String>) -> Set<String> {
        let now = self.dates(and: sources)
        return Set(known.keys).union(now.keys).filter { known[$0] != now[$0] }
    }

    /// Files by their names for people.
    func shown(_ files: Set<String>) -> String {
        let folder = self.environment.workingDirectory + "/"
        return files.map { $0.hasPrefix(folder) ? String($0.dropFirst(folder.count)) : $0 }.sorted()
            .joined(separator: ", ")
    }
}
