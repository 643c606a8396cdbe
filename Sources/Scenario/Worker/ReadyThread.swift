import LuaRuntime

/// A suspended thread of a scenario that has what it waited for.
struct ReadyThread {
    let execution: ScenarioExecution
    let thread: ScriptThread
    let resumption: Resumption
}
