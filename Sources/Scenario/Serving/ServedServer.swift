import JSON
import Machines

/// A simulated server that a control port serves: a machine, or one in Lua with a script of its own.
protocol ServedServer: AnyObject {
    var system: ChatSystem { get }

    /// The origin under which clients reach it.
    var origin: String { get }
    var properties: JSONObject { get }

    /// The faults that were ordered for what comes next.
    var faultOrders: FaultOrders { get }

    /// What was done wrong at it, for the scenario that has it for itself.
    var lapses: DistantLapses { get }

    /// Lets a party come before it does anything.
    ///
    /// - Throws: What is wrong with its kind, or that somebody of its name is of another one.
    func join(_ party: String, as kind: String) throws(ConfigurationError)

    /// Gives arguments that come in their order their names.
    func arguments(
        _ values: [JSONValue], of command: String, by party: String?
    ) throws(ConfigurationError) -> JSONObject

    func perform(_ command: Command, by party: String?) -> CommandReply

    /// Takes in what a function returned that the server has asked for.
    func returned(_ call: ScriptCallID, _ result: Result<JSONValue, ScriptCallFailure>)
    func close()
}
