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
        let bytes = try asFault { () throws(ScriptMistake) in
            try self.fileInProject(path, atMost: Self.fileLimit, for: parameter)
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
    /// - Throws: ``ScriptMistake`` if there is none within the project, or if it is too large.
    func fileInProject(
        _ name: String, atMost limit: Int = .max, for reader: String
    ) throws(ScriptMistake) -> [UInt8] {
        let folders = [Self.folder(of: self.file.name), ""]
        for folder in folders where !name.hasPrefix("/") {
            let shown = folder.isEmpty ? name : folder + "/" + name
            guard let path = try self.pathInProject(shown, isShownName: !folder.isEmpty),
                let attributes = try? FileManager.default.attributesOfItem(atPath: path),
                // What is no plain file may have no end.
                attributes[.type] as? FileAttributeType == .typeRegular
            else { continue }
            self.note(source: path)
            guard let size = attributes[.size] as? Int, size <= limit else {
                throw ScriptMistake("\(reader): the file \"\(name)\" has more than \(limit) bytes")
            }
            guard let data = FileManager.default.contents(atPath: path) else { continue }
            return Array(data)
        }
        throw ScriptMistake(
            "there is no file \"\(name)\" beside \(self.file.name) or at the project's root, or it lies outside of the project"
        )
    }
}
