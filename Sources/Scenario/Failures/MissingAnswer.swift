import LuaRuntime
import RunRecord

/// An answer over HTTP that never came, where a script reads of it what only an answer has, such as its status.
///
/// Lua only knows that a value is nil and blames the script; it is the server that has not answered.
struct MissingAnswer {
    /// The failure that it is, with the line that read it.
    let failure: ScenarioFailure

    private static let remedy =
        "without a look at ok or status, answer.json fails the scenario by itself; who looks finds why no answer came in "
        + "answer.failure, and a status only where that is nil"

    /// Returns the failure that an error is; nil if it is raised by another line, or by something else than a nil.
    func failure(behind error: LuaError) -> ScenarioFailure? {
        guard error.kind == .runtime, error.message.contains(/\bnil\b/), let position = error.position,
            self.failure.position == ScriptPosition(position)
        else { return nil }
        var failure = self.failure
        failure.calls = error.traceback.map(ScriptCallStack.Call.init)
        // Where nobody can be reached the script has nothing to mend.
        if failure.category == .failure { failure.sections.append(.init(heading: "remedy", lines: [Self.remedy])) }
        return failure
    }
}
