import ChatCore
import FoundationEssentials
import JSON
import LuaRuntime

extension Script {
    /// The most bytes that a file may have which a script hands to a machine.
    static let fileLimit = 100_000_000

    /// Returns arguments in which the paths of files are replaced by what is in them.
    ///
    /// - Throws: A fault that names the parameter and says where files are looked for.
    func withFiles(
        _ arguments: JSONObject, _ parameters: [ParameterDeclaration], _ call: String
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

    /// Reads a file beside the script or, if there is none, from the project's root.
    private func content(of path: String, _ parameter: String) throws(LuaFault) -> JSONValue {
        let beside = path.hasPrefix("/") ? path : Self.folder(of: self.file.name) + "/" + path
        guard
            let found = self.pathInProject(beside, isShownName: true)
                ?? self.pathInProject(path, isShownName: false)
        else {
            throw LuaFault(
                "\(parameter): there is no file \"\(path)\" beside this script or at the project's root; "
                    + "files elsewhere are out of a script's reach", kind: "usage")
        }
        guard let data = FileManager.default.contents(atPath: found), data.count <= Self.fileLimit else {
            throw LuaFault(
                "\(parameter): the file \"\(path)\" cannot be read, or has more than \(Self.fileLimit) bytes",
                kind: "usage")
        }
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return ["name": .string(name), "base64": .string(Base64.encode(Array(data)))]
    }
}
