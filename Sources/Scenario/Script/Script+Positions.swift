import LuaRuntime

extension Script {
    /// Returns the line of the scenario's file that made a call, itself or through other files.
    ///
    /// - Parameter position: The line that made the call itself.
    func ownLine(of call: borrowing LuaCall, at position: ScriptPosition?) -> Int? {
        guard let position else { return nil }
        if position.file == self.file.name { return position.line }
        // Users of load tests leave no record.
        guard self.execution?.slot == nil else { return nil }
        return call.traceback.first { $0.position.file == self.file.name }?.position.line
    }
}
