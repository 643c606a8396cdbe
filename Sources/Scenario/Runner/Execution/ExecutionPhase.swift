import LuaRuntime
import Machines
import Transport

/// A phase of an execution while it runs: a function of the script, and what it has spawned.
///
/// | state | what happens | → state |
/// |---|---|---|
/// | runs | its function returns | joins |
/// | runs | its function fails, the limit passes | ended; what it has spawned is broken off |
/// | joins | the last spawned function ends | ended |
/// | joins | a spawned function fails, the limit passes | ended; the others are broken off |
final class ExecutionPhase {
    /// What the phase is called in failures: `scenario`, `hook`, `teardown`, ….
    let name: String

    /// How long it may take, with what it has spawned.
    let limit: Duration

    /// What runs the function; nil for a phase that only waits for what others have spawned.
    var thread: ScriptThread?

    /// Ends it when the limit passes.
    var timer: ScheduledID?

    /// What the function returned, once it has.
    @Boxed var returned: LuaValue?

    /// Called once, with what the function returned.
    let next: (LuaValue) -> Void

    init(name: String, limit: Duration, returned: LuaValue? = nil, next: @escaping (LuaValue) -> Void) {
        self.name = name
        self.limit = limit
        self.returned = returned
        self.next = next
    }
}
