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
        guard let main = unsafe self.main else { throw LuaError.closed }
        let thread: OpaquePointer
        let anchor: Int32
        if let idle = unsafe self.idleThreads.popLast() {
            unsafe (thread, anchor) = unsafe idle
        } else {
            unsafe thread = unsafe repartee_lua_new_coroutine(main)
            anchor = unsafe self.anchorTop(of: main)
        }
        unsafe repartee_lua_set_hook(thread)
        unsafe self.push(function, on: thread)
        guard unsafe self.push(arguments, on: thread) else {
            unsafe lua_settop(thread, 0)
            unsafe self.idleThreads.append((thread, anchor))
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
    ///   - resumption: What the host function that it waits in returns or raises; nothing at the first time.
    public func resume(_ coroutine: LuaCoroutine, with resumption: Resumption = .proceeds) -> ResumeOutcome {
        guard unsafe self.main != nil, let thread = unsafe coroutine.thread else { return .failed(LuaError.closed) }
        precondition(self.depth == 0, "a coroutine cannot be resumed from within a host function")
        var count = coroutine.argumentCount
        switch coroutine.status {
        case .ready: break
        case .suspended:
            self.currentCoroutine = coroutine
            count = unsafe self.push(resumption, on: thread)
        case .running, .ended: return .failed(LuaError(kind: .closed, message: "the coroutine has ended"))
        }
        coroutine.status = .running
        self.currentCoroutine = coroutine
        let sample = self.meter?.begin()
        var resultCount: Int32 = 0
        var outcome: ResumeOutcome = self.withBudget(of: coroutine.environment) {
            switch unsafe repartee_lua_resume(thread, count, &resultCount) {
            case LUA_YIELD where unsafe self.host.pointee.killed == 0:
                unsafe lua_settop(thread, -resultCount - 1)
                return .suspended
            case LUA_OK:
                let first = unsafe lua_gettop(thread) - resultCount + 1
                let values = (first..<(first + resultCount)).map {
                    unsafe self.value(at: $0, of: thread, environment: coroutine.environment)
                }
                unsafe lua_settop(thread, 0)
                return .finished(values)
            case let status:
                let trace = unsafe self.frames(of: thread)
                let error =
                    unsafe self.host.pointee.killed != 0
                    ? self.killedError(trace: trace)
                    : unsafe self.takeError(from: thread, status: status, trace: trace)
                self.withCleanupBudget { unsafe repartee_lua_cancel(thread) }
                return .failed(error)
            }
        }
        self.currentCoroutine = nil
        if case .suspended = outcome {
            coroutine.status = .suspended
        } else {
            if let final = coroutine.final { outcome = .failed(Self.error(of: outcome, outranked: final)) }
            self.retire(coroutine)
        }
        if let meter = self.meter { meter.end(sample ?? nil, self) }
        return outcome
    }

    /// Returns what a coroutine ends with in which a fault was raised that it cannot catch.
    ///
    /// Protected calls pass such a fault on, but some ways through Lua lose an error: a `<close>` variable that raises
    /// another one, a `__tostring` that fails inside of a host function.
    private static func error(of outcome: ResumeOutcome, outranked final: RaisedFault) -> LuaError {
        if case .failed(let error) = outcome {
            switch error.kind {
            case .memory, .instructions, .closed: return error
            case .syntax, .runtime, .host: break
            }
        }
        return LuaError(final, trace: [])
    }

    /// Ends a coroutine that is ready or suspended and runs its `<close>` variables, with a small budget.
    ///
    /// The scheduler forgets first what the coroutine waits for.
    public func cancel(_ coroutine: LuaCoroutine) {
        guard unsafe self.main != nil, let thread = unsafe coroutine.thread, coroutine.status != .running else {
            return
        }
        let outer = (self.currentCoroutine, self.currentEnvironment)
        (self.currentCoroutine, self.currentEnvironment) = (coroutine, coroutine.environment)
        self.withCleanupBudget { unsafe repartee_lua_cancel(thread) }
        (self.currentCoroutine, self.currentEnvironment) = outer
        self.retire(coroutine)
        if self.depth == 0 { self.settle() }
    }

    private func retire(_ coroutine: LuaCoroutine) {
        coroutine.status = .ended
        coroutine.owner = nil
        guard let thread = unsafe coroutine.thread else { return }
        unsafe coroutine.thread = nil
        if unsafe repartee_lua_is_reusable(thread) != 0 {
            unsafe self.idleThreads.append((thread, coroutine.anchor))
        } else {
            self.anchors.released.append(coroutine.anchor)
        }
    }

    private func push(_ resumption: Resumption, on thread: OpaquePointer) -> Int32 {
        switch resumption {
        case .returns(let values):
            guard unsafe self.push(values, on: thread) else {
                return unsafe self.push(.raises(LuaState.fullStack), on: thread)
            }
            unsafe lua_pushinteger(thread, lua_Integer(values.count))
            return Int32(values.count) + 1
        case .raises(let fault):
            // A C function that waits has the room for this in any case.
            unsafe self.push(fault, on: thread)
            unsafe lua_pushinteger(thread, lua_Integer(REPARTEE_LUA_RAISE))
            return 2
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
        guard let main = unsafe self.main else { throw LuaError.closed }
        let environment = environment ?? function.environment
        let outcome: Result<[LuaValue], LuaError> = self.withBudget(of: environment) {
            let base = unsafe lua_gettop(main)
            guard unsafe lua_checkstack(main, 8) != 0 else {
                return .failure(LuaError(kind: .runtime, message: LuaState.fullStack.message))
            }
            unsafe self.push(function, on: main)
            guard unsafe self.push(arguments, on: main) else {
                unsafe lua_settop(main, base)
                return .failure(LuaError(kind: .runtime, message: LuaState.fullStack.message))
            }
            let status = unsafe repartee_lua_call(main, Int32(arguments.count))
            guard status == LUA_OK else {
                return .failure(unsafe self.takeError(from: main, status: status, trace: self.lastTrace))
            }
            let values = (base..<(unsafe lua_gettop(main))).map {
                unsafe self.value(at: $0 + 1, of: main, environment: environment)
            }
            unsafe lua_settop(main, base)
            return .success(values)
        }
        return try outcome.get()
    }
}
