/// What a suspended host function returns or raises at the place where the script called it.
public enum Resumption {
    /// Return these values.
    case returns([LuaValue])

    /// Raise this fault.
    case raises(LuaFault)

    /// Return nothing.
    public static var proceeds: Resumption { .returns([]) }
}

/// How far a resumed coroutine came.
public enum ResumeOutcome {
    /// It returned these values.
    case finished([LuaValue])

    /// It waits in a host function.
    case suspended

    /// It ended with an error; its `<close>` variables have run.
    case failed(LuaError)
}
