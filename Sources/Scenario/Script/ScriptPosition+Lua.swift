import LuaRuntime

extension ScriptPosition {
    /// Creates the position that Lua tells.
    init(_ position: LuaPosition) {
        self.init(file: position.file, line: position.line)
    }
}

extension LuaCall {
    /// The line of the script that made the call.
    var scriptPosition: ScriptPosition? { self.position.map { ScriptPosition($0) } }
}
