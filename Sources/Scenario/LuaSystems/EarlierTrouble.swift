import JSON
import Machines
import RunRecord
import Secrets

/// What a client of a system in Lua had observed when one of its commands raised an error: that it is not connected is
/// no mistake of the scenario where its server has refused it before, and who reads of it must be told.
struct EarlierTrouble {
    /// What is said behind the words of the error.
    let text: String

    /// Looks for an error that nothing expected, or else for the end of a connection.
    ///
    /// - Returns: Nil if the failure is no error that a system or the script itself has raised within a command, or if
    ///   there was nothing of the kind.
    init?(behind failure: ScenarioFailure, in thread: ScriptThread, of execution: ScenarioExecution) {
        guard failure.category == .error, failure.typeName == "script", failure.calls.count > 1,
            let place = thread.command?.actor,
            let actor = execution.actors.first(where: { $0.place == place && $0.isClient }),
            let event = actor.log.leftovers.last(where: { $0.event.kind == .error })?.event
                ?? actor.log.events.last(where: { $0.event.kind == .disconnected })?.event
        else { return nil }
        let fields = event.kind == .error ? ["message"] : ["code", "reason"]
        let said = fields.compactMap { name in event.fields[name].map { $0.string ?? $0.description } }
            .filter { !$0.isEmpty }.joined(separator: " ")
        let shown = execution.secrets.masked(said).shortened(to: 200)
        self.text = "; before, \(actor.name) observed \(event.kind.rawValue)" + (shown.isEmpty ? "" : ": \(shown)")
    }
}
