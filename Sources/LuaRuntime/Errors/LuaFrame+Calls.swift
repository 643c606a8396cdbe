internal import CLua
internal import LuaBridge

extension LuaFrame {
    /// Reads the calls in progress on a thread, innermost first, without the engine's own frames.
    ///
    /// - Parameter limit: How many at most.
    static func calls(on thread: OpaquePointer, limit: Int = 32) -> [LuaFrame] {
        var frames: [LuaFrame] = []
        var frame = unsafe repartee_lua_frame()
        var level: Int32 = 0
        while frames.count < limit, level < 200, unsafe repartee_lua_read_frame(thread, level, &frame) != 0 {
            level += 1
            guard let read = unsafe LuaFrame(frame) else { continue }
            frames.append(read)
        }
        return frames
    }

    /// Creates the description of a call, unless it is not one of a script.
    private init?(_ frame: repartee_lua_frame) {
        guard unsafe frame.is_c == 0, unsafe frame.line > 0, let source = unsafe frame.source else { return nil }
        let name = unsafe String(cString: source)
        guard !ScriptFileNames.isHarness(name) else { return nil }
        let file: String
        if name.hasPrefix("@") {
            file = String(name.dropFirst())
        } else {
            file = unsafe withUnsafeBytes(of: frame.short_source) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
        }
        let function = unsafe frame.name.map { unsafe String(cString: $0) }
        self.init(position: LuaPosition(file: file, line: unsafe Int(frame.line)), function: function)
    }
}
