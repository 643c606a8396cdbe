import LuaRuntime
import RunRecord

extension Script {
    /// Returns why a scenario does not pass, given the error that its script ended with.
    func failure(of error: LuaError) -> ScenarioFailure {
        let position = error.position.map { ScriptPosition($0) }
        if var failure = error.cause as? ScenarioFailure {
            // A wish to be skipped hides no mistake that comes after it.
            if failure.kind == .skip, let later = error.later.first {
                return self.failure(of: later)
            }
            failure.position = failure.position ?? position
            // What another thread raised knows its own calls.
            if failure.calls.isEmpty { failure.calls = error.traceback.map(ScriptCallStack.Call.init) }
            return failure
        }
        if let unreadable = UnreadableAnswer(behind: error, in: self.execution) {
            return unreadable.failure(at: position, error.traceback.map(ScriptCallStack.Call.init))
        }
        let hint =
            ActorMethodHint.text(for: error.message, at: error.position, in: self)
            ?? NilValueHint.text(for: error.message)
            ?? FunctionIndexHint.text(for: error.message)
            ?? BadSelfHint.text(for: error.message)
            ?? AssignmentHint.text(for: error.message)
            ?? ModuleHint.text(for: error.message, in: self.file.source)
        return ScenarioFailure(
            category: .error, kind: error.failureKind, message: error.message + (hint ?? ""), position: position,
            calls: error.traceback.map(ScriptCallStack.Call.init))
    }

    /// Returns why a scenario does not pass, given the error that one of its threads ended with.
    func failure(of error: LuaError, in thread: ScriptThread) -> ScenarioFailure {
        guard let execution = self.execution else { return self.failure(of: error) }
        if let request = thread.request,
            let unreadable = UnreadableRequest(behind: error, of: request, without: execution.secrets)
        {
            return unreadable.failure
        }
        if let failure = thread.missingAnswer?.failure(behind: error) { return failure }
        var failure = self.failure(of: error)
        if failure.category == .error, let request = thread.request {
            failure.sections.append(UnreadableRequest.section(of: request, without: execution.secrets))
        }
        let lapse = EarlierRefusal(behind: failure, in: thread, of: execution)?.told(before: failure)
        var told = lapse ?? EarlierTrouble(behind: failure, in: thread, of: execution)?.told(before: failure) ?? failure
        let last = LastArrival(behind: failure, in: thread, of: execution)
        told.sections += last?.sections(ofError: told.category == .error) ?? []
        return told
    }

    /// Returns why a file cannot be loaded; what would have to wait cannot be called there.
    func failureWhileLoading(_ error: LuaError) -> ScenarioFailure {
        let failure = self.failure(of: error)
        guard error.fault?.kind == HostError.suspendKind else { return failure }
        return failure.saying(
            "nothing can wait while a file is loaded; call this in a scenario's function or in a hook")
    }
}

extension LuaError {
    /// The kind of the failure that it is; what a script does wrong is told from what it raises itself, which may be
    /// about the other side.
    fileprivate var failureKind: ProblemKind {
        switch self.kind {
        case .syntax: .syntax
        case .memory: .memory
        case .instructions: .runaway
        case .runtime: .runtime
        case .host:
            if let inner = self.cause as? LuaError {
                inner.failureKind
            } else {
                self.fault?.kindOfMistake ?? .script
            }
        case .raised, .closed: .script
        }
    }
}
