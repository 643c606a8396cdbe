import JSON
import LuaRuntime
import Machines

/// One Lua state with the language of scenarios in it, as the engine knows it.
///
/// The engine plays scripts and knows nothing of what they are written in; the language implements this.
protocol ScriptHost: AnyObject {
    /// The state.
    var state: LuaState { get }

    /// Loads a file to play what it declares.
    ///
    /// - Parameters:
    ///   - definition: The scenario to select; nil for what several scenarios share.
    ///   - seed: The seed of the script's randomness.
    /// - Throws: The error that loading ended with.
    func load(
        _ file: ScriptFile, selecting definition: ScenarioDefinition?, settings: ExecutionSettings, seed: UInt64
    ) throws(ScenarioFailure) -> any PlayedScript

    /// Loads a file to see what it declares, and keeps its compiled form in it.
    ///
    /// - Parameter readingUserRows: Whether the rows of its workload are read from their files, too.
    /// - Throws: The error that loading ended with.
    func declarations(
        of file: inout ScriptFile, settings: ExecutionSettings, readingUserRows: Bool
    ) throws(ScenarioFailure) -> FileDeclarations

    /// Returns what actors of a role observe, worked out when it is first asked for.
    func vocabulary(_ key: String, make: () -> ActorVocabulary) -> ActorVocabulary

    /// Takes note that a scenario has ended, and collects what it has left if that is due.
    func collectIfDue()

    /// Closes the state.
    func close()
}

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
    func functions(of part: SharedSetup.Kind) -> FixtureFunctions?

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

    /// Returns why a scenario does not pass, given the error that its script ended with.
    func failure(of error: LuaError) -> ScenarioFailure

    /// The texts that excerpts are taken from.
    ///
    /// - Parameter withModules: Whether modules are among them, which are read once more for that.
    func texts(withModules: Bool) -> ScriptSources

    /// Lets go of everything that the script held; its functions cannot call the engine any more.
    func close()
}

/// What a file declares.
struct FileDeclarations {
    /// The scenarios, in order.
    let definitions: [ScenarioDefinition]

    /// The shape of the load that the file is meant for, if it says one.
    let workload: WorkloadDeclaration?

    /// The chat systems that it requires or declares.
    let systems: [UsedSystem]

    /// What its text and those of its modules mention.
    let mentions: ScriptMentions

    /// The files that the script was made from: itself and what it has read; absolute paths without links.
    let sources: Set<String>
}
