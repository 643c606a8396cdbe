import JSON
import Machines
import RunRecord
import Secrets

/// What a client of a system in Lua had observed when one of its commands raised an error: that it is not connected is
/// no mistake of the scenario where its server has refused it before, and who reads of it must be told.
struct EarlierTrouble {
    private let actor: Actor
    private let event: ChatEvent

    /// Whether nothing expected the event, so that the scenario has failed by it.
    private let isUnexpected: Bool

    /// What was called.
    private let command: String

    /// Looks for an error that nothing expected, or else for another event that nothing expected and by which the
    /// system tells that not all is well, such as the end of a connection, or for such an end that was in order.
    ///
    /// - Returns: Nil if the failure is no error that a system or the script itself has raised within a command, or if
    ///   there was nothing of the kind.
    init?(behind failure: ScenarioFailure, in thread: ScriptThread, of execution: ScenarioExecution) {
        // Who called the command is still among the callers of what raised the error, unless the command has ended.
        let callers = failure.calls.dropFirst().map(\.position)
        guard failure.category == .error, failure.kind == .script, !callers.isEmpty,
            let command = thread.command, command.position.map(callers.contains) ?? true,
            let actor = execution.actors.first(where: { $0.place == command.actor && $0.isClient }),
            let (event, isUnexpected) = Self.event(of: actor)
        else { return nil }
        self.actor = actor
        self.event = event
        self.isUnexpected = isUnexpected
        self.command = command.name
    }

    /// Returns the event, and whether nothing expected it; how a connection ended is looked for last.
    private static func event(of actor: Actor) -> (ChatEvent, isUnexpected: Bool)? {
        let leftovers = actor.log.leftovers.map(\.event)
        let unexpected =
            leftovers.last { $0.kind == .error }
            ?? leftovers.last { event in actor.troubles.contains { $0.matches(event) } }
            ?? leftovers.last { $0.kind == .disconnected }
        if let unexpected { return (unexpected, true) }
        return actor.log.events.last { $0.event.kind == .disconnected }.map { ($0.event, false) }
    }

    /// Returns the failure with what came before it.
    ///
    /// What nothing expected has failed the scenario already: what could not be done after it is no mistake of the
    /// script. The end of a connection that the scenario expected, or need not expect, is in order, and to speak after
    /// it is one.
    func told(before failure: ScenarioFailure) -> ScenarioFailure {
        let execution = self.actor.execution
        let isError = self.event.kind == .error
        let isEnd = self.event.kind == .disconnected
        let told = isError ? ["message"] : isEnd ? ["code", "reason"] : self.event.fields.names
        let said = told.compactMap { name in self.event.fields[name].map { $0.string ?? $0.description } }
            .filter { !$0.isEmpty }.joined(separator: " ")
        let shown = said.isEmpty ? "" : ": " + execution.secrets.masked(said).shortened(to: 200)
        guard self.isUnexpected else {
            return failure.saying(
                "\(failure.message); before, \(self.actor.name) observed \(self.event.kind.rawValue)\(shown)")
        }
        let timeline = EventTimeline(of: self.actor, without: execution.secrets).section(now: execution.now)
        let what = isError ? "an error" : self.event.kind.rawValue
        return ScenarioFailure(
            category: .failure, kind: .leftover,
            message: "\(self.actor.name) observed \(what) that nothing expected\(shown); then \(self.command) raised: "
                + failure.message,
            position: failure.position, calls: failure.calls, sections: failure.sections + [timeline],
            actor: self.actor.name)
    }
}
