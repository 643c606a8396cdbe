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

    /// Returns the scripts that paths stand for: files as they are, of folders all `.lua` files below.
    ///
    /// Files that cannot be read or are no text are among them, and folders that cannot be looked into, so that the
    /// others are played all the same.
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
        Self.contents(of: paths, in: environment).files
    }

    /// Returns the links to folders with scripts, as reports name them, that stand below the folders among paths: they
    /// are not followed, so what is in them is not played.
    func unfollowedLinks(_ paths: [String], in environment: CommandEnvironment) -> [String] {
        Self.contents(of: paths, in: environment).links.map(self.name)
    }

    /// What paths stand for: absolute paths.
    private struct Contents {
        var files: [String] = []

        /// Links to folders with scripts.
        var links: [String] = []
    }

    private static func contents(of paths: [String], in environment: CommandEnvironment) -> Contents {
        var contents = Contents()
        for path in paths {
            let absolute = Self.normalized(environment.path(path))
            var isFolder = false
            guard FileManager.default.fileExists(atPath: absolute, isDirectory: &isFolder) else { continue }
            if isFolder { Self.add(contentsOf: absolute, to: &contents) } else { contents.files.append(absolute) }
        }
        return contents
    }

    private static func add(contentsOf folder: String, to contents: inout Contents) {
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted() } catch {
            contents.files += Self.unseen(folder, because: error)
            return
        }
        for name in names where !name.hasPrefix(".") && name != Self.configurationName {
            let path = folder + "/" + name
            let type: FileAttributeType?
            do { type = try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType } catch {
                contents.files += Self.unseen(path, because: error)
                continue
            }
            if type == .typeDirectory {
                Self.add(contentsOf: path, to: &contents)
            } else if type == .typeSymbolicLink, Self.isFolder(path) {
                // It is not followed: it could lead out of the project, or round in a circle. For the same reason only
                // what stands there itself is looked at, and not what is below.
                if Self.holdsScripts(path) { contents.links.append(path) }
            } else if name.hasSuffix(".lua") {
                contents.files.append(path)
            }
        }
    }

    private static func holdsScripts(_ folder: String) -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.contains { $0.hasSuffix(".lua") && !$0.hasPrefix(".") && $0 != Self.configurationName }
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
    }

    /// Returns what stands for a folder that cannot be looked into: itself, which cannot be loaded, so that a run does
    /// not pass over the scenarios that may be in it. What is gone meanwhile stands for nothing.
    private static func unseen(_ path: String, because error: any Error) -> [String] {
        (error as? CocoaError)?.code == .fileReadNoSuchFile ? [] : [path]
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
