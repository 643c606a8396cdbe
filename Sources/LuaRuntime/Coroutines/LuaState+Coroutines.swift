internal import CLua
internal import LuaBridge

extension LuaState {
    /// Makes a coroutine that will run a function; it starts with the first ``resume(_:with:)``.
    ///
    /// - Parameters:
    ///   - function: The function.
    ///   - arguments: Its arguments.
    ///   - environment: Whose instruction budget it uses up; that of the function unless given.
    public func spawn(
        _ function: LuaReference, _ arguments: [LuaValue] = [], in environment: LuaEnvironment? = nil
    ) throws(LuaError) -> LuaCoroutine {
        let main = try self.openStack()
        let (thread, anchor) =
            unsafe self.idleThreads.take()
            ?? (unsafe repartee_lua_new_coroutine(main.thread)!, main.anchorTop())
        unsafe repartee_lua_set_hook(thread)
        let stack = unsafe LuaStack(thread, of: self)
        stack.push(function)
        guard stack.push(arguments) else {
            unsafe lua_settop(thread, 0)
            unsafe self.idleThreads.keep(thread, anchor: anchor)
            throw LuaError(kind: .runtime, message: "\(arguments.count) arguments are too many for a function")
        }
        return unsafe LuaCoroutine(
            environment: environment ?? function.environment, thread: thread, anchor: anchor,
            argumentCount: Int32(arguments.count), anchors: self.anchors)
    }

    /// Lets a coroutine run until it waits or ends.
    ///
    /// Must not be called from within a host function: a scheduler queues the coroutine instead.
    ///
    /// - Parameters:
    ///   - coroutine: One that is ready or suspended.
    ///   - result: What the host function that it waits in returns, or raises at the place where the script called it;
    ///     nil if it returns nothing, and at the first time.
    public func resume(
        _ coroutine: LuaCoroutine, with result: Result<LuaValue, HostError>? = nil
    ) -> ResumeOutcome {
        switch coroutine.status {
        case .ready, .suspended: break
        case .running: return .failed(LuaError(kind: .closed, message: "the coroutine runs already"))
        case .ended: return .failed(LuaError(kind: .closed, message: "the coroutine has ended"))
        }
        guard !self.isClosed, let thread = unsafe coroutine.thread else { return .failed(LuaError.closed) }
        let stack = unsafe LuaStack(thread, of: self)
        precondition(self.depth == 0, "a coroutine cannot be resumed from within a host function")
        self.currentCoroutine = coroutine
        let count = coroutine.status == .suspended ? stack.push(resultOfWait: result) : coroutine.argumentCount
        coroutine.status = .running
        let sample = self.meter?.begin()
        var resultCount: Int32 = 0
        var outcome: ResumeOutcome = self.withBudget(of: coroutine.environment) {
            switch unsafe repartee_lua_resume(thread, count, &resultCount) {
            case LUA_YIELD where unsafe self.host.pointee.killed == 0:
                unsafe lua_settop(thread, -resultCount - 1)
                return .suspended
            case LUA_OK:
                let first = unsafe lua_gettop(thread) - resultCount + 1
                let values = stack.takeValues(from: first, environment: coroutine.environment)
                unsafe lua_settop(thread, 0)
                return .finished(values)
            case let status:
                let trace = unsafe LuaFrame.calls(on: thread)
                let reader = LuaErrorReader(stack)
                let isKilled = unsafe self.host.pointee.killed != 0
                // The error itself stays, for the variables that are closed.
                unsafe lua_pushvalue(thread, -1)
                var error = isKilled ? reader.killed(trace: trace) : reader.take(status: status, trace: trace)
                self.withCleanupBudget {
                    let later = unsafe ThreadCloser(state: self).close(thread)
                    if !isKilled, let later { error.later.append(later) }
                }
                return .failed(error)
            }
        }
        self.currentCoroutine = nil
        if case .suspended = outcome {
            coroutine.status = .suspended
        } else {
            if let final = coroutine.final { outcome = outcome.outranked(by: final) }
            self.retire(coroutine)
        }
        if let meter = self.meter { meter.end(sample ?? nil, self) }
        return outcome
    }

    /// Ends a coroutine that is ready or suspended and runs its `<close>` variables, with a small budget.
    ///
    /// The scheduler forgets first what the coroutine waits for.
    ///
    /// - Returns: The first error of these variables, or what the coroutine could not catch before.
    @discardableResult public func cancel(_ coroutine: LuaCoroutine) -> LuaError? {
        guard !self.isClosed, let thread = unsafe coroutine.thread, coroutine.status != .running else {
            return nil
        }
        var error: LuaError?
        let outer = (self.currentCoroutine, self.currentEnvironment)
        (self.currentCoroutine, self.currentEnvironment) = (coroutine, coroutine.environment)
        self.withCleanupBudget { error = unsafe ThreadCloser(state: self).close(thread) }
        if let final = coroutine.final { error = LuaError(final, trace: []) }
        (self.currentCoroutine, self.currentEnvironment) = outer
        self.retire(coroutine)
        if self.depth == 0 { self.settle() }
        return error
    }

    private func retire(_ coroutine: LuaCoroutine) {
        coroutine.status = .ended
        guard let thread = unsafe coroutine.thread else { return }
        unsafe coroutine.thread = nil
        if unsafe repartee_lua_is_reusable(thread) != 0 {
            unsafe self.idleThreads.keep(thread, anchor: coroutine.anchor)
        } else {
            self.anchors.released.append(coroutine.anchor)
        }
    }

    /// Calls a function of a script to its end; it cannot suspend.
    ///
    /// May be called from within a host function; the instructions then count for the step in progress.
    ///
    /// - Parameters:
    ///   - function: The function.
    ///   - arguments: Its arguments.
    ///   - environment: Whose script calls it; that of the function unless given, which one of the prelude has not.
    /// - Throws: ``LuaError``.
    @discardableResult public func call(
        _ function: LuaReference, _ arguments: [LuaValue] = [], in environment: LuaEnvironment? = nil
    ) throws(LuaError) -> [LuaValue] {
        let stack = try self.openStack()
        let environment = environment ?? function.environment
        let outcome: Result<[LuaValue], LuaError> = self.withBudget(of: environment) {
            let base = unsafe lua_gettop(stack.thread)
            guard unsafe lua_checkstack(stack.thread, 8) != 0 else {
                return .failure(LuaError(kind: .runtime, message: LuaStack.full.message))
            }
            stack.push(function)
            guard stack.push(arguments) else {
                unsafe lua_settop(stack.thread, base)
                return .failure(LuaError(kind: .runtime, message: LuaStack.full.message))
            }
            let status = unsafe repartee_lua_call(stack.thread, Int32(arguments.count))
            guard status == LUA_OK else {
                return .failure(LuaErrorReader(stack).take(status: status, trace: self.lastTrace))
            }
            return .success(stack.takeValues(from: base + 1, environment: environment))
        }
        return try outcome.get()
    }
}
