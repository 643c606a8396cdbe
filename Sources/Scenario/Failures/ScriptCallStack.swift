import LuaRuntime

/// The calls of a script that were in progress when something went wrong, told from the scenario on.
///
/// Whoever reads it knows the scenario and not the modules that it uses, so its own line comes first, and what that
/// line called comes beneath.
struct ScriptCallStack {
    /// One call in progress.
    struct Call: Hashable {
        let position: ScriptPosition

        /// The name by which the function was called, if Lua knows one.
        let function: String?
    }

    /// The innermost line in the file of the scenario; the innermost of all if that file is not among them.
    let position: ScriptPosition?

    /// What that line called in other files, outermost first; the last is where it went wrong.
    let inner: [Call]

    /// What called the function with that line, innermost first.
    let callers: [Call]

    /// Tells the calls in progress from the scenario on.
    ///
    /// - Parameters:
    ///   - calls: The calls, innermost first.
    ///   - position: Where it went wrong, if that is known otherwise.
    ///   - file: The file of the scenario.
    init(_ calls: [Call], position: ScriptPosition?, file: String) {
        let own = position.map { $0.file == file } ?? false
        let place =
            own
            ? calls.firstIndex { $0.position == position } : calls.firstIndex { $0.position.file == file }
        guard let place else {
            self.position = position ?? calls.first?.position
            self.inner = []
            self.callers = calls.filter { $0.position != position }
            return
        }
        self.position = calls[place].position
        // What does not compile is not running, so its place is not among the calls.
        let uncalled = position.map { position in calls.contains { $0.position == position } ? [] : [position] } ?? []
        self.inner =
            own ? [] : calls[..<place].reversed() + uncalled.map { Call(position: $0, function: nil) }
        self.callers = Array(calls[(place + 1)...])
    }
}

extension ScriptCallStack.Call: CustomStringConvertible {
    init(_ frame: LuaFrame) {
        self.init(position: ScriptPosition(frame.position), function: frame.function)
    }

    var description: String {
        "\(self.position)" + (self.function.map { ": in \($0)" } ?? "")
    }
}
