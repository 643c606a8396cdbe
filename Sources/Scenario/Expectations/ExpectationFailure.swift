import Machines
import RunRecord
import Secrets
import Transport

/// Why an expectation was not met, as reports say it.
struct ExpectationFailure {
    private let pending: PendingExpectation
    private let reason: PendingExpectation.Reason
    private let now: Instant

    private var actor: Actor { self.pending.actor }

    /// Creates the failure of an expectation.
    ///
    /// - Parameter now: The time of the execution.
    init(of pending: PendingExpectation, because reason: PendingExpectation.Reason, now: Instant) {
        self.pending = pending
        self.reason = reason
        self.now = now
    }

    /// The failure to report: what was expected and what came instead, what explains it, and what was under way.
    var failure: ScenarioFailure {
        var trouble = self.actor.cause(from: self.pending.start, groups: self.isGrouped)
        if case .timedOut = self.reason, trouble?.isOver(before: self.pending.beganAt) == true { trouble = nil }
        let failure = self.failure(trouble)
        return self.actor.unreachable.map { failure.becauseUnreachable($0, actor: self.actor.name) } ?? failure
    }

    /// Whether the failure is one of users of a load test whose failures are told apart by their words: in those that
    /// nothing could come for, the words are what the other side did. They name no times and no values, which each user
    /// has its own of. All others at one place are one, told in the words of the first.
    private var isGrouped: Bool {
        if case .nothingCanCome = self.reason { self.actor.execution.slot != nil } else { false }
    }

    /// - Parameter trouble: What happened to the actor that may explain it, and how long after which command.
    private func failure(_ trouble: Cause?) -> ScenarioFailure {
        let report = ExpectationReport(
            actor: self.actor.name, log: self.actor.log, start: self.pending.start,
            secrets: self.actor.execution.secrets)
        let (expected, taken) = self.pending.search.closest ?? (self.expression, [])
        let nearest = self.pending.needsEvents ? report.nearest(to: expected.candidates, taken: taken) : nil
        var sections: [ScenarioFailure.Section] = []
        let limitText = self.pending.limit.scriptText
        let headline = self.isGrouped ? nil : nearest?.headline
        let message: String
        var answer = trouble?.answer ?? []
        switch (self.pending.kind, self.reason) {
        case (_, .broken(let place)):
            let event = self.actor.log[place]
            message =
                "\(self.actor.name) observed \(event.event.kind.rawValue) where \(self.pending.description) for \(limitText) was expected"
            sections =
                [
                    .init(
                        heading: "broken by",
                        lines: [
                            "#\(event.number) \(event.event.kind.rawValue)  \(report.summary(of: event.event))"
                        ], event: event.number)
                ] + report.timelineSection(now: self.now)
        case (_, .hopeless(let place)):
            let event = self.actor.log[place]
            message =
                "\(self.actor.name) expected \(self.pending.description) next, but observed #\(event.number) "
                + "\(event.event.kind.rawValue) first"
            sections = report.sections(expected: expected.candidates, nearest: nearest, now: self.now)
        case (_, .nothingCanCome):
            let symptom = "\(self.actor.name) cannot observe \(self.pending.description) any more"
            if let happened = trouble?.text ?? headline.map({ "\($0), and nothing else can come" }) {
                message = "\(self.actor.name): \(happened)"
            } else if let other = self.troubleElsewhere {
                message = "\(other.actor.name): \(other.cause.text); \(symptom)"
                answer = other.cause.answer
            } else {
                message = "\(symptom): \(self.idleness)"
            }
            sections = report.sections(expected: expected.candidates, nearest: nearest, now: self.now)
        default:
            let symptom = "did not observe \(self.pending.description) within \(limitText)"
            if let happened = trouble?.text ?? headline {
                message = "\(self.actor.name): \(happened); it \(symptom)"
            } else if let other = self.troubleElsewhere {
                message = "\(other.actor.name): \(other.cause.text); \(self.actor.name) \(symptom)"
                answer = other.cause.answer
            } else {
                let silence = report.silence(after: self.actor.lastCommand, taken: taken)
                message = "\(self.actor.name): \(silence); it \(symptom)"
            }
            sections = report.sections(expected: expected.candidates, nearest: nearest, now: self.now)
        }
        if !answer.isEmpty {
            sections.insert(.init(heading: "answer", lines: answer), at: 0)
        }
        if !taken.isEmpty {
            let numbers = taken.map { "#\($0 + 1)" }.joined(separator: ", ")
            sections.insert(.init(heading: "so far", lines: ["\(numbers) fitted"]), at: 0)
        }
        let typeName: String
        var limit: String?
        let deserted = self.actor.execution.servers.deserted
        switch self.reason {
        case .timedOut:
            typeName = "timeout"
            limit = "expectation"
            sections.append(.init(heading: "pending", lines: self.actor.workUnderWay))
            if trouble == nil { sections += self.endsElsewhere }
            let chosen = self.pending.isDefaultLimit ? " (the default; options { within = … } changes it)" : ""
            sections.append(.init(heading: "limit", lines: ["expectation \(limitText)\(chosen)"]))
        case .nothingCanCome:
            typeName = "hopeless"
            sections.append(.init(heading: "pending", lines: self.actor.workUnderWay))
            if trouble == nil { sections += self.endsElsewhere }
        case .hopeless, .broken: typeName = "expectation"
        }
        if typeName != "expectation", !deserted.isEmpty {
            sections.append(.init(heading: "remedy", lines: deserted))
        }
        return ScenarioFailure(
            category: .failure, typeName: typeName, message: message, position: self.pending.position,
            sections: sections,
            limit: limit, actor: self.actor.name, nearest: nearest?.event,
            valueDifferences: nearest?.differences ?? [])
    }

    /// At most so many other actors are told of.
    private static let otherLimit = 5

    /// How the connections of other clients ended that have no other one since, and what went wrong for them: what they
    /// are to say comes no more. What an expectation has taken the scenario knows.
    private var endsElsewhere: [ScenarioFailure.Section] {
        let execution = self.actor.execution
        guard execution.slot == nil, self.troubleElsewhere == nil else { return [] }
        let kinds: Set<EventKind> = [.disconnected, .error, .connected, .reconnected]
        let lines = execution.actors.compactMap { other -> String? in
            guard other !== self.actor, other.isClient,
                let last = other.log.events.last(where: { kinds.contains($0.event.kind) }),
                last.event.kind == .disconnected || last.event.kind == .error, last.disposition != .taken
            else { return nil }
            let report = ExpectationReport(actor: other.name, log: other.log, start: 0, secrets: execution.secrets)
            let what = [last.event.kind.rawValue, report.summary(of: last.event)].filter { !$0.isEmpty }
            return "\(other.name)  \(what.joined(separator: " "))  at \((last.at - .start).scriptText)"
        }
        return lines.isEmpty ? [] : [.init(heading: "elsewhere", lines: Array(lines.prefix(Self.otherLimit)))]
    }

    /// The first error of another actor that nothing expected, where this one has observed nothing since it began to
    /// wait: whoever waits for what another one says waits in vain if that is refused.
    private var troubleElsewhere: (actor: Actor, cause: Cause)? {
        let (execution, start) = (self.actor.execution, self.pending.start)
        guard execution.slot == nil, !self.actor.log.leftovers.contains(where: { $0.number > start }) else {
            return nil
        }
        let errors = execution.actors.compactMap { other -> (actor: Actor, at: Instant)? in
            guard other !== self.actor else { return nil }
            return other.log.leftovers.first { $0.event.kind == .error }.map { (other, $0.at) }
        }
        guard let first = errors.min(by: { $0.at < $1.at }) else { return nil }
        return first.actor.cause(from: 0, groups: false).map { (first.actor, $0) }
    }

    /// Why nothing comes any more where nothing went wrong.
    private var idleness: String {
        // What comes to a party of a server is what clients send there.
        let idle = self.actor.isClient ? "it has no request, connection or timer" : "no client has anything under way"
        let nothing = "\(idle), and no other thread can act"
        guard let ending = self.actor.backend?.ending else { return nothing }
        return "\(Cause.words(of: ending, in: self.actor.log)), \(nothing)"
    }

    private var expression: EventExpression {
        if case .events(let expression) = self.pending.kind { expression } else { .nothing }
    }
}
