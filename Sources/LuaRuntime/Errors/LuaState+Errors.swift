internal import CLua
internal import JSON
internal import LuaBridge

extension LuaState {
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

    /// Raises a fault: pushes the error object that stands for it.
    func push(_ fault: LuaFault, on thread: OpaquePointer) {
        _ = unsafe lua_checkstack(thread, 8)
        let raised = RaisedFault(fault, traceback: unsafe self.frames(of: thread))
        if fault.isFinal, let coroutine = self.currentCoroutine { coroutine.final = coroutine.final ?? raised }
        let type = fault.isFinal ? RaisedFault.finalType : RaisedFault.type
        unsafe self.pushNew(raised, type, isShared: false, on: thread)
    }

    /// Reads the calls in progress on a thread, without the engine's own frames.
    func frames(of thread: OpaquePointer, limit: Int = 32) -> [LuaFrame] {
        var frames: [LuaFrame] = []
        var frame = unsafe repartee_lua_frame()
        var level: Int32 = 0
        while frames.count < limit, level < 200, unsafe repartee_lua_read_frame(thread, level, &frame) != 0 {
            level += 1
            guard let read = unsafe self.scriptFrame(frame) else { continue }
            frames.append(read)
        }
        return frames
    }

    /// Returns the innermost line of a script on a thread.
    func position(of thread: OpaquePointer) -> LuaPosition? {
        var source: UnsafePointer<CChar>?
        let line = unsafe repartee_lua_script_line(thread, &source)
        guard line > 0, let source = unsafe source else { return nil }
        // Nearly always the file of the call before, whose name need not be copied again.
        if unsafe !Self.isName(source, of: self.lastFile) {
            guard let frame = unsafe self.frames(of: thread, limit: 1).first else { return nil }
            self.lastFile = frame.position.file
        }
        return LuaPosition(file: self.lastFile, line: Int(line))
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

    private func scriptFrame(_ frame: repartee_lua_frame) -> LuaFrame? {
        guard unsafe frame.is_c == 0, unsafe frame.line > 0, let source = unsafe frame.source else { return nil }
        let name = unsafe String(cString: source)
        guard !LuaState.isHarness(name) else { return nil }
        let file: String
        if name.hasPrefix("@") {
            file = String(name.dropFirst())
        } else {
            file = unsafe withUnsafeBytes(of: frame.short_source) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
        }
        let function = unsafe frame.name.map { unsafe String(cString: $0) }
        return LuaFrame(position: LuaPosition(file: file, line: unsafe Int(frame.line)), function: function)
    }

    /// Takes the error from the top of a stack.
    ///
    /// - Parameter trace: The calls that were in progress.
    func takeError(from thread: OpaquePointer, status: Int32, trace: [LuaFrame]) -> LuaError {
        _ = unsafe lua_checkstack(thread, 8)
        defer { unsafe lua_settop(thread, -2) }
        if unsafe self.host.pointee.killed != 0 { return self.killedError(trace: trace) }
        switch unsafe lua_type(thread, -1) {
        case LUA_TSTRING:
            let bytes = unsafe self.bytes(at: -1, of: thread)
            return unsafe self.error(text: String(decoding: bytes, as: UTF8.self), status: status, on: thread, trace)
        case LUA_TUSERDATA:
            if let handle = unsafe repartee_lua_to_handle(thread, -1),
                let raised = unsafe self.handles.object(handle.pointee) as? RaisedFault
            {
                return LuaError(raised, trace: trace)
            }
        default: break
        }
        let value = try? unsafe self.json(at: -1, of: thread)
        unsafe repartee_lua_push_text(thread, -1)
        let text = unsafe String(decoding: self.bytes(at: -1, of: thread), as: UTF8.self)
        unsafe lua_settop(thread, -2)
        let message: String
        if let stated = value?["message"]?.string {
            message = stated
        } else if unsafe lua_type(thread, -1) == LUA_TTABLE, let value {
            message = "an error with the value \(value)"
        } else {
            message = "an error with the value \(text)"
        }
        return LuaError(
            kind: .runtime, message: message, position: trace.first?.position, traceback: trace, value: value)
    }

    func killedError(trace: [LuaFrame]) -> LuaError {
        let message: String
        switch unsafe self.host.pointee.killed_by {
        case REPARTEE_LUA_BY_WATCHDOG: message = self.watch.reason
        case REPARTEE_LUA_BY_TOTAL:
            let limit = self.limits.instructionsTotal ?? 0
            message = "the script ran more than \(limit) instructions in total: let it do less, or raise the limit"
        default:
            let limit = self.limits.instructionsPerResume ?? 0
            message =
                "the script ran more than \(limit) instructions without waiting: look for a loop that does not end"
        }
        let short = unsafe withUnsafeBytes(of: self.host.pointee.killed_source) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        let position =
            trace.first?.position
            ?? self.files[short].map { LuaPosition(file: $0, line: unsafe Int(self.host.pointee.killed_line)) }
        return LuaError(
            kind: .instructions, message: message,
            position: position, traceback: trace)
    }

    private func error(text: String, status: Int32, on thread: OpaquePointer, _ trace: [LuaFrame]) -> LuaError {
        unsafe repartee_lua_push_memory_message(thread)
        let isMemory = unsafe lua_rawequal(thread, -1, -2) != 0
        unsafe lua_settop(thread, -2)
        let kind: LuaError.Kind = isMemory ? .memory : status == LUA_ERRSYNTAX ? .syntax : .runtime
        if let (position, message) = self.splitPosition(from: text) {
            return LuaError(kind: kind, message: message, position: position, traceback: trace)
        }
        return LuaError(kind: kind, message: text, position: trace.first?.position, traceback: trace)
    }

    /// Splits the `file:line: ` that Lua puts before a message, if the file is one that has been loaded.
    private func splitPosition(from text: String) -> (LuaPosition, String)? {
        var searched = text[...]
        while let colon = searched.firstIndex(of: ":") {
            let digits = text[text.index(after: colon)...].prefix { $0.isASCII && $0.isNumber }
            let rest = text[digits.endIndex...]
            let short = String(text[..<colon])
            let file = self.files[short] ?? (short.hasPrefix("[string ") ? short : nil)
            if let line = Int(digits), rest.hasPrefix(": "), let file {
                return (LuaPosition(file: file, line: line), String(rest.dropFirst(2)))
            }
            searched = text[text.index(after: colon)...]
            if short.utf8.count > Int(LUA_IDSIZE) { return nil }
        }
        return nil
    }
}

extension LuaError {
    /// The error of a script that ends with a fault.
    ///
    /// - Parameter trace: The calls that were in progress, where the fault has none of its own.
    init(_ raised: RaisedFault, trace: [LuaFrame]) {
        self.init(
            kind: .host, message: raised.fault.message, position: raised.position ?? trace.first?.position,
            traceback: raised.traceback.isEmpty ? trace : raised.traceback, fault: raised.fault)
    }
}
