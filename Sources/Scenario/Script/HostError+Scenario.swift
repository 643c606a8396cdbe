import LuaRuntime
import RunRecord

extension HostError {
    /// The kind by which a function of the host says that a script has called it wrongly; nil if it says something
    /// else.
    var kindOfMistake: ProblemKind? {
        switch self.kind {
        case ProblemKind.usage.rawValue: .usage
        case ProblemKind.argument.rawValue: .argument
        default: nil
        }
    }

    /// A failure that ends the scenario; the script cannot catch it, because what it swallowed would pass.
    ///
    /// What is not offered can be caught: that a button cannot be pressed any more is what some scenarios are about. So
    /// can what a client in Lua could not do, and a connection that has ended, after which a script may connect again.
    init(_ failure: ScenarioFailure) {
        self.init(
            failure.message, kind: failure.category.rawValue, cause: failure,
            isFinal: ![.notOffered, .gaveUp, .disconnected].contains(failure.kind))
    }

    /// A mistake of the script.
    init(_ mistake: UsageError) {
        self = .usage(mistake.message)
    }

    /// Returns the fault as one of a thread: a handler of a system cannot catch it.
    ///
    /// A scenario may do without what a command could not do for it. Nobody has called a handler who could.
    func raised(in thread: ScriptThread?) -> HostError {
        var fault = self
        fault.isFinal = fault.isFinal || thread?.handler != nil
        return fault
    }

    /// Returns a mistake that begins with the call as its function knows it, told of the one who was called.
    func told(of call: String, insteadOf name: String) -> HostError {
        guard self.cause == nil, self.message.hasPrefix(name) else { return self }
        var error = self
        error.message = call + self.message.dropFirst(name.count)
        return error
    }

    /// Returns a mistake that was found when the function that made it had come back, as one of the place where that
    /// function is defined.
    ///
    /// - Parameter name: What the function is called.
    func placed(at function: LuaReference, called name: String) -> HostError {
        guard self.cause == nil, let definition = function.definition else { return self }
        var failure = ScenarioFailure(
            category: .error, kind: self.kindOfMistake ?? .script, message: self.message)
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
