import FoundationEssentials
import Scenario

/// What the command line names to play, as it is found on disk: files as they are, of folders all `.lua` files below.
///
/// Folders are gone through once, when this is made, for a project may have many files.
struct NamedScripts {
    private struct Entry {
        let path: ScriptPath
        var isThere = false
        var isFolder = false

        /// Absolute paths.
        var files: [String] = []
    }

    private var entries: [Entry] = []

    /// The absolute paths of links to folders with scripts that stand below the folders: they are not followed, so what
    /// is in them is not played.
    private(set) var links: [String] = []

    /// The absolute paths of files below the folders whose names end in `.lua` but for capital letters, as in `A.LUA`:
    /// they are not played, for no script could require them.
    private(set) var misspelt: [String] = []

    /// Looks for paths; those that do not exist stand for no script.
    init(_ paths: [ScriptPath], in environment: CommandEnvironment) {
        for path in paths {
            var entry = Entry(path: path)
            let absolute = ProjectFolder.normalized(environment.path(path.path))
            entry.isThere = FileManager.default.fileExists(atPath: absolute, isDirectory: &entry.isFolder)
            if entry.isThere {
                if entry.isFolder { self.add(contentsOf: absolute, to: &entry.files) } else { entry.files = [absolute] }
            }
            self.entries.append(entry)
        }
    }

    /// The first path that does not exist, if there is one.
    var missing: String? { self.entries.first { !$0.isThere }?.path.path }

    /// The absolute paths of the scripts, each once, in the order of the command line.
    ///
    /// Files that cannot be read or are no text are among them, and folders that cannot be looked into, so that the
    /// others are played all the same.
    var files: [String] {
        var seen: Set<String> = []
        return self.entries.flatMap(\.files).filter { seen.insert($0).inserted }
    }

    /// The absolute paths of the scripts that are named themselves, and not a folder that they are in.
    var single: Set<String> { Set(self.entries.filter { !$0.isFolder }.flatMap(\.files)) }

    /// The scenarios that are named by their lines: the absolute paths of their files, and what names them; those of a
    /// file that is named as a whole, too, are left out.
    ///
    /// - Throws: ``ScriptProblem`` if a line is one of a folder.
    func places() throws(ScriptProblem) -> [(file: String, line: Int, number: Int?)] {
        let whole = Set(self.entries.filter { $0.path.line == nil }.flatMap(\.files))
        var places: [(file: String, line: Int, number: Int?)] = []
        for entry in self.entries {
            guard let line = entry.path.line else { continue }
            guard !entry.isFolder else {
                throw ScriptProblem(
                    "\(entry.path.path):\(line): \(entry.path.path) is a folder; name a file and a line of it",
                    isUsage: true)
            }
            for file in entry.files where !whole.contains(file) { places.append((file, line, entry.path.number)) }
        }
        return places
    }

    private mutating func add(contentsOf folder: String, to files: inout [String]) {
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted() } catch {
            files += Self.unseen(folder, because: error)
            return
        }
        for name in names where !name.hasPrefix(".") && name != ProjectFolder.configurationName {
            let path = folder + "/" + name
            let type: FileAttributeType?
            do { type = try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType } catch {
                files += Self.unseen(path, because: error)
                continue
            }
            if type == .typeDirectory {
                self.add(contentsOf: path, to: &files)
            } else if type == .typeSymbolicLink, ProjectFolder.isFolder(path) {
                // It is not followed: it could lead out of the project, or round in a circle. For the same reason only
                // what stands there itself is looked at, and not what is below.
                if Self.holdsScripts(path) { self.links.append(path) }
            } else if name.hasSuffix(".lua") {
                files.append(path)
            } else if name.lowercased().hasSuffix(".lua") {
                self.misspelt.append(path)
            }
        }
    }

    private static func holdsScripts(_ folder: String) -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.contains { $0.hasSuffix(".lua") && !$0.hasPrefix(".") && $0 != ProjectFolder.configurationName }
    }

    /// Returns what stands for a folder that cannot be looked into: itself, which cannot be loaded, so that a run does
    /// not pass over the scenarios that may be in it. What is gone meanwhile stands for nothing.
    private static func unseen(_ path: String, because error: any Error) -> [String] {
        (error as? CocoaError)?.code == .fileReadNoSuchFile ? [] : [path]
    }
}
