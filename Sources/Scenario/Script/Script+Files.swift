import FoundationEssentials
import JSON
import LuaRuntime
import Machines

extension Script {
    /// The most bytes that a file may have which a script hands to a machine.
    static let fileLimit = 100_000_000

    /// Returns arguments in which the paths of files are replaced by what is in them.
    ///
    /// - Throws: A fault that names the parameter and says where files are looked for.
    func withFiles(
        _ arguments: JSONObject, _ parameters: [ParameterDeclaration], _ call: CallName
    ) throws(LuaFault) -> JSONObject {
        var filled = arguments
        for parameter in parameters {
            guard let value = arguments[parameter.name] else { continue }
            switch parameter.type {
            case .file: filled[parameter.name] = try self.content(of: value.string ?? "", "\(call): \(parameter.name)")
            case .record(let members):
                guard let table = value.object else { continue }
                filled[parameter.name] = .object(try self.withFiles(table, members, call))
            default: break
            }
        }
        return filled
    }

    private func content(of path: String, _ parameter: String) throws(LuaFault) -> JSONValue {
        let bytes = try asFault { () throws(ScriptMistake) in try self.fileInProject(path) }
        guard bytes.count <= Self.fileLimit else {
            throw LuaFault("\(parameter): the file \"\(path)\" has more than \(Self.fileLimit) bytes", kind: "usage")
        }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return ["name": .string(name), "base64": .string(Base64.encode(bytes))]
    }

    /// Returns the bytes of a file beside the script or at the project's root.
    ///
    /// - Throws: ``ScriptMistake`` if there is none within the project.
    func fileInProject(_ name: String) throws(ScriptMistake) -> [UInt8] {
        let folders = [Self.folder(of: self.file.name), ""]
        for folder in folders where !name.hasPrefix("/") {
            let shown = folder.isEmpty ? name : folder + "/" + name
            guard let path = try self.pathInProject(shown, isShownName: !folder.isEmpty),
                let data = FileManager.default.contents(atPath: path)
            else { continue }
            self.note(source: path)
            return Array(data)
        }
        throw ScriptMistake(
            "there is no file \"\(name)\" beside \(self.file.name) or at the project's root, or it lies outside of the project"
        )
    }
}
