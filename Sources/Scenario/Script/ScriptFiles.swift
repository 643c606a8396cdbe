import FoundationEssentials
import JSON
import LuaRuntime
import Machines

/// The files of the project that a script requires and reads, and which of them it was made from.
final class ScriptFiles {
    /// The script itself.
    let file: ScriptFile
    private let settings: ExecutionSettings

    /// The scenario that it plays, by its id; nil if it shows what there is, or makes what scenarios share.
    private let scenario: String?

    /// What it has read so far.
    private var paths: Set<String> = []

    /// What was required, by the name of the file as errors show it.
    private var modules: [String: String] = [:]

    /// What the texts of the script and its modules mention; looked for only where scenarios are listed.
    var mentions: ScriptMentions { self.collectedMentions ?? ScriptMentions() }

    /// Nil where nobody looks for them: while a scenario is played.
    @Boxed private var collectedMentions: ScriptMentions?

    /// Whether the script or a module asks actors for what they have observed so far (``ScriptFile/readsHistory(_:)``).
    private(set) var readsHistory: Bool

    /// Whether the script or a module may expect the pieces of streamed answers (``ScriptFile/namesPieces(_:)``).
    private(set) var namesPieces: Bool

    /// Begins with the script itself.
    ///
    /// - Parameter scenario: The id of the scenario that is played; nil if the script is loaded to see what it
    ///   declares.
    init(of file: ScriptFile, _ settings: ExecutionSettings, playing scenario: String?) {
        self.collectedMentions = scenario == nil ? ScriptMentions() : nil
        self.scenario = scenario
        self.file = file
        self.settings = settings
        self.readsHistory = file.readsHistory
        self.namesPieces = file.namesPieces
        self.note(module: file.name, source: file.source)
    }

    /// The absolute path of the script, as it was named.
    private var path: String {
        self.file.name.hasPrefix("/") ? self.file.name : self.settings.workingDirectory + "/" + self.file.name
    }

    /// The absolute path of the script, without links.
    private var realPath: String { URL(filePath: self.path).resolvingSymlinksInPath().path }

    /// The absolute path of the folder that the script lies in.
    private var folderPath: String { URL(filePath: self.path).deletingLastPathComponent().path }

    /// The files that the script was made from: itself and what it has read so far; absolute paths without links.
    var sources: Set<String> { self.paths.union([self.realPath]) }

    private var reader: String { self.scenario ?? self.file.name }

    /// Takes down that a file was read.
    ///
    /// - Parameter path: The file, without links.
    private func read(_ path: String) {
        if self.paths.insert(path).inserted { self.settings.files.reads.note(path, by: self.reader) }
    }

    /// Takes down that a file was looked for: what the script does may be another thing once it comes or changes.
    func lookedFor(_ path: String) {
        let real = URL(filePath: path).resolvingSymlinksInPath().path
        self.settings.files.reads.note(real, by: self.reader)
    }

    // MARK: Modules

    /// The member of what `require` returns for a system that names it.
    static let systemKey = "@system"

    /// Returns where another script finds a chat system that is declared in a file of this one.
    func source(of system: String, declaredIn file: String?) -> LuaSystemSource {
        LuaSystemSource(system, requiredAs: file.flatMap { self.modules[$0] }, by: self.file)
    }

    /// Finds what a script requires: a system by its name, a file below the project's root, or a system that is written
    /// in Lua and comes with the program.
    func module(named name: String) throws(HostError) -> LuaModule {
        if self.settings.systems[name] != nil {
            try self.refuseOwnModule(named: name)
            self.note(module: name)
            return .value(.table([(Self.systemKey, .string(name))]))
        }
        let relative = try Self.path(ofModule: name)
        try self.requireInProject(relative)
        // A script does not mean itself when it requires a module of its own name.
        let file = try asFault { () throws(UsageError) in
            try self.plainFile(relative, besides: self.realPath, for: "require")
        }
        if let file {
            self.modules[file.shown] = name
            do throws(ScriptProblem) {
                let source = try ScriptFile.text(file.data, name: file.shown)
                self.readsHistory = self.readsHistory || ScriptFile.readsHistory(source)
                self.namesPieces = self.namesPieces || ScriptFile.namesPieces(source)
                self.note(module: name, source: source)
                return .source(source, name: "@" + file.shown)
            } catch {
                throw HostError(error.message, kind: "module")
            }
        }
        // After the files, so that a project may have a module of the same name, such as a changed copy.
        if let source = ShippedSystems.source(of: name) {
            self.note(module: name, source: source)
            return .source(source, name: "@" + ShippedSystems.fileName(of: name))
        }
        throw self.missing(name, relative)
    }

    /// Returns the path of a module of the project from where modules are looked for.
    ///
    /// - Throws: A fault if the name is none of a file: letters and digits of any script, `_` and `-`, in parts divided
    ///   by a dot or a slash.
    private static func path(ofModule name: String) throws(HostError) -> String {
        let parts = name.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "/" }
        let isPlain = parts.allSatisfy { part in
            !part.isEmpty && part.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
        }
        guard isPlain else {
            throw HostError(
                "require takes a name such as \"helpers.orders\" for the file helpers/orders.lua, not \"\(name)\"",
                kind: "module")
        }
        return parts.joined(separator: "/") + ".lua"
    }

    /// The fault of requiring what there is not, which says what there is. A file that comes later is looked for again.
    private func missing(_ name: String, _ relative: String) -> HostError {
        let folders = [self.folderPath, self.settings.projectRoot]
        for folder in folders { self.lookedFor(folder + "/" + relative) }
        let systems = (self.settings.systems.keys + ShippedSystems.names).sorted()
        let itself = URL(filePath: self.file.name).deletingPathExtension().lastPathComponent
        let modules = folders.flatMap(Self.modules).filter { $0 != itself }
        let suggestion = TextDistance.hint(name, among: systems + modules, otherwise: "")
        return HostError(
            "there is no module \"\(name)\": neither a system (\(systems.joined(separator: ", "))) nor \(relative) beside this file or at the project's root\(suggestion)",
            kind: "module")
    }

    /// The modules that a folder has.
    private static func modules(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".lua") && !$0.hasPrefix(".") }.map { String($0.dropLast(".lua".count)) }
            .sorted()
    }

    /// Refuses a module of the project that has the name of a system, which takes its place. A file of scenarios may
    /// have that name, for nobody requires it.
    private func refuseOwnModule(named name: String) throws(HostError) {
        // It is the same in every play of the scenario, so that it is enough to look where the file is loaded.
        guard self.collectedMentions != nil else { return }
        let own = self.realPath
        for folder in [self.file.folder, ""] {
            let shown = Self.shown(name + ".lua", in: folder)
            guard let path = try? self.settings.pathInProject(shown, isShownName: !folder.isEmpty), path != own,
                let data = FileManager.default.contents(atPath: path),
                ScriptFile.isModule(String(decoding: data, as: UTF8.self))
            else { continue }
            throw HostError(
                "\"\(name)\" is a system that comes with the program, and \(shown) is a module of the same name, which "
                    + "could never be required; give the file another name, such as my_\(name).lua", kind: "module")
        }
    }

    /// Takes in that something was required and found, and its text if it is Lua.
    private func note(module name: String, source: String? = nil) {
        guard var mentions = self.collectedMentions else { return }
        mentions.find(name)
        if let source { mentions.add(ScriptMentions.Text(reading: source)) }
        self.collectedMentions = mentions
    }

    /// Refuses a module that lies beside a script outside of the project: that script has no files, and one of the same
    /// name at the project's root is not what it means.
    private func requireInProject(_ relative: String) throws(HostError) {
        let path = self.folderPath + "/" + relative
        guard self.settings.relativeToProject(self.path) == nil, FileManager.default.fileExists(atPath: path) else {
            return
        }
        throw HostError(
            "\(path) lies outside the project's root \(self.settings.projectRoot); put a repartee.lua beside it",
            kind: "module")
    }

    /// How a file is named in reports that lies in one of the folders where files are looked for.
    private static func shown(_ name: String, in folder: String) -> String {
        folder.isEmpty || folder == "." ? name : folder + "/" + name
    }

    /// Reads a plain file beside the script or at the project's root, and takes down that it was read; what is no plain
    /// file may have no end.
    ///
    /// - Parameters:
    ///   - name: Its path.
    ///   - limit: How many bytes it may have.
    ///   - other: The path, without links, of a file that is not meant.
    ///   - reader: Who reads it, for messages.
    /// - Returns: How reports name it, and what is in it; nil if there is none within the project.
    /// - Throws: ``UsageError`` if it is hidden or too large.
    private func plainFile(
        _ name: String, atMost limit: Int = .max, besides other: String? = nil, for reader: String
    ) throws(UsageError) -> (shown: String, data: Data)? {
        let folders = [self.file.folder, ""]
        for folder in folders where !name.hasPrefix("/") {
            let shown = Self.shown(name, in: folder)
            guard let path = try self.settings.pathInProject(shown, isShownName: !folder.isEmpty), path != other,
                let attributes = try? FileManager.default.attributesOfItem(atPath: path),
                attributes[.type] as? FileAttributeType == .typeRegular
            else { continue }
            self.read(path)
            // As the essential part of Foundation has it; a cast to another type works only with all of it.
            guard let size = attributes[.size] as? UInt, size <= limit else {
                throw UsageError("\(reader): the file \"\(name)\" has more than \(limit) bytes")
            }
            if let data = FileManager.default.contents(atPath: path) { return (shown, data) }
        }
        return nil
    }

    // MARK: Data

    /// The most bytes that a file may have which a script hands to a machine.
    private static let sentLimit = 100_000_000

    /// Returns arguments of a command in which the paths of files are replaced by what is in them.
    ///
    /// - Throws: A fault that names the parameter and says where files are looked for.
    func filled(
        _ arguments: JSONObject, _ parameters: [ParameterDeclaration], _ call: CallName
    ) throws(HostError) -> JSONObject {
        var filled = arguments
        for parameter in parameters {
            guard let value = arguments[parameter.name] else { continue }
            switch parameter.type {
            case .file: filled[parameter.name] = try self.sent(value.string ?? "", "\(call): \(parameter.name)")
            case .record(let members):
                guard let table = value.object else { continue }
                filled[parameter.name] = .object(try self.filled(table, members, call))
            default: break
            }
        }
        return filled
    }

    private func sent(_ path: String, _ parameter: String) throws(HostError) -> JSONValue {
        let bytes = try asFault { () throws(UsageError) in
            try self.content(of: path, atMost: Self.sentLimit, for: parameter)
        }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return ["name": .string(name), "base64": .string(Base64.encode(bytes))]
    }

    /// Returns the bytes of a file beside the script or at the project's root.
    ///
    /// - Parameters:
    ///   - name: Its path.
    ///   - limit: How many bytes it may have.
    ///   - reader: Who reads it, for messages.
    /// - Throws: ``UsageError`` if there is none within the project, or if it is too large.
    func content(
        of name: String, atMost limit: Int = .max, for reader: String
    ) throws(UsageError) -> [UInt8] {
        if let file = try self.plainFile(name, atMost: limit, for: reader) { return Array(file.data) }
        throw UsageError(
            "there is no file \"\(name)\" beside \(self.file.name) or at the project's root, or it lies outside of the project"
        )
    }

    /// Returns the text of a data file beside the script or at the project's root.
    ///
    /// - Throws: ``UsageError`` if there is none within the project, or if it is not UTF-8.
    func text(of name: String) throws(UsageError) -> String {
        let bytes = try self.content(of: name, for: "rows")
        do throws(ScriptProblem) { return try ScriptFile.text(bytes, name: name) } catch {
            throw UsageError(error.message)
        }
    }

    /// Reads the rows of a scenario.
    func rows(_ options: ScenarioOptions) throws(UsageError) -> [DataRow]? {
        guard let value = options.rows else {
            if options.rowKey != nil { throw UsageError("row_key names the key of rows; give rows, too") }
            return nil
        }
        return try RowReader(key: options.rowKey) { (name) throws(UsageError) in try self.text(of: name) }
            .rows(value)
    }

    /// Reads the rows that the users of a workload share; what is wrong with them is noted there.
    func readRows(of workload: inout WorkloadDeclaration) {
        guard let value = workload.shape.object?["rows"] else { return }
        do throws(UsageError) {
            let reader = RowReader(key: nil) { (name) throws(UsageError) in try self.text(of: name) }
            workload.rows = try reader.userRows(value)
        } catch {
            workload.rowMistake = "workload.rows: " + error.message
        }
    }
}

extension ScriptFile {
    /// The folder that the file lies in, as it is named in reports.
    var folder: String { self.name.lastIndex(of: "/").map { String(self.name[..<$0]) } ?? "." }
}

extension ExecutionSettings {
    /// Returns the real path of a file below the project's root, or nil if it lies elsewhere, also by a link.
    ///
    /// - Parameter isShownName: Whether the path starts from the working directory, as reports name files, and not from
    ///   the root.
    /// - Throws: ``UsageError`` if it is hidden, as files with passwords and those of git are.
    func pathInProject(_ path: String, isShownName: Bool = false) throws(UsageError) -> String? {
        let base = isShownName && !path.hasPrefix("/") ? self.workingDirectory : self.projectRoot
        let full = path.hasPrefix("/") ? path : base + "/" + path
        guard FileManager.default.fileExists(atPath: full), let relative = self.relativeToProject(full) else {
            return nil
        }
        try self.project.requireAllowed(file: relative)
        return URL(filePath: full).resolvingSymlinksInPath().path
    }

    /// Returns the path of a file from the project's root, without links; nil if it lies elsewhere.
    func relativeToProject(_ path: String) -> String? {
        let real = URL(filePath: path).resolvingSymlinksInPath().path
        let root = URL(filePath: self.projectRoot).resolvingSymlinksInPath().path
        let prefix = root.hasSuffix("/") ? root : root + "/"
        return real.hasPrefix(prefix) ? String(real.dropFirst(prefix.count)) : nil
    }
}
