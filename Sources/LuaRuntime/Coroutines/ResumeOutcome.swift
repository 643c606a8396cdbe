/// How far a resumed coroutine came.
public enum ResumeOutcome {
    /// It returned these values.
    case finished([LuaValue])

    /// It waits in a host function.
    case suspended

    /// It ended with an error; its `<close>` variables have run.
    case failed(LuaError)
}

extension ResumeOutcome {
    /// Returns what a coroutine ends with in which a fault was raised that it cannot catch.
    ///
    /// Protected calls pass such a fault on, but some ways through Lua lose an error: a `<close>` variable that raises
    /// another one, a `__tostring` that fails inside of a host function.
    func outranked(by final: RaisedError) -> ResumeOutcome {
        if case .failed(let error) = self {
            switch error.kind {
            case .memory, .instructions, .closed: return self
            case .syntax, .runtime, .raised, .host: break
            }
        }
        var error = LuaError(final, trace: [])
        if case .failed(let last) = self {
            let isAnother = last.kind != .host || last.message != error.message
            error.later = (isAnother ? [last] : []) + last.later
        }
        return .failed(error)
    }
}
