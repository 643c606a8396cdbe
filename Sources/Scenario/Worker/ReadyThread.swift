import LuaRuntime

/// A suspended thread of a scenario that has what it waited for.
struct ReadyThread {
    let play: ScenarioPlay
    let thread: ScriptThread
    let resumption: Resumption
}
