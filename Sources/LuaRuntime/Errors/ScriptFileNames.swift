internal import CLua
internal import LuaBridge

/// The files of the scripts that a state has loaded, and where in them Lua says that something is.
final class ScriptFileNames {
    /// The files that chunk names stand for, by the short form that Lua uses in messages.
    private var files: [String: String] = [:]
    /// The file that a position was last asked for in.
    private var lastFile = ""

    /// Whether a chunk name is one of the engine's own Lua, of C, or of nothing.
    static func isHarness(_ chunkName: some StringProtocol) -> Bool {
        chunkName.hasPrefix("=") || chunkName.hasPrefix("@repartee:")
    }

    /// The short form of a file name that Lua uses in messages; see `LUA_IDSIZE`.
    static func shortName(of file: String) -> String {
        let bytes = Array(file.utf8)
        let limit = Int(LUA_IDSIZE) - 1
        return bytes.count <= limit ? file : "..." + String(decoding: bytes.suffix(limit - 3), as: UTF8.self)
    }

    /// Remembers the file that a chunk name stands for.
    func note(_ chunkName: String) {
        guard chunkName.hasPrefix("@"), !Self.isHarness(chunkName) else { return }
        let file = String(chunkName.dropFirst())
        self.files[Self.shortName(of: file)] = file
    }

    /// Returns the file that has a short form, if it has been loaded.
    func file(shortName: String) -> String? { self.files[shortName] }

    /// Returns the innermost line of a script on a thread.
    func position(of thread: OpaquePointer) -> LuaPosition? {
        var source: UnsafePointer<CChar>?
        let line = unsafe repartee_lua_script_line(thread, &source)
        guard line > 0, let source = unsafe source else { return nil }
        // Nearly always the file of the call before, whose name need not be copied again.
        if unsafe !Self.isName(source, of: self.lastFile) {
            guard let frame = unsafe LuaFrame.calls(on: thread, limit: 1).first else { return nil }
            self.lastFile = frame.position.file
        }
        return LuaPosition(file: self.lastFile, line: Int(line))
    }

    /// Splits the `file:line: ` that Lua puts before a message, if the file is one that has been loaded.
    func splitPosition(from text: String) -> (LuaPosition, String)? {
        var searched = text[...]
        while let colon = searched.firstIndex(of: ":") {
            let digits = text[text.index(after: colon)...].prefix { $0.isASCII && $0.isNumber }
            let rest = text[digits.endIndex...]
            let short = String(text[..<colon])
            let file = self.file(shortName: short) ?? (short.hasPrefix("[string ") ? short : nil)
            if let line = Int(digits), rest.hasPrefix(": "), let file {
                return (LuaPosition(file: file, line: line), String(rest.dropFirst(2)))
            }
            searched = text[text.index(after: colon)...]
            if short.utf8.count > Int(LUA_IDSIZE) { return nil }
        }
        return nil
    }

    /// Whether a chunk name is that of a file.
    private static func isName(_ chunkName: UnsafePointer<CChar>, of file: String) -> Bool {
        guard unsafe chunkName[0] == CChar(UInt8(ascii: "@")) else { return false }
        var file = file
        return file.withUTF8 { bytes in
            for place in 0..<bytes.count {
                guard unsafe chunkName[place + 1] == CChar(bitPattern: bytes[place]) else { return false }
            }
            return unsafe chunkName[bytes.count + 1] == 0
        }
    }
}
