import JSON
import LuaRuntime
import Machines

/// One line of execution of a scenario: its body, a hook, a spawned function, or a call that a machine made.
final class ScriptThread {
    /// Who began it.
    private enum Beginning {
        /// The execution, for the body, a hook or a fixture.
        case execution
        /// The script, at a line.
        case script(ScriptPosition)
        /// A machine, or a system in Lua, that calls a function of the script.
        case machine
    }

    /// Numbers the threads of a scenario; the body is not always the first.
    let number: Int
    let coroutine: LuaCoroutine
    private let beginning: Beginning

    /// The command of a client in Lua that it began last, the client's place, and where the script called it; no more
    /// of them are known apart. The position is nil where the command is all that the thread does.
    var command: (actor: Int, name: String, position: ScriptPosition?)?

    /// Which handler of a system in Lua it is; nil unless a machine called it.
    var handler: String?

    /// Whether a client or a server in Lua called it, and not a system that got it as an option.
    var isOfLuaSystem = false

    /// Whether such a call spawned it, or a thread that one did.
    var isOfHandler = false

    /// The request that it is to answer, if a simulated server called it for one, or that the thread which spawned it
    /// is to answer.
    @Boxed var request: JSONObject?

    /// The answer that did not come of which it read last what only an answer has, such as its status.
    @Boxed var missingAnswer: MissingAnswer?

    /// The fixture that the thread makes, or that spawned it.
    var fixture: String?

    /// What the thread waits for while it is suspended, or nil once it has it.
    var wait: (any ThreadWait)?

    /// What it returned or raised, once it has ended.
    @Boxed private(set) var outcome: Result<LuaValue, ScenarioFailure>?

    private var onEnd: [(Result<LuaValue, ScenarioFailure>) -> Void] = []

    /// Where the script spawned it; nil for the body, a hook, or a call that a machine made.
    var origin: ScriptPosition? { if case .script(let position) = self.beginning { position } else { nil } }

    /// Whether it is a call that a machine made.
    var isCall: Bool { if case .machine = self.beginning { true } else { false } }

    /// Whether somebody takes care of how the thread ends.
    var isAwaited: Bool { !self.onEnd.isEmpty }

    /// Whether it is a handler that only waits for its system: no phase of an execution waits for that.
    var standsBy: Bool { self.isCall && (self.wait?.isForSystem ?? false) }

    init(number: Int, coroutine: LuaCoroutine, origin: ScriptPosition?, isCall: Bool = false) {
        self.number = number
        self.coroutine = coroutine
        self.beginning = isCall ? .machine : origin.map { .script($0) } ?? .execution
    }

    /// Calls back when the thread ends; at once if it has.
    func whenEnded(_ action: @escaping (Result<LuaValue, ScenarioFailure>) -> Void) {
        if let outcome = self.outcome { action(outcome) } else { self.onEnd.append(action) }
    }

    /// Ends the thread.
    func end(_ outcome: Result<LuaValue, ScenarioFailure>) {
        guard self.outcome == nil else { return }
        self.outcome = outcome
        self.wait = nil
        let actions = self.onEnd
        self.onEnd = []
        for action in actions { action(outcome) }
    }
}

/// A suspended thread of a scenario that has what it waited for.
struct ReadyThread {
    let execution: ScenarioExecution
    let thread: ScriptThread

    /// What its wait returns or raises; nil for one that starts.
    let result: Result<LuaValue, HostError>?
}
