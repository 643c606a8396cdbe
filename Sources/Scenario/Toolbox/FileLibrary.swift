import LuaRuntime

/// Files of the project: `read_text`, `read_bytes`.
enum FileLibrary {
    /// The most bytes that a file may have which a script reads.
    private static let readLimit = 16 * 1_048_576

    /// The functions that read files of the project.
    static var functions: [HostFunction] {
        [
            HostFunction("read_text", parameters: ["file"]) { (call) throws(HostError) in
                let script = try call.script()
                let name = try call.string(1)
                let bytes = try Self.read(name, call.name, script)
                let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
                let content = bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
                guard let text = String(validating: content, as: UTF8.self) else {
                    throw HostError.usage(
                        "read_text: the file \"\(name)\" is no text in UTF-8; read_bytes reads any file")
                }
                try call.charge(content.count / 16)
                call.push(text)
                return .returns
            },
            HostFunction("read_bytes", parameters: ["file"]) { (call) throws(HostError) in
                let script = try call.script()
                let bytes = try Self.read(try call.string(1), call.name, script)
                try call.charge(bytes.count / 16)
                call.push(bytes)
                return .returns
            },
        ]
    }

    private static func read(_ name: String, _ function: String, _ script: Script) throws(HostError) -> [UInt8] {
        try asFault { () throws(UsageError) in
            try script.files.content(of: name, atMost: Self.readLimit, for: function)
        }
    }
}
