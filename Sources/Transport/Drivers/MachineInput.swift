import JSON
import Machines

/// What a driver tells any machine, be it a client or a server.
protocol MachineInput: Equatable {
    /// A timer that the machine had set ran out.
    static func timerFired(_ name: TimerName) -> Self

    /// A function of the script that the machine had called came back.
    static func scriptReturned(_ id: ScriptCallID, _ result: Result<JSONValue, ScriptCallFailure>) -> Self
}

extension KeyedClientInput: MachineInput where Keys == DriverKeys {}
extension KeyedServerInput: MachineInput where Timer == TimerName {}
