import FoundationEssentials
import Scenario

/// The folder of a project: where `repartee.lua` lies, or else the working directory; for what lies elsewhere, the
/// folder that it lies in.
struct ProjectFolder {
    /// The name of the file that marks a project.
    static let configurationName = "repartee.lua"

    /// Where the scripts of a project lie unless the command line says otherwise.
    static let scenarios = "Scenarios"

    /// The absolute path of the folder, without a slash at the end.
    let root: String

    /// The working directory, against which files are named in reports.
    private let workingDirectory: String

    /// The environment.
    private let variables: [String: String]

    /// Finds the project of a path: the nearest folder upwards that has a `repartee.lua`.
    init(of path: String, in environment: CommandEnvironment) {
        let start = Self.normalized(environment.path(path))
        self.workingDirectory = Self.normalized(environment.workingDirectory)
        self.variables = environment.variables
        let isFolder = Self.isFolder(start)
        var folder = isFolder ? start : Self.parent(of: start)
        while true {
            if Self.isMark(folder + "/" + Self.configurationName) { break }
            guard folder != "/", folder != "" else {
                folder = Self.unmarkedRoot(
                    of: isFolder ? start : Self.parent(of: start), workingDirectory: self.workingDirectory)
                break
            }
            folder = Self.parent(of: folder)
        }
        self.root = folder
    }

    /// The absolute path of the file that marks the project, without links; it need not be there.
    var configurationPath: String { ChangedFiles.withoutLinks(self.root + "/" + Self.configurationName) }

    /// Finds the project of commands that are given no path: that of ``scenarios`` in the working directory, or of the
    /// working directory itself where there is no such folder.
    init(around environment: CommandEnvironment) {
        let hasScenarios = FileManager.default.fileExists(atPath: environment.path(Self.scenarios))
        self.init(of: hasScenarios ? Self.scenarios : ".", in: environment)
    }

    /// Whether a path is the file that marks a project, also where a link to it leads nowhere; a folder of that name is
    /// something else.
    private static func isMark(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes.map { $0[.type] as? FileAttributeType != .typeDirectory } ?? false
    }

    /// The folder of a project that no file marks, in which a script finds what lies beside it.
    private static func unmarkedRoot(of folder: String, workingDirectory: String) -> String {
        let isInside = (folder + "/").hasPrefix(workingDirectory == "/" ? "/" : workingDirectory + "/")
        return isInside ? workingDirectory : folder
    }

    /// Reads the project's configuration; a project without `repartee.lua` has the defaults.
    ///
    /// - Throws: ``ScriptProblem`` if the file cannot be read or used.
    func configuration() throws(ScriptProblem) -> ProjectConfiguration {
        let path = self.root + "/" + Self.configurationName
        guard Self.isMark(path) else { return ProjectConfiguration() }
        let name = self.name(of: path)
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ScriptProblem("\(name) cannot be read; check its permissions")
        }
        var configuration = try ProjectConfiguration(
            source: try ScriptFile.text(data, name: name), name: name, folder: self.root,
            variables: self.variables)
        try configuration.checkSettings(in: name, of: BuiltInSystems.all)
        return configuration
    }

    /// Reads the scripts that the command line names.
    ///
    /// - Throws: ``ScriptProblem`` that names a path that does not exist.
    func scripts(_ named: NamedScripts) throws(ScriptProblem) -> [ScriptFile] {
        if let path = named.missing {
            throw ScriptProblem("\(path) does not exist; give a scenario file or a folder of them", isUsage: true)
        }
        return named.files.map { ScriptFile(name: self.name(of: $0), bytes: FileManager.default.contents(atPath: $0)) }
    }

    /// Returns the places of scenarios that the command line names by their lines.
    ///
    /// - Throws: ``ScriptProblem`` if a line is one of a folder.
    func places(_ named: NamedScripts) throws(ScriptProblem) -> [ScenarioPlace] {
        try named.places().map { ScenarioPlace(file: self.name(of: $0.file), line: $0.line, number: $0.number) }
    }

    /// Whether there is a folder at a path, also by way of a link.
    static func isFolder(_ path: String) -> Bool {
        var isFolder = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
    }

    /// Returns a path as reports name it: relative to the working directory where it lies below.
    func name(of path: String) -> String {
        path.hasPrefix(self.workingDirectory + "/") ? String(path.dropFirst(self.workingDirectory.count + 1)) : path
    }

    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "" }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Returns an absolute path without `.`, `..` and doubled slashes.
    static func normalized(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }
}
