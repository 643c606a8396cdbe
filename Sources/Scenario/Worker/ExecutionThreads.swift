import JSON
import LuaRuntime
import Machines
import RunRecord

/// The threads of an execution: they are started here, go on here, and end here.
///
/// A failure that comes from outside of a thread, such as an event that a guard forbids, ends the first one that waits;
/// where none waits, it is kept for the one that runs.
final class ExecutionThreads {
    private unowned let execution: ScenarioExecution

    /// Those that have not ended.
    private var table = ThreadTable()

    /// How many there were so far.
    private var count = 0

    /// How often one of them went on.
    private(set) var turnCount = 0

    /// What the spawned ones that have ended returned, unless that is nil, or raised; by their numbers.
    private var outcomes: [Int: Result<LuaValue, ScenarioFailure>] = [:]

    /// How often they went on while time stood still.
    private var standingTime = LivelockGuard()

    /// How often a script started one while time stood still: more often than memory lets them be at once, so that it
    /// is functions which spawn each other without end.
    private var spawning = LivelockGuard(limit: 300_000)

    /// For the execution of a server that outlives scenarios: hears what would fail one.
    var onFailure: ((ScenarioFailure) -> Void)?

    /// What ends the one that waits next, because something went wrong outside of it.
    @Boxed private var tripped: ScenarioFailure?

    /// The one that runs.
    private(set) var current: ScriptThread?

    /// Where they meet, and where they meet other users.
    private(set) lazy var coordination: any Coordination =
        self.execution.slot?.coordination ?? LocalCoordination(limit: self.execution.settings.project.heldMemoryLimit)

    init(of execution: ScenarioExecution) {
        self.execution = execution
    }

    /// Those that have not ended, in the order in which they were started.
    var ordered: [ScriptThread] { self.table.ordered }

    /// Those that have not ended, in any order.
    var all: [ScriptThread] { self.table.all }

    /// Whether there are none but handlers that stand by, or something has gone wrong outside of them: no phase waits
    /// for them any longer.
    var isAtRest: Bool { self.table.isAtRest || self.tripped != nil }

    /// Returns what went wrong outside of the threads and has ended none of them, and forgets it.
    func takeTripped() -> ScenarioFailure? {
        defer { self.tripped = nil }
        return self.tripped
    }

    /// Forgets what those that have ended returned.
    func forgetOutcomes() {
        self.outcomes = [:]
    }

    /// Starts a thread; it runs when its turn comes.
    func spawn(
        _ function: LuaReference, _ arguments: [LuaValue], from position: ScriptPosition? = nil, isCall: Bool = false
    ) throws(ScenarioFailure) -> ScriptThread {
        guard let script = self.execution.script else { preconditionFailure("a thread needs a script") }
        if position != nil, self.execution.worker.isVirtual, self.spawning.isExceeded(at: self.execution.worker.now) {
            throw ScenarioFailure(
                category: .error, kind: .runaway,
                message:
                    "more than 300,000 functions were spawned while no time passed: look for one that spawns itself, "
                    + "and let it wait for something or loop",
                position: position)
        }
        self.count += 1
        let thread = ScriptThread(
            number: self.count, coroutine: try script.coroutine(function, arguments), origin: position,
            isCall: isCall)
        thread.fixture = self.current?.fixture
        thread.request = self.current?.request
        thread.isOfHandler = self.current.map { $0.isOfLuaSystem || $0.isOfHandler } ?? false
        self.table.add(thread)
        self.execution.hold(Self.threadWeight, for: .threads)
        self.execution.worker.enqueue(ReadyThread(execution: self.execution, thread: thread, result: nil))
        return thread
    }

    /// Lets a thread run until it waits again or ends; called by the worker only.
    func resume(_ ready: ReadyThread) {
        let (execution, thread) = (self.execution, ready.thread)
        guard !execution.isEnded, thread.outcome == nil, let script = execution.script else { return }
        self.current = thread
        self.turnCount += 1
        let outcome = script.state.resume(thread.coroutine, with: ready.result)
        self.current = nil
        execution.release(for: .commands)
        switch outcome {
        case .suspended:
            if let tripped = self.tripped {
                self.tripped = nil
                self.cancel(thread, because: tripped)
            } else if execution.worker.isVirtual, self.standingTime.isExceeded(at: execution.worker.now) {
                self.cancelForStandingTime(thread)
            } else if thread.standsBy {
                execution.endPhaseIfJoined()
            }
        case .finished(let values):
            self.ended(thread, .success(values.first ?? .nil))
            self.endFirstWaiting()
        case .failed(let error):
            self.ended(thread, .failure(script.failure(of: error, in: thread)))
            self.endFirstWaiting()
        }
        execution.deadlocks.reconsider()
    }

    /// Ends the thread that waits, if something went wrong while one ran that has ended: a handler of a client observed
    /// what must never happen.
    private func endFirstWaiting() {
        guard let tripped = self.tripped, let waiting = self.table.firstWaiting else { return }
        self.tripped = nil
        self.cancel(waiting, because: tripped)
    }

    /// About how many bytes a thread takes beside its stack in Lua.
    private static let threadWeight = 1024

    /// About how many bytes are kept of a spawned thread that has ended.
    private static let outcomeWeight = 256

    private func forget(_ thread: ScriptThread) {
        self.table.remove(thread)
        self.execution.release(Self.threadWeight, for: .threads)
    }

    /// Lets a thread go on that has what it waited for; ignored where it waits for something else by now.
    func proceed(_ thread: ScriptThread, after wait: any ThreadWait, with result: Result<LuaValue, HostError>) {
        guard thread.wait === wait else { return }
        thread.wait = nil
        let execution = self.execution
        execution.worker.enqueue(ReadyThread(execution: execution, thread: thread, result: result))
    }

    private func ended(_ thread: ScriptThread, _ outcome: Result<LuaValue, ScenarioFailure>) {
        self.forget(thread)
        self.keep(outcome, of: thread)
        if case .failure(let failure) = outcome, !thread.isAwaited {
            // A spawned thread that nobody joins must not fail in silence, also while the conversations end.
            self.execution.fail(because: failure)
        }
        thread.end(outcome)
        self.execution.endPhaseIfJoined()
    }

    /// Keeps how a thread ended for those who join it later, who get nil where nothing is kept.
    private func keep(_ outcome: Result<LuaValue, ScenarioFailure>, of thread: ScriptThread) {
        // Only what the script spawned can be joined; servers call functions without end.
        guard thread.origin != nil else { return }
        if case .success(.nil) = outcome { return }
        self.outcomes[thread.number] = outcome
        self.execution.hold(Self.outcomeWeight, for: .threads)
    }

    private func cancelForStandingTime(_ thread: ScriptThread) {
        let failure = LivelockGuard.failure(at: thread.wait?.position)
        self.standingTime = LivelockGuard()
        let isAwaited = thread.isAwaited
        self.cancel(thread, because: failure)
        if !isAwaited { self.trip(failure) }
    }

    /// Ends a suspended thread; its `<close>` variables run.
    func cancel(_ thread: ScriptThread, because failure: ScenarioFailure) {
        let isHeard = thread.isAwaited
        let lapse = self.breakOff(thread, as: .failure(failure))
        if !isHeard { self.trip(failure) } else if let lapse { self.trip(lapse) }
        self.execution.endPhaseIfJoined()
    }

    /// Ends a thread because the script does not want it any more; who joins it goes on.
    func dismiss(_ number: Int) throws(HostError) {
        guard let thread = self.table[number] else { return }
        guard thread !== self.current else {
            throw HostError.usage("a function cannot cancel itself; let it return")
        }
        if let lapse = self.breakOff(thread, as: .success(.nil)) { self.trip(lapse) }
    }

    /// Ends a suspended thread.
    ///
    /// - Returns: What went wrong in its `<close>` variables.
    private func breakOff(
        _ thread: ScriptThread, as outcome: Result<LuaValue, ScenarioFailure>
    ) -> ScenarioFailure? {
        guard thread.outcome == nil else { return nil }
        thread.wait?.cancel()
        thread.wait = nil
        let script = self.execution.script
        let lapse = script?.state.cancel(thread.coroutine).flatMap { script?.failure(of: $0, in: thread) }
        self.forget(thread)
        self.keep(outcome, of: thread)
        thread.end(outcome)
        self.execution.deadlocks.reconsider()
        return lapse
    }

    /// Ends all threads, because the phase that they belong to has.
    ///
    /// - Parameter isMeant: Which threads; handlers that stand by for their system belong to no phase.
    func cancelAll(where isMeant: (ScriptThread) -> Bool = { _ in true }) {
        let failure = ScenarioFailure(
            category: .error, kind: .canceled,
            message: "the scenario ended before this thread did")
        for thread in self.table.ordered where isMeant(thread) {
            let lapse = self.breakOff(thread, as: .failure(failure))
            // Nothing is left that it could end.
            if let lapse, !self.execution.isNoted(lapse) { self.execution.note(lapse) }
            self.execution.endPhaseIfJoined()
        }
    }

    /// Fails the scenario from outside of its threads; the thread that waits is ended.
    func trip(_ failure: ScenarioFailure) {
        if let onFailure = self.onFailure { return onFailure(failure) }
        guard !self.execution.isJudged, self.tripped == nil else { return }
        if self.current == nil, let waiting = self.table.firstWaiting {
            self.cancel(waiting, because: failure)
        } else {
            self.tripped = failure
        }
    }

    /// Where the thread waits that ``trip(_:)`` would end.
    var firstWaitPosition: ScriptPosition? { self.table.firstWaiting?.wait?.position }

    /// Calls a function of the script for a machine, in a thread of its own.
    ///
    /// - Parameters:
    ///   - function: What stands for it in the machine's arguments.
    ///   - completion: Gets the first result.
    /// - Returns: The number of the thread in which it will run; nil if there is none.
    @discardableResult
    func callScript(
        _ function: ScriptFunction, _ arguments: [JSONValue],
        completion: @escaping (Result<JSONValue, ScriptCallFailure>) -> Void
    ) -> Int? {
        guard let script = self.execution.script, let reference = script.function(function) else {
            completion(.failure(ScriptCallFailure("the script has no such function any more")))
            return nil
        }
        do {
            let thread = try self.spawn(reference, arguments.map { .json($0) }, isCall: true)
            // Functions that systems get as options have other arguments, and their own events.
            thread.handler = arguments.first?.string
            // Those of systems in Lua get its name, a number and what arrived.
            thread.isOfLuaSystem = thread.handler != nil && arguments.count == 3 && arguments[1].integer != nil
            thread.request = UnreadableRequest.request(among: arguments)
            thread.whenEnded { [execution = self.execution] outcome in
                do {
                    let value = try outcome.get().json()
                    guard let failure = script.wrongResult(value, of: function) else {
                        return completion(.success(value))
                    }
                    // The function has ended and is in no line any more.
                    let place = self.table.place(in: execution.definition.file)
                    execution.fail(because: failure.raisedByHandler(whileAt: place))
                    completion(.failure(ScriptCallFailure(failure.message)))
                } catch {
                    // What is broken off with its phase says nothing about the system.
                    if let failure = error as? ScenarioFailure, failure.kind != .canceled {
                        let place = self.table.place(in: execution.definition.file)
                        execution.fail(because: failure.raisedByHandler(whileAt: place))
                    }
                    completion(.failure(ScriptCallFailure("\(error)")))
                }
            }
            return thread.number
        } catch {
            self.trip(error)
            completion(.failure(ScriptCallFailure(error.message)))
            return nil
        }
    }

    /// Names a spawned thread for those who wait for it.
    func description(of number: Int) -> String { self.table.description(of: number) }

    /// Makes sure that the thread which runs can join another one: that this one does not wait for it.
    func checkJoin(of number: Int) throws(HostError) {
        guard let current = self.current, self.table.waits(number, forEndOf: current) else { return }
        throw HostError.usage(
            number == current.number
                ? "a function cannot join itself; let it return"
                : "neither function would go on: the one that is joined waits for the end of this one")
    }

    /// Calls back when a thread ends, at once if it has.
    func whenEnded(_ number: Int, _ action: @escaping (Result<LuaValue, ScenarioFailure>) -> Void) {
        if let thread = self.table[number] {
            thread.whenEnded(action)
        } else {
            action(self.outcomes[number] ?? .success(.nil))
        }
    }
}
