import LuaRuntime
import RunRecord

/// The engines of one thread that no script uses at the moment.
///
/// A scenario has its engine for itself while it plays, so that it cannot use up another's memory; the next one gets it
/// after that, because opening a state costs more than many a scenario.
final class EnginePool {
    /// After so many scenarios an engine is collected: what they held in Lua keeps objects of the process alive.
    private static let collectionInterval = 32

    private var idle: [ScriptEngine] = []
    private var returnedCount = 0

    /// Returns an engine that no script uses.
    func take() -> ScriptEngine { self.idle.popLast() ?? ScriptEngine() }

    /// Takes an engine back.
    ///
    /// - Parameter outcome: How the scenario ended: after an error the engine is closed, for the script may have been
    ///   stopped where Lua does not expect it.
    func giveBack(_ engine: ScriptEngine, after outcome: Outcome) {
        guard outcome != .error else { return engine.close() }
        self.returnedCount += 1
        if self.returnedCount.isMultiple(of: Self.collectionInterval) { engine.state.collect() }
        self.idle.append(engine)
    }

    deinit {
        for engine in self.idle { engine.close() }
    }
}
