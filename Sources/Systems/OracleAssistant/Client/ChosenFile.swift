import JSON
import Machines

/// A file that the user has chosen to send, as a script describes it.
struct ChosenFile: Hashable, Sendable {
    let name: String
    let mimeType: String
    let bytes: [UInt8]

    /// Where the user takes it from, as `upload` names it.
    let source: String

    /// Where the device did not let the user take it from; nil if it did.
    let deniedSource: String?

    /// Reads the arguments of the method `upload`.
    ///
    /// - Throws: What is wrong with them.
    init(_ arguments: JSONObject) throws(CommandError) {
        guard let name = (arguments["name"] ?? arguments["file"]?["name"])?.string, !name.isEmpty else {
            throw CommandError(
                "upload takes a table with a file, such as { file = \"menu.pdf\" }, or with a name, such as "
                    + "{ name = \"a.txt\", text = \"…\" }")
        }
        self.name = name
        self.bytes = try Self.bytes(arguments)
        self.mimeType = arguments["type"]?.string ?? Upload.mimeType(of: name)
        let source = arguments["from"]?.string ?? "files"
        self.source = source
        self.deniedSource = source != "files" && !(arguments["permission"]?.bool ?? true) ? source : nil
    }

    private static func bytes(_ arguments: JSONObject) throws(CommandError) -> [UInt8] {
        if let text = arguments["text"]?.string { return Array(text.utf8) }
        if let encoded = (arguments["base64"] ?? arguments["file"]?["base64"])?.string {
            guard let decoded = Base64.decode(encoded) else {
                throw CommandError("base64 of upload is not base64 text (RFC 4648 §4, with padding)")
            }
            return decoded
        }
        let size = arguments["size"]?.integer ?? 0
        guard 0...100_000_000 ~= size else { throw CommandError("size of upload is from 0 to 100000000 bytes") }
        return Array(repeating: UInt8(ascii: "."), count: Int(size))
    }
}
