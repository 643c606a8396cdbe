import JSON
import LuaRuntime
import Machines

/// A loaded script, as the engine plays it.
protocol PlayedScript: AnyObject {
    /// The execution that the script serves.
    var execution: ScenarioExecution? { get set }

    /// The state that it runs in.
    var state: LuaState { get }

    /// What its hooks and bodies get: `t`.
    var context: LuaValue { get }

    /// Returns what its hooks and bodies get of a row of data.
    func value(of row: DataRow) -> LuaValue

    /// Returns what it runs for the scenario that was selected, and keeps it no longer; nil if the file did not declare
    /// that.
    func takeSelected() -> ExecutionFunctions?

    /// What it runs for a part that scenarios share; nil if the file did not declare that.
    func functions(of part: SharedPart.Kind) -> FixtureFunctions?

    /// The function that stands behind the number by which machines know it.
    func function(_ function: ScriptFunction) -> LuaReference?

    /// The error of the script if such a function had to return something else to a machine; nil if it did not.
    func wrongResult(_ value: JSONValue, of function: ScriptFunction) -> ScenarioFailure?

    /// Whether it asks actors for what they have observed so far, so that they must keep that.
    var readsHistory: Bool { get }

    /// Whether it may expect the pieces of streamed answers, one by one.
    var namesPieces: Bool { get }

    /// Makes a coroutine for one of its functions.
    func coroutine(_ function: LuaReference, _ arguments: [LuaValue]) throws(ScenarioFailure) -> LuaCoroutine

    /// Returns why a scenario does not pass, given the error that one of its threads ended with.
    func failure(of error: LuaError, in thread: ScriptThread) -> ScenarioFailure

    /// The texts that excerpts are taken from.
    ///
    /// - Parameter withModules: Whether modules are among them, which are read once more for that.
    func texts(withModules: Bool) -> ScriptSources

    /// Lets go of everything that the script held; its functions cannot call the engine any more.
    func close()
}
