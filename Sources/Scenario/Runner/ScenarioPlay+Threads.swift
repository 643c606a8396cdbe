import JSON
import LuaRuntime
import Machines
import RunRecord
import Transport

extension ScenarioPlay {
    /// Starts a thread; it runs when its turn comes.
    func spawn(
        _ function: LuaReference, _ arguments: [LuaValue], from position: ScriptPosition? = nil, isCall: Bool = false
    ) throws(ScenarioFailure) -> ScriptThread {
        guard let script = self.script else { preconditionFailure("a thread needs a script") }
        self.threadCount += 1
        let thread = ScriptThread(
            number: self.threadCount, coroutine: try script.coroutine(function, arguments), origin: position,
            isCall: isCall)
        thread.fixture = self.current?.fixture
        self.threads.add(thread)
        self.hold(Self.threadWeight, for: .threads)
        self.worker.enqueue(ReadyThread(play: self, thread: thread, resumption: .proceeds))
        return thread
    }

    /// Lets a thread run until it waits again or ends; called by the worker only.
    func resume(_ ready: ReadyThread) {
        let thread = ready.thread
        guard !self.isEnded, thread.outcome == nil, let script = self.script else { return }
        self.current = thread
        let outcome = script.state.resume(thread.coroutine, with: ready.resumption)
        self.current = nil
        self.account.removeAll(for: .commands)
        switch outcome {
        case .suspended:
            if let tripped = self.tripped {
                self.tripped = nil
                self.cancel(thread, because: tripped)
            } else if self.worker.isVirtual, self.standingTime.isExceeded(at: self.worker.now) {
                self.cancelForStandingTime(thread)
            } else if thread.standsBy {
                self.endPartIfJoined()
            }
        case .finished(let values): self.ended(thread, .success(values.first ?? .nil))
        case .failed(let error): self.ended(thread, .failure(script.failure(of: error)))
        }
        self.reconsider()
    }

    /// About how many bytes a thread takes beside its stack in Lua.
    private static let threadWeight = 1024

    /// About how many bytes are kept of a spawned thread that has ended.
    private static let outcomeWeight = 256

    private func forget(_ thread: ScriptThread) {
        self.threads.remove(thread)
        self.account.remove(Self.threadWeight, for: .threads)
    }

    /// Lets a thread go on that has what it waited for; ignored where it waits for something else by now.
    func proceed(_ thread: ScriptThread, after wait: any ThreadWait, with outcome: Result<LuaValue, LuaFault>) {
        guard thread.wait === wait else { return }
        thread.wait = nil
        let resumption: Resumption =
            switch outcome {
            case .success(let value): .returns([value])
            case .failure(let fault): .raises(fault)
            }
        self.worker.enqueue(ReadyThread(play: self, thread: thread, resumption: resumption))
    }

    private func ended(_ thread: ScriptThread, _ outcome: Result<LuaValue, ScenarioFailure>) {
        self.forget(thread)
        // Only what the script spawned can be joined; servers call functions without end.
        if thread.origin != nil {
            self.endedThreads[thread.number] = outcome
            self.hold(Self.outcomeWeight, for: .threads)
        }
        if case .failure(let failure) = outcome, !thread.isAwaited {
            // A spawned thread that nobody joins must not fail in silence.
            self.trip(failure)
        }
        thread.end(outcome)
        self.endPartIfJoined()
    }

    private func cancelForStandingTime(_ thread: ScriptThread) {
        let failure = StandingTime.failure(at: thread.wait?.position)
        self.standingTime = StandingTime()
        let isAwaited = thread.isAwaited
        self.cancel(thread, because: failure)
        if !isAwaited { self.trip(failure) }
    }

    /// Ends a suspended thread; its `<close>` variables run.
    func cancel(_ thread: ScriptThread, because failure: ScenarioFailure) {
        let isHeard = thread.isAwaited || failure.typeName == ScenarioFailure.canceledType
        self.breakOff(thread, as: .failure(failure))
        if !isHeard { self.trip(failure) }
        self.endPartIfJoined()
    }

    /// Ends a thread because the script does not want it any more; who joins it goes on.
    func dismiss(_ number: Int) throws(LuaFault) {
        guard let thread = self.threads[number] else { return }
        guard thread !== self.current else {
            throw LuaFault("a function cannot cancel itself; let it return", kind: "usage")
        }
        self.breakOff(thread, as: .success(.nil))
    }

    private func breakOff(_ thread: ScriptThread, as outcome: Result<LuaValue, ScenarioFailure>) {
        guard thread.outcome == nil else { return }
        thread.wait?.cancel()
        thread.wait = nil
        self.script?.state.cancel(thread.coroutine)
        self.forget(thread)
        // Only what the script spawned can be joined.
        if thread.origin != nil { self.endedThreads[thread.number] = outcome }
        thread.end(outcome)
        self.reconsider()
    }

    /// Ends all threads, because the part that they belong to has.
    ///
    /// - Parameter isMeant: Which threads; handlers that stand by for their system belong to no part.
    func cancelThreads(where isMeant: (ScriptThread) -> Bool = { _ in true }) {
        let failure = ScenarioFailure(
            category: .error, typeName: ScenarioFailure.canceledType,
            message: "the scenario ended before this thread did")
        for thread in self.threads.ordered where isMeant(thread) {
            self.cancel(thread, because: failure)
        }
    }

    /// Fails the scenario from outside of its threads; the thread that waits is ended.
    func trip(_ failure: ScenarioFailure) {
        if let onFailure = self.onFailure { return onFailure(failure) }
        guard !self.isJudged, self.tripped == nil else { return }
        if self.current == nil, let waiting = self.threads.firstWaiting {
            self.cancel(waiting, because: failure)
        } else {
            self.tripped = failure
        }
    }

    /// Calls a function of the script for a machine, in a thread of its own.
    ///
    /// - Parameters:
    ///   - number: What stands for the function in the machine's arguments.
    ///   - completion: Gets the first result.
    func callScript(
        _ function: ScriptFunction, _ arguments: [JSONValue],
        completion: @escaping (Result<JSONValue, ScriptCallFailure>) -> Void
    ) {
        guard let script = self.script, let reference = script.functions[function.number] else {
            return completion(.failure(ScriptCallFailure("the script has no such function any more")))
        }
        do {
            let thread = try self.spawn(reference, arguments.map { .json($0) }, isCall: true)
            thread.whenEnded { outcome in
                do { completion(.success(try outcome.get().json())) } catch {
                    // What is broken off with its part says nothing about the system.
                    if let failure = error as? ScenarioFailure, failure.typeName != ScenarioFailure.canceledType {
                        let place = self.threads.place(in: self.definition.file, of: script.state)
                        self.trip(failure.raisedByHandler(whileAt: place))
                    }
                    completion(.failure(ScriptCallFailure("\(error)")))
                }
            }
        } catch {
            self.trip(error)
            completion(.failure(ScriptCallFailure(error.message)))
        }
    }

    /// Calls back when a thread ends, at once if it has.
    func whenThreadEnds(_ number: Int, _ action: @escaping (Result<LuaValue, ScenarioFailure>) -> Void) {
        if let thread = self.threads[number] {
            thread.whenEnded(action)
        } else {
            action(self.endedThreads[number] ?? .success(.nil))
        }
    }

    /// Begins a step.
    ///
    /// - Parameters:
    ///   - limit: Its time limit, if it has one.
    ///   - position: The line of the script.
    /// - Returns: What to give to ``endStep(_:)``.
    func beginStep(_ name: String, limit: Duration?, position: ScriptPosition?) -> Int {
        self.stepCount += 1
        let number = self.stepCount
        self.record(.stepBegan(name: name, line: position.flatMap { self.ownLine($0) }))
        let thread = self.current
        let timer = limit.map { limit in
            self.worker.schedule(after: limit) { [weak self] in
                guard let self, let thread else { return }
                let waits = thread.wait.map { [$0.purpose] } ?? []
                self.cancel(
                    thread,
                    because: ScenarioFailure(
                        category: .failure, typeName: "timeout",
                        message: "the time limit of the step \"\(name)\", \(limit.scriptText), passed",
                        position: thread.wait?.position ?? position,
                        sections: [
                            .init(heading: "pending", lines: waits.isEmpty ? ["nothing; the script was busy"] : waits),
                            .init(
                                heading: "limit",
                                lines: ["step \(limit.scriptText); step(name, { timeout = \"1m\" }, …) raises it"]),
                        ], limit: "step"))
            }
        }
        self.steps[number] = ScenarioStep(name: name, timer: timer)
        return number
    }

    /// Ends a step.
    func endStep(_ number: Int) {
        guard let step = self.steps.removeValue(forKey: number) else { return }
        if let timer = step.timer { self.worker.cancel(timer) }
        self.record(.stepEnded(name: step.name))
    }
}
