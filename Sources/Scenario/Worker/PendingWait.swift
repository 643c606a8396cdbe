import LuaRuntime
import Machines

/// A wait that anything can end: a timer, a server that has started, another thread.
final class PendingWait: ThreadWait {
    let position: ScriptPosition?
    let isForThread: Bool
    let joinedThread: Int?
    let isForSystem: Bool
    let isCoordination: Bool
    let source: Actor?
    private let describe: () -> String
    private var waiter: (execution: ScenarioExecution, thread: ScriptThread)?

    /// Takes back what was set up for the wait.
    var onCancel: () -> Void = {}

    /// The outcome, if it came before the thread was suspended.
    @Boxed private(set) var early: Result<LuaValue, HostError>?

    init(
        _ describe: @escaping () -> String, position: ScriptPosition?, isForThread: Bool = false,
        joining joinedThread: Int? = nil, isForSystem: Bool = false, isCoordination: Bool = false,
        of source: Actor? = nil
    ) {
        self.describe = describe
        self.position = position
        self.isForThread = isForThread || joinedThread != nil
        self.joinedThread = joinedThread
        self.isForSystem = isForSystem
        self.isCoordination = isCoordination
        self.source = source
    }

    var purpose: String { self.describe() }

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
