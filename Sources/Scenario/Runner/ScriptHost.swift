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
    func vocabulary(_ key: ActorVocabulary.Key, make: () -> ActorVocabulary) -> ActorVocabulary

    /// Takes note that a scenario has ended: lets go of the objects that it held, and collects what else it and others
    /// before it have left if that is due.
    func collectIfDue()

    /// Closes the state.
    func close()
}
