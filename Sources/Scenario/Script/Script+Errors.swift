import LuaRuntime
import Machines
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
        var told = EarlierTrouble(behind: failure, in: thread, of: execution)?.told(before: failure) ?? failure
        told.sections += LastArrival(behind: failure, in: thread, of: execution)?.sections ?? []
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

extension HostError {
    /// The kind of a wait where Lua cannot wait.
    static let suspendKind = "suspend"

    /// The kind by which a function of the host says that a script has called it wrongly; nil if it says something
    /// else.
    fileprivate var kindOfMistake: ProblemKind? {
        switch self.kind {
        case ProblemKind.usage.rawValue: .usage
        case ProblemKind.argument.rawValue: .argument
        default: nil
        }
    }

    /// A failure that ends the scenario; the script cannot catch it, because what it swallowed would pass.
    ///
    /// What is not offered can be caught: that a button cannot be pressed any more is what some scenarios are about. So
    /// can a connection that has ended, after which a script may connect again.
    init(_ failure: ScenarioFailure) {
        self.init(
            failure.message, kind: failure.category.rawValue, cause: failure,
            isFinal: failure.kind != .notOffered && failure.kind != .disconnected)
    }

    /// Returns the fault as one of a thread: a handler of a system cannot catch it.
    ///
    /// A scenario may do without what a command could not do for it. Nobody has called a handler who could.
    func raised(in thread: ScriptThread?) -> HostError {
        var fault = self
        fault.isFinal = fault.isFinal || thread?.handler != nil
        return fault
    }

    /// A mistake of the script.
    init(_ mistake: UsageError) {
        self = .usage(mistake.message)
    }
}

extension HostError {
    /// Returns a mistake that begins with the call as its function knows it, told of the one who was called.
    func told(of call: String, insteadOf name: String) -> HostError {
        guard self.cause == nil, self.message.hasPrefix(name) else { return self }
        var error = self
        error.message = call + self.message.dropFirst(name.count)
        return error
    }
}

extension HostError {
    /// Returns a mistake that was found when the function that made it had come back, as one of the place where that
    /// function is defined.
    ///
    /// - Parameter name: What the function is called.
    func placed(at function: LuaReference, called name: String) -> HostError {
        guard self.cause == nil, let definition = function.definition else { return self }
        var failure = ScenarioFailure(
            category: .error, kind: self.kindOfMistake ?? .script,
            message: self.message)
        failure.place(at: definition, called: name)
        return HostError(failure)
    }
}

extension ScenarioFailure {
    /// Tells what was found when the function that made the mistake had come back at the place where it is defined.
    ///
    /// - Parameter name: What the function is called.
    mutating func place(at definition: LuaPosition, called name: String) {
        let position = ScriptPosition(definition)
        self.position = position
        self.calls = [ScriptCallStack.Call(position: position, function: name)]
    }
}

/// Runs something that finds mistakes of the script, and raises them into it.
func asFault<Value>(_ body: () throws(UsageError) -> Value) throws(HostError) -> Value {
    do { return try body() } catch { throw HostError(error) }
}
