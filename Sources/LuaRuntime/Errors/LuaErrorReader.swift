internal import CLua
internal import JSON
internal import LuaBridge

/// Tells what a script ended with from what it left on its stack and in the host.
struct LuaErrorReader {
    let stack: LuaStack

    /// Creates a reader of the errors on a stack.
    init(_ stack: LuaStack) {
        self.stack = stack
    }

    private var host: UnsafeMutablePointer<repartee_lua_host> { unsafe self.stack.state.host }

    /// Takes the error from the top of the stack.
    ///
    /// - Parameters:
    ///   - status: What Lua returned.
    ///   - trace: The calls that were in progress.
    func take(status: Int32, trace: [LuaFrame] = []) -> LuaError {
        let thread = unsafe self.stack.thread
        _ = unsafe lua_checkstack(thread, 8)
        defer { unsafe lua_settop(thread, -2) }
        let isRaised = unsafe repartee_lua_take_raised(thread) != 0
        if unsafe self.host.pointee.killed != 0 { return self.killed(trace: trace) }
        switch unsafe lua_type(thread, -1) {
        case LUA_TSTRING:
            let bytes = unsafe self.stack.bytes(at: -1)
            let kind = self.kind(status: status, isRaised: isRaised)
            return self.error(text: unsafe String(decoding: bytes, as: UTF8.self), kind, trace)
        case LUA_TUSERDATA:
            if let handle = unsafe repartee_lua_to_handle(thread, -1),
                let raised = unsafe self.stack.state.handles.object(handle.pointee) as? RaisedError
            {
                return LuaError(raised, trace: trace)
            }
        default: break
        }
        let value = try? self.stack.json(at: -1, inherited: .anything)
        unsafe repartee_lua_push_text(thread, -1)
        let text = unsafe String(decoding: self.stack.bytes(at: -1), as: UTF8.self)
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
            kind: .raised, message: message, position: trace.first?.position, traceback: trace, value: value)
    }

    /// Returns the error of a script that was stopped because it ran for too long.
    ///
    /// - Parameter trace: The calls that were in progress.
    func killed(trace: [LuaFrame]) -> LuaError {
        let state = self.stack.state
        let message: String
        switch unsafe self.host.pointee.killed_by {
        case REPARTEE_LUA_BY_WATCHDOG: message = state.watch.reason
        case REPARTEE_LUA_BY_TOTAL:
            let limit = state.limits.instructionsTotal ?? 0
            message = "the script ran more than \(limit) instructions in total: let it do less"
        default:
            let limit = state.limits.instructionsPerResume ?? 0
            message =
                "the script ran more than \(limit) instructions without waiting: look for a loop that does not end"
        }
        let short = unsafe withUnsafeBytes(of: self.host.pointee.killed_source) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        let position =
            trace.first?.position
            ?? state.files.file(shortName: short).map {
                LuaPosition(file: $0, line: unsafe Int(self.host.pointee.killed_line))
            }
        return LuaError(kind: .instructions, message: message, position: position, traceback: trace)
    }

    /// What kind of thing the text on top of the stack tells of.
    private func kind(status: Int32, isRaised: Bool) -> LuaError.Kind {
        let thread = unsafe self.stack.thread
        unsafe repartee_lua_push_memory_message(thread)
        let isMemory = unsafe lua_rawequal(thread, -1, -2) != 0
        unsafe lua_settop(thread, -2)
        if isMemory { return .memory }
        if status == LUA_ERRSYNTAX { return .syntax }
        return isRaised ? .raised : .runtime
    }

    private func error(text: String, _ kind: LuaError.Kind, _ trace: [LuaFrame]) -> LuaError {
        if let (position, message) = self.stack.state.files.splitPosition(from: text) {
            return LuaError(kind: kind, message: message, position: position, traceback: trace)
        }
        return LuaError(kind: kind, message: text, position: trace.first?.position, traceback: trace)
    }
}

extension LuaError {
    /// The error of a script that ends with a fault.
    ///
    /// - Parameter trace: The calls that were in progress, where the fault has none of its own.
    init(_ raised: RaisedError, trace: [LuaFrame]) {
        self.init(
            kind: .host, message: raised.fault.message, position: raised.position ?? trace.first?.position,
            traceback: raised.traceback.isEmpty ? trace : raised.traceback, fault: raised.fault)
    }
}
