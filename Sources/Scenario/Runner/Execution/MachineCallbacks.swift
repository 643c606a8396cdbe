import JSON
import Machines
import Transport

/// The calls that a machine makes into the script.
final class MachineCallbacks {
    private let execution: ScenarioExecution?

    /// Whose machine it is, which gets what came back.
    var driver: (any CallingDriver)?

    /// - Parameter execution: Whose functions they are; nil for a machine that outlives it and is given none.
    init(execution: ScenarioExecution?) {
        self.execution = execution
    }

    /// Calls a function of the script.
    ///
    /// - Returns: The number of the thread in which it will run; nil if there is none.
    @discardableResult
    func call(_ id: ScriptCallID, _ function: ScriptFunction, _ arguments: [JSONValue]) -> Int? {
        self.execution?.threads.callScript(function, arguments) { self.driver?.scriptReturned(id, $0) }
    }
}

/// A driver whose machine calls functions of a script.
protocol CallingDriver: AnyObject {
    /// Gives the machine the result of a function; a call that nobody waits for is ignored.
    func scriptReturned(_ id: ScriptCallID, _ result: Result<JSONValue, ScriptCallFailure>)
}

extension ClientDriver: CallingDriver {}
extension ServerDriver: CallingDriver {}
