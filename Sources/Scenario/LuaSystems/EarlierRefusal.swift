import RunRecord

/// An answer over HTTP that was not `ok` and of which nothing had asked whether it is, where a function of the client
/// then trips over a value that is not there: a refusal in JSON lacks what the function reads of it.
///
/// Lua only knows that a value is nil and blames the script; it is the server that has refused.
struct EarlierRefusal {
    /// The failure that the answer is, whatever comes after it.
    private let refusal: ScenarioFailure

    /// Looks for such an answer.
    ///
    /// - Returns: Nil if the failure is no error about a value that is missing, or not one of a handler or a command,
    ///   or if there is no such answer that the server itself gave.
    init?(behind failure: ScenarioFailure, in thread: ScriptThread, of execution: ScenarioExecution) {
        // Who called a command is among the callers of what raised the error, unless the command has ended.
        let callers = failure.calls.dropFirst().map(\.position)
        let isInCommand = thread.command.map { $0.position.map(callers.contains) ?? true } ?? false
        // What answers a request belongs to a simulated server, which no client's refusal explains.
        guard failure.category == .error, Self.isAboutNothing(failure), thread.isCall || isInCommand,
            thread.request == nil, !execution.connections.hasInjectedFault
        else { return nil }
        let clients = execution.actors.filter { actor in thread.command.map { $0.actor == actor.place } ?? true }
        let lapses = clients.lazy.compactMap { actor in (actor.backend as? LuaClientBackend)?.lapse(of: actor) }
        guard let refusal = lapses.first else { return nil }
        self.refusal = refusal
    }

    /// Whether Lua, or the check of what a function is given, found nil where there had to be a value.
    static func isAboutNothing(_ failure: ScenarioFailure) -> Bool {
        switch failure.kind {
        // What is called is a name of the script, not what a server sent.
        case .runtime: failure.message.contains(/\bnil\b/) && !failure.message.contains("call a nil")
        case .usage, .argument: failure.message.contains(/\ needs the (?:field|member)\b/)
        default: false
        }
    }

    /// Returns the refusal as the failure, with what came of it.
    func told(before failure: ScenarioFailure) -> ScenarioFailure {
        var told = self.refusal.saying("\(self.refusal.message); then: \(failure.message)")
        told.position = failure.position
        told.calls = failure.calls
        return told
    }
}
