import JSON
import LuaRuntime
import Machines
import RunRecord
import Transport

/// An expectation that waits on an actor.
final class PendingExpectation: ThreadWait {
    /// What is waited for.
    enum Kind {
        case events(EventExpression)
        /// None of these events; nil stands for every event that is not noise.
        case silence([EventMatcher]?)
    }

    /// Why it failed.
    enum Reason {
        case timedOut
        /// An event arrived that makes success impossible.
        case hopeless(by: Int)
        /// An event broke a silence.
        case broken(by: Int)
        /// Nothing is left that could bring the event.
        case nothingCanCome
    }

    let kind: Kind
    let limit: Duration

    /// Whether the limit is the project's own and not one that the script chose.
    let isDefaultLimit: Bool

    /// Whether nothing coming in time is no failure.
    let isOptional: Bool

    let position: ScriptPosition?
    let actor: Actor

    /// What came of it, if it came before a thread was suspended.
    @Boxed private(set) var outcome: Result<Observation, ScenarioFailure>?

    /// Who is told, unless the outcome is there at once.
    private var goOn: ((PendingExpectation, Result<Observation, ScenarioFailure>) -> Void)?
    var search: EventSearch
    var timer: ScheduledID?
    var start = 0

    /// The line of the scenario's file that waits, itself or through other files.
    var ownLine: Int?

    /// When it began to wait.
    var begin = Instant.start

    init(
        _ kind: Kind, of actor: Actor, skipsAllowed: Bool, limit: Duration, isDefaultLimit: Bool, isOptional: Bool,
        position: ScriptPosition?
    ) {
        self.kind = kind
        self.actor = actor
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

    /// The names under which the expectation may capture something, of whichever event.
    var captureNames: [String] {
        guard case .events(let expression) = self.kind else { return [] }
        return expression.matchers.flatMap(\.captureNames)
    }

    /// Returns what models are still to be asked about what came of the expectation.
    func askedTexts(of outcome: Result<Observation, ScenarioFailure>) -> [AskedText] {
        guard case .events(.event(let matcher)) = self.kind, case .success(.event(let event)) = outcome else {
            return []
        }
        return matcher.askedTexts(in: event.logged.event)
    }

    /// Whether events are waited for, and not only time.
    var needsEvents: Bool { if case .events = self.kind { true } else { false } }

    var isForThread: Bool { false }
    var isForSystem: Bool { false }

    /// What is waited for, in words.
    var description: String {
        switch self.kind {
        case .events(let expression): expression.description
        case .silence(let matchers):
            "silence" + (matchers.map { " of " + $0.map(\.description).joined(separator: " or ") } ?? "")
        }
    }

    var purpose: String { "\(self.actor.name): \(self.description)" }

    /// Suspends a thread until the expectation is settled.
    ///
    /// - Parameter goOn: Lets the thread go on with what came of the expectation.
    func suspend(
        _ thread: ScriptThread, _ goOn: @escaping (PendingExpectation, Result<Observation, ScenarioFailure>) -> Void
    ) {
        self.goOn = goOn
        thread.wait = self
    }

    /// Ends the wait.
    func settle(_ outcome: Result<Observation, ScenarioFailure>) {
        guard let goOn = self.goOn else {
            self.outcome = outcome
            return
        }
        self.goOn = nil
        goOn(self, outcome)
    }

    func cancel() {
        self.goOn = nil
        self.actor.forget(self)
    }

    /// Returns the failure to report.
    ///
    /// - Parameter trouble: What happened to the actor that may explain it, and how long after which command.
    func failure(because cause: Reason, trouble: Cause?, now: Instant) -> ScenarioFailure {
        let report = ExpectationReport(
            actor: self.actor.name, log: self.actor.log, start: self.start, secrets: self.actor.execution.secrets)
        let (expected, taken) = self.search.closest ?? (self.expression, [])
        let nearest = self.needsEvents ? report.nearest(to: expected.candidates, taken: taken) : nil
        var sections: [ScenarioFailure.Section] = []
        let limitText = self.limit.scriptText
        let message: String
        switch (self.kind, cause) {
        case (.silence, .broken(let place)), (.silence, .hopeless(let place)):
            let event = self.actor.log[place]
            message =
                "\(self.actor.name) observed \(event.event.kind.rawValue) where \(self.description) for \(limitText) was expected"
            sections =
                [
                    .init(
                        heading: "broken by",
                        lines: [
                            "#\(event.number) \(event.event.kind.rawValue)  \(report.summary(of: event.event))"
                        ], event: event.number)
                ] + report.timelineSection(now: now)
        case (_, .hopeless(let place)):
            let event = self.actor.log[place]
            message =
                "\(self.actor.name) expected \(self.description) next, but observed #\(event.number) "
                + "\(event.event.kind.rawValue) first"
            sections = report.sections(expected: expected.candidates, nearest: nearest, now: now)
        case (_, .nothingCanCome):
            message =
                trouble.map { "\(self.actor.name): \($0.text)" }
                ?? self.headline(nearest).map { "\(self.actor.name): \($0), and nothing else can come" }
                ?? "\(self.actor.name) cannot observe \(self.description) any more: \(self.idleness)"
            sections = report.sections(expected: expected.candidates, nearest: nearest, now: now)
        default:
            let symptom = "did not observe \(self.description) within \(limitText)"
            let happened =
                trouble?.text ?? self.headline(nearest)
                ?? report.silence(
                    after: self.actor.lastCommand, taken: taken, isOneOfMany: self.actor.execution.slot != nil)
            message = "\(self.actor.name): \(happened); it \(symptom)"
            sections = report.sections(expected: expected.candidates, nearest: nearest, now: now)
        }
        if let answer = trouble?.answer, !answer.isEmpty {
            sections.insert(.init(heading: "answer", lines: answer), at: 0)
        }
        if !taken.isEmpty {
            let numbers = taken.map { "#\($0 + 1)" }.joined(separator: ", ")
            sections.insert(.init(heading: "so far", lines: ["\(numbers) fitted"]), at: 0)
        }
        let typeName: String
        var limit: String?
        switch cause {
        case .timedOut:
            typeName = "timeout"
            limit = "expectation"
            sections.append(.init(heading: "pending", lines: self.pending))
            let chosen = self.isDefaultLimit ? " (the default; options { within = … } changes it)" : ""
            sections.append(.init(heading: "limit", lines: ["expectation \(limitText)\(chosen)"]))
        case .nothingCanCome:
            typeName = "hopeless"
            sections.append(.init(heading: "pending", lines: self.pending))
        case .hopeless, .broken: typeName = "expectation"
        }
        return ScenarioFailure(
            category: .failure, typeName: typeName, message: message, position: self.position, sections: sections,
            limit: limit, actor: self.actor.name, nearest: nearest?.event,
            valueDifferences: nearest?.differences ?? [])
    }

    /// What is wrong with the nearest event; the users of a load test have the same failure with different values.
    private func headline(_ nearest: ExpectationReport.Candidate?) -> String? {
        self.actor.execution.slot == nil ? nearest?.headline : nil
    }

    /// What the actor has under way, in words.
    private var pending: [String] {
        let pending = self.actor.backend?.pending ?? []
        return pending.isEmpty
            ? ["nothing: \(self.actor.name) has no request, connection or timer that could bring something"] : pending
    }

    /// Why nothing comes any more where nothing went wrong.
    private var idleness: String {
        let nothing = "it has no request, connection or timer, and no other thread can act"
        guard let ending = self.actor.backend?.ending else { return nothing }
        return "\(ending), \(nothing)"
    }

    private var expression: EventExpression {
        if case .events(let expression) = self.kind { expression } else { .nothing }
    }
}
