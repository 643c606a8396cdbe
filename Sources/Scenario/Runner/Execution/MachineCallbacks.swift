import JSON
import Machines

/// The calls that a machine makes into the script.
final class MachineCallbacks {
    private let execution: ScenarioExecution?

    /// Gets what came back.
    var returned: (ScriptCallID, Result<JSONValue, ScriptCallFailure>) -> Void = { _, _ in }

    /// - Parameter execution: Whose functions they are; nil for a machine that outlives it and is given none.
    init(execution: ScenarioExecution?) {
        self.execution = execution
    }

    /// Calls a function of the script.
    ///
    /// - Returns: The number of the thread in which it will run; nil if there is none.
    @discardableResult
    func call(_ id: ScriptCallID, _ function: ScriptFunction, _ arguments: [JSONValue]) -> Int? {
        self.execution?.threads.callScript(function, arguments) { self.returned(id, $0) }
    }
}
