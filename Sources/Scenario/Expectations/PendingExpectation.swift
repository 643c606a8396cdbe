import ChatCore
import JSON
import RunRecord
import Transport

/// An expectation that waits on an actor.
final class PendingExpectation {
    /// What is waited for.
    enum Kind {
        case events(EventExpression)
        /// None of these events; nil stands for every event that is not noise.
        case silence([EventMatcher]?)
    }

    /// Why it failed.
    enum Cause {
        case timedOut
        /// An event arrived that makes success impossible.
        case hopeless(by: Int)
        /// An event broke a silence.
        case broken(by: Int)
    }

    let kind: Kind
    let limit: Duration

    /// Whether the limit is the project's own and not one that the script chose.
    let isDefaultLimit: Bool

    /// Whether nothing coming in time is no failure.
    let isOptional: Bool

    let position: ScriptPosition?
    fileprivate(set) var outcome: Result<JSONValue, ScenarioFailure>?
    var search: EventSearch
    var timer: ScheduledID?
    var start = 0

    /// Told the outcome unless it was there at once.
    var onOutcome: ((Result<JSONValue, ScenarioFailure>) -> Void)?

    init(
        _ kind: Kind, skipsAllowed: Bool, limit: Duration, isDefaultLimit: Bool, isOptional: Bool,
        position: ScriptPosition?
    ) {
        self.kind = kind
        self.limit = limit
        self.isDefaultLimit = isDefaultLimit
        self.isOptional = isOptional
        self.position = position
        switch kind {
        case .events(let expression): self.search = EventSearch(expression, skipsAllowed: skipsAllowed)
        case .silence: self.search = EventSearch(.nothing, skipsAllowed: true)
        }
    }

    /// Whether the script gets one event and not a list.
    var isSingle: Bool {
        switch self.kind {
        case .events(.event), .events(.optional(.event)): true
        case .events(.any(let members)):
            members.allSatisfy { if case .event = $0 { true } else { false } }
        case .events: false
        case .silence: true
        }
    }

    /// Returns what the expectation captures of an event that it has taken.
    func captures(of event: ChatEvent) -> JSONObject {
        guard case .events(let expression) = self.kind else { return [:] }
        if case .event(let matcher) = expression { return matcher.captures(of: event) }
        for matcher in expression.matchers where matcher.matches(event) {
            let captures = matcher.captures(of: event)
            if !captures.isEmpty { return captures }
        }
        return [:]
    }

    /// What is waited for, in words.
    var description: String {
        switch self.kind {
        case .events(let expression): expression.description
        case .silence(let matchers):
            "silence" + (matchers.map { " of " + $0.map(\.description).joined(separator: " or ") } ?? "")
        }
    }

    /// Ends the wait.
    func settle(_ outcome: Result<JSONValue, ScenarioFailure>) {
        self.outcome = outcome
        self.onOutcome?(outcome)
    }

    /// Returns the failure to report.
    func failure(because cause: Cause, of actor: Actor, now: Instant) -> ScenarioFailure {
        let report = ExpectationReport(actor: actor.name, log: actor.log, start: self.start)
        let (expected, taken) = self.search.closest ?? (self.expression, [])
        var sections: [ScenarioFailure.Section] = []
        let limitText = self.limit.scriptText
        let message: String
        switch (self.kind, cause) {
        case (.silence, .broken(let place)), (.silence, .hopeless(let place)):
            let event = actor.log[place]
            message =
                "\(actor.name) observed \(event.event.kind.rawValue) where \(self.description) for \(limitText) was expected"
            sections =
                [
                    .init(
                        heading: "broken by",
                        lines: [
                            "#\(event.number) \(event.event.kind.rawValue)  \(ExpectationReport.summary(of: event.event))"
                        ])
                ] + report.timelineSection(now: now)
        case (_, .hopeless(let place)):
            let event = actor.log[place]
            message =
                "\(actor.name) expected \(self.description) next, but observed #\(event.number) "
                + "\(event.event.kind.rawValue) first"
            sections = report.sections(expected: expected.candidates, taken: taken, now: now)
        default:
            message = "\(actor.name) did not observe \(self.description) within \(limitText)"
            sections = report.sections(expected: expected.candidates, taken: taken, now: now)
        }
        if !taken.isEmpty {
            let numbers = taken.map { "#\($0 + 1)" }.joined(separator: ", ")
            sections.insert(.init(heading: "so far", lines: ["\(numbers) fitted"]), at: 0)
        }
        let limit =
            "expectation \(limitText)"
            + (self.isDefaultLimit ? " (the default; options { within = … } changes it)" : "")
        var isTimeout = false
        if case .timedOut = cause { isTimeout = true }
        if isTimeout {
            let pending = actor.backend?.pending ?? []
            let nothing = "nothing: \(actor.name) has no request, connection or timer that could bring something"
            sections.append(.init(heading: "pending", lines: pending.isEmpty ? [nothing] : pending))
            sections.append(.init(heading: "limit", lines: [limit]))
        }
        return ScenarioFailure(
            category: .failure, typeName: isTimeout ? "timeout" : "expectation", message: message,
            position: self.position, sections: sections, limit: isTimeout ? "expectation" : nil)
    }

    private var expression: EventExpression {
        if case .events(let expression) = self.kind { expression } else { .nothing }
    }
}
