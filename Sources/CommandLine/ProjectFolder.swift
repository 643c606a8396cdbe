import FoundationEssentials
import Scenario

/// The folder of a project: where `repartee.lua` lies, or else the working directory; for what lies elsewhere, the
/// folder that it lies in.
struct ProjectFolder {
    /// The name of the file that marks a project.
    static let configurationName = "repartee.lua"

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
        var isFolder = false
        _ = FileManager.default.fileExists(atPath: start, isDirectory: &isFolder)
        var folder = isFolder ? start : Self.parent(of: start)
        while true {
            if FileManager.default.fileExists(atPath: folder + "/" + Self.configurationName) { break }
            guard folder != "/", folder != "" else {
                folder = Self.unmarkedRoot(
                    of: isFolder ? start : Self.parent(of: start), workingDirectory: self.workingDirectory)
                break
            }
            folder = Self.parent(of: folder)
        }
        self.root = folder
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
        guard let data = FileManager.default.contents(atPath: path) else { return ProjectConfiguration() }
        let name = self.name(of: path)
        var configuration = try ProjectConfiguration(
            source: try ScriptFile.text(data, name: name), name: name, folder: self.root,
            variables: self.variables)
        try configuration.checkSettings(in: name, of: BuiltInSystems.all)
        return configuration
    }

    /// Returns the scripts that paths stand for: files as they are, of folders all `.lua` files below.
    ///
    /// Files that cannot be read or are no text are among them, so that the others are played all the same.
    ///
    /// - Throws: ``ScriptProblem`` that names a path that does not exist.
    func scripts(_ paths: [String], in environment: CommandEnvironment) throws(ScriptProblem) -> [ScriptFile] {
        for path in paths where !FileManager.default.fileExists(atPath: Self.normalized(environment.path(path))) {
            throw ScriptProblem("\(path) does not exist; give a scenario file or a folder of them", isUsage: true)
        }
        let files = self.files(paths, in: environment)
        var seen: Set<String> = []
        var result: [ScriptFile] = []
        for file in files where seen.insert(file).inserted {
            result.append(ScriptFile(name: self.name(of: file), bytes: FileManager.default.contents(atPath: file)))
        }
        return result
    }

    /// Returns the absolute paths of the scripts that paths stand for; those that do not exist stand for none.
    func files(_ paths: [String], in environment: CommandEnvironment) -> [String] {
        paths.flatMap { path -> [String] in
            let absolute = Self.normalized(environment.path(path))
            var isFolder = false
            guard FileManager.default.fileExists(atPath: absolute, isDirectory: &isFolder) else { return [] }
            return isFolder ? Self.scripts(below: absolute) : [absolute]
        }
    }

    private static func scripts(below folder: String) -> [String] {
        var files: [String] = []
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted() ?? [] {
            guard !name.hasPrefix("."), name != Self.configurationName else { continue }
            let path = folder + "/" + name
            // A link to a folder is not followed: it could lead out of the project, or round in a circle.
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            let type = attributes?[.type] as? FileAttributeType
            if type == .typeDirectory {
                files += Self.scripts(below: path)
            } else if name.hasSuffix(".lua") {
                files.append(path)
            }
        }
        return files
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
    private static func normalized(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }
}
