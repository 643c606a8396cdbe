import LuaRuntime

extension LuaCall {
    /// The line of the script that made the call.
    var scriptPosition: ScriptPosition? {
        self.position.map { ScriptPosition(file: $0.file, line: $0.line) }
    }
}
