import FoundationEssentials
import LuaRuntime
import Machines

extension Script {
    /// The member of what `require` returns for a system that names it.
    static let systemKey = "@system"

    /// Finds what a script requires: a system by its name, a file below the project's root, or a system that is written
    /// in Lua and comes with the program.
    func module(named name: String) throws(LuaFault) -> LuaModule {
        if self.settings.systems[name] != nil {
            self.declarations.note(module: name)
            return .value(.table([(Self.systemKey, .string(name))]))
        }
        let isPlain =
            !name.isEmpty
            && name.utf8.allSatisfy { byte in
                byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
                    || byte == UInt8(ascii: "/")
                    || Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber
            }
        let parts = name.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "/" }
        guard isPlain, !parts.contains(where: \.isEmpty) else {
            throw LuaFault(
                "require takes a name such as \"helpers.orders\" for the file helpers/orders.lua, not \"\(name)\"",
                kind: "module")
        }
        let relative = parts.joined(separator: "/") + ".lua"
        let folders = [Self.folder(of: self.file.name), ""]
        for folder in folders {
            let shown = folder.isEmpty ? relative : folder + "/" + relative
            guard
                let path = try asFault({ () throws(ScriptMistake) in
                    try self.pathInProject(shown, isShownName: !folder.isEmpty)
                }),
                !self.isOwnFile(path), let data = FileManager.default.contents(atPath: path)
            else { continue }
            self.note(source: path)
            self.note(module: name, shownAs: shown)
            do throws(ScriptProblem) {
                let text = try ScriptFile.text(data, name: shown)
                self.declarations.note(module: name, source: text)
                return .source(text, name: "@" + shown)
            } catch {
                throw LuaFault(error.message, kind: "module")
            }
        }
        // After the files, so that a project may have a module of the same name, such as a changed copy.
        if let source = ShippedSystems.source(of: name) {
            self.declarations.note(module: name, source: source)
            return .source(source, name: "@" + ShippedSystems.fileName(of: name))
        }
        let systems = (self.settings.systems.keys + ShippedSystems.names).sorted()
        let suggestion = TextDistance.suggestion(for: name, among: systems).map { "; did you mean \"\($0)\"?" } ?? ""
        throw LuaFault(
            "there is no module \"\(name)\": neither a system (\(systems.joined(separator: ", "))) nor \(relative) beside this file or at the project's root\(suggestion)",
            kind: "module")
    }

    /// Whether a file is the script's own, which it does not mean when it requires a module of the same name.
    private func isOwnFile(_ path: String) -> Bool {
        let name = self.file.name
        let own = name.hasPrefix("/") ? name : self.settings.workingDirectory + "/" + name
        return path == URL(filePath: own).resolvingSymlinksInPath().path
    }

    /// Returns the real path of a file below the project's root, or nil if it lies elsewhere, also by a link.
    ///
    /// - Throws: ``ScriptMistake`` if it is hidden, as files with passwords and those of git are.
    func pathInProject(_ path: String, isShownName: Bool) throws(ScriptMistake) -> String? {
        try self.settings.pathInProject(path, isShownName: isShownName)
    }

    /// Returns the folder of a file as it is named in reports.
    static func folder(of file: String) -> String {
        file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
    }
}

extension PlaySettings {
    /// Returns the real path of a file below the project's root, or nil if it lies elsewhere, also by a link.
    ///
    /// - Parameter isShownName: Whether the path starts from the working directory, as reports name files, and not from
    ///   the root.
    /// - Throws: ``ScriptMistake`` if it is hidden, as files with passwords and those of git are.
    func pathInProject(_ path: String, isShownName: Bool = false) throws(ScriptMistake) -> String? {
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
