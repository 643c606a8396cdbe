import LuaRuntime
import RunRecord

/// The engines of one thread that no script uses at the moment.
///
/// A scenario has its engine for itself while it plays, so that it cannot use up another's memory; the next one gets it
/// after that, because opening a state costs more than many a scenario.
final class EnginePool {
    private var idle: [ScriptEngine] = []

    /// Returns an engine that no script uses.
    func take() -> ScriptEngine { self.idle.popLast() ?? ScriptEngine() }

    /// Takes an engine back.
    ///
    /// - Parameter outcome: How the scenario ended: after an error the engine is closed, for the script may have been
    ///   stopped where Lua does not expect it.
    func giveBack(_ engine: ScriptEngine, after outcome: Outcome) {
        guard outcome != .error else { return engine.close() }
        engine.collectIfDue()
        self.idle.append(engine)
    }

    deinit {
        for engine in self.idle { engine.close() }
    }
}
