import LuaRuntime
import Machines

/// A wait that anything can end: a timer, a server that has started, another thread.
final class PendingWait: ThreadWait {
    /// What ends it, as far as those ask who look whether anything can.
    enum Kind {
        /// What is none of the others: a time, a server that has started, an answer from outside.
        case other
        /// The end of another thread of the execution; its number, if the script joins it.
        case endOfThread(joined: Int?)
        /// Something that a system in Lua does; the actor without whom it cannot come, if that is so.
        case system(of: Actor?)
        /// Others who come to a barrier, or a letter of theirs.
        case coordination
    }

    let position: ScriptPosition?
    private let kind: Kind
    private let describe: () -> String
    private var waiter: (execution: ScenarioExecution, thread: ScriptThread)?

    /// Takes back what was set up for the wait.
    var onCancel: () -> Void = {}

    /// The outcome, if it came before the thread was suspended.
    @Boxed private(set) var early: Result<LuaValue, HostError>?

    init(_ describe: @escaping () -> String, position: ScriptPosition?, for kind: Kind = .other) {
        self.describe = describe
        self.position = position
        self.kind = kind
    }

    var purpose: String { self.describe() }
    var isForThread: Bool { if case .endOfThread = self.kind { true } else { false } }
    var joinedThread: Int? { if case .endOfThread(let joined) = self.kind { joined } else { nil } }
    var isForSystem: Bool { if case .system = self.kind { true } else { false } }
    var isCoordination: Bool { if case .coordination = self.kind { true } else { false } }
    var source: Actor? { if case .system(let actor) = self.kind { actor } else { nil } }

    /// Suspends a thread until the wait ends.
    func suspend(_ thread: ScriptThread, of execution: ScenarioExecution) {
        self.waiter = (execution, thread)
        thread.wait = self
    }

    /// Ends the wait.
    func end(_ outcome: Result<LuaValue, HostError>) {
        guard let (execution, thread) = self.waiter else {
            self.early = outcome
            return
        }
        execution.threads.proceed(thread, after: self, with: outcome)
    }

    func cancel() {
        self.onCancel()
    }
}
