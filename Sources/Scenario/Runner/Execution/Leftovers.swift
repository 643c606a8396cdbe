import JSON
import Machines
import RunRecord
import Secrets

/// The events that nothing expected and nothing allowed: whoever observed some fails the scenario at its end.
enum Leftovers {
    /// Returns a failure for each actor of an execution that has some.
    static func failures(in execution: ScenarioExecution) -> [ScenarioFailure] {
        execution.actors.compactMap { Self.failure(of: $0, in: execution) }
    }

    private static func failure(of actor: Actor, in execution: ScenarioExecution) -> ScenarioFailure? {
        let leftovers = actor.log.leftovers
        guard let first = leftovers.first else { return nil }
        let summary = EventSummary(of: first.event, without: execution.secrets)
        let same = actor.log.original(of: first)
        let original = same ?? actor.log.originalUnderOtherID(of: first)
        let kinds = Set(leftovers.map { "\"\($0.event.kind.rawValue)\"" }).sorted().joined(separator: ", ")
        let count = leftovers.count == 1 ? "an event" : "\(leftovers.count) events"
        let isError = first.event.kind == .error
        let said = isError ? first.event.fields["message"]?.string : nil
        let remedy =
            if isError {
                "a scenario in which this is to happen expects it: \(actor.name):expect \"error\""
            } else if original != nil {
                "look whether the other side says it twice; where it is to, expect it as often: "
                    + "\(actor.name):expect \"\(first.event.kind.rawValue)\""
            } else {
                "expect it, or allow it: scenario(name, { allow = { \(kinds) } }, …)"
            }
        return ScenarioFailure(
            category: .failure, kind: .leftover,
            message:
                "\(actor.name) observed \(count) that nothing expected, first #\(first.number) \(first.event.kind.rawValue)"
                + (original.map { ", which repeats #\($0.number)" + (same == nil ? " under another id" : "") } ?? "")
                + (said.map { ": " + execution.secrets.masked($0).shortened(to: 200) } ?? ""),
            position: execution.definition.position,
            sections: [
                .init(
                    heading: "unexpected",
                    lines: ["#\(first.number) \(first.event.kind.rawValue)  \(summary.text)"],
                    event: first.number),
                EventTimeline(of: actor, without: execution.secrets).section(now: execution.now),
                .init(heading: "remedy", lines: [remedy]), execution.connections.repetition,
            ].compactMap(\.self), actor: actor.name)
    }
}
