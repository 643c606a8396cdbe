import Machines
import RunRecord
import Secrets
import Transport

/// Why an expectation was not met, as reports say it.
struct ExpectationFailure {
    private typealias Section = ScenarioFailure.Section

    private let pending: PendingExpectation
    private let reason: PendingExpectation.Reason
    private let now: Instant
    private let report: ExpectationReport

    /// The events that could have come next.
    private let expected: [EventMatcher]

    /// The places of the events that fitted so far.
    private let taken: [Int]

    /// The event that comes closest; none where only time is waited for.
    private let nearest: ExpectationReport.Candidate?

    /// What happened to the actor that may explain it, and how long after which command.
    private let trouble: Cause?

    /// How the connection ended after the nearest event had come with other values, which is what went wrong.
    private let laterEnd: Cause?

    /// Whether the failure is one of users of a load test whose failures are told apart by their words: in those that
    /// nothing could come for, the words are what the other side did. They name no times, which each user has its own
    /// of; values in quotes and in words with digits do not count. All others at one place are one, told in the words
    /// of the first.
    private let isGrouped: Bool

    private var actor: Actor { self.pending.actor }

    /// Creates the failure of an expectation.
    ///
    /// - Parameter now: The time of the execution.
    init(of pending: PendingExpectation, because reason: PendingExpectation.Reason, now: Instant) {
        let actor = pending.actor
        let report = ExpectationReport(log: actor.log, start: pending.start, secrets: actor.execution.secrets)
        let (expected, taken) = pending.search.closest ?? (pending.expression, [])
        let isGrouped = if case .nothingCanCome = reason { actor.execution.slot != nil } else { false }
        let trouble = actor.cause(from: pending.start, groups: isGrouped)
        let isOver = if case .timedOut = reason { trouble?.isOver(before: pending.beganAt) == true } else { false }
        let nearest = pending.needsEvents ? report.nearest(to: expected.candidates, taken: taken) : nil
        let isLater = !isGrouped && Self.isEnd(trouble, after: nearest, since: actor.lastCommand)
        let isTakenUp = !isGrouped && Self.isTakenUp(trouble, by: nearest, of: actor)
        self.pending = pending
        self.reason = reason
        self.now = now
        self.report = report
        self.expected = expected.candidates
        self.taken = taken
        self.nearest = nearest
        self.trouble = isOver || isLater || isTakenUp ? nil : trouble
        self.laterEnd = isLater ? trouble : nil
        self.isGrouped = isGrouped
    }

    /// Whether a connection ended only after an event had come that differs from what was expected in one value, and
    /// that may answer the last command. The event of the end itself is one as well. Where the connection ended in
    /// order, which is no trouble by itself, the event may differ in several.
    private static func isEnd(
        _ trouble: Cause?, after nearest: ExpectationReport.Candidate?, since command: GivenCommand?
    ) -> Bool {
        guard let trouble, trouble.isEndOfConnection, let nearest, nearest.event.number > command?.eventCount ?? 0
        else { return false }
        if let several = nearest.severalDiffer { return trouble.isOrderly && several.at <= trouble.at }
        guard let missedAt = nearest.missedAt else { return false }
        return missedAt <= trouble.at || nearest.event.kind == EventKind.disconnected.rawValue
    }

    /// Whether a client in Lua has gone on with an answer that is no success, as with a 401 that says which form is to
    /// be filled in, and made the event of it that differs in one value: then that value is what went wrong.
    private static func isTakenUp(_ trouble: Cause?, by nearest: ExpectationReport.Candidate?, of actor: Actor) -> Bool
    {
        guard let trouble, trouble.isRefusal, actor.backend?.tellsAtOnce == false, let nearest,
            nearest.event.number > actor.lastCommand?.eventCount ?? 0, let missedAt = nearest.missedAt
        else { return false }
        return missedAt >= trouble.at
    }

    /// The failure to report: what was expected and what came instead, what explains it, and what was under way.
    var failure: ScenarioFailure {
        let (message, answer) = self.explanation
        let (kind, limit) = self.type
        let failure = ScenarioFailure(
            category: .failure, kind: kind, message: message, position: self.pending.position,
            sections: self.soFar + (answer.isEmpty ? [] : [Section(heading: "answer", lines: answer)]) + self.observed
                + self.circumstances,
            limit: limit, actor: self.actor.name, nearest: self.nearest?.event,
            valueDifferences: self.nearest?.differences ?? [])
        return self.actor.unreachable.map { failure.becauseUnreachable($0, actor: self.actor.name) } ?? failure
    }

    /// The type of the failure, and which limit passed, if one has.
    private var type: (kind: ProblemKind, limit: String?) {
        switch self.reason {
        case .timedOut: (.timeout, "expectation")
        case .nothingCanCome: (.hopeless, nil)
        case .hopeless, .broken: (.expectation, nil)
        }
    }

    /// What went wrong, in a sentence, and what a server answered that explains it.
    private var explanation: (message: String, answer: [String]) {
        let name = self.actor.name
        let wanted = self.pending.description.shown(without: self.report.secrets)
        let headline = self.nearest?.headline ?? (self.laterEnd == nil ? nil : self.nearest?.severalDiffer?.text)
        let answer = self.trouble?.answer ?? []
        switch self.reason {
        case .broken(let place):
            let kind = self.actor.log[place].event.kind.rawValue
            return (
                "\(name) observed \(kind) where \(wanted) for \(self.pending.limit.scriptText) was expected", answer
            )
        case .hopeless(let place):
            let logged = self.actor.log[place]
            return (
                "\(name) expected \(wanted) next, but observed #\(logged.number) \(logged.event.kind.rawValue) first",
                answer
            )
        case .nothingCanCome:
            let symptom = "\(name) cannot observe \(wanted) any more"
            if let happened = self.trouble?.text ?? headline.map({ "\($0), and nothing else can come" }) {
                return ("\(name): \(happened)", answer)
            }
            if let other = self.troubleElsewhere {
                return ("\(other.text); \(symptom)", other.answer)
            }
            if let intruder = self.report.intruder(after: self.actor.lastCommand, taken: self.taken) {
                return ("\(name): \(intruder); it cannot observe \(wanted) any more", answer)
            }
            return ("\(symptom): \(self.idleness)", answer)
        case .timedOut:
            let recovery = self.pending.recoveryTime
            let symptom =
                "did not observe \(wanted) within \(self.pending.limit.scriptText)"
                + (recovery > .zero ? ", and \(recovery.scriptText) more for the fault" : "")
            if let happened = self.trouble?.text ?? headline { return ("\(name): \(happened); it \(symptom)", answer) }
            if let other = self.troubleElsewhere {
                return ("\(other.text); \(name) \(symptom)", other.answer)
            }
            let silence = self.report.silence(
                after: self.actor.lastCommand, taken: self.taken, isHeard: !self.passedOver.isEmpty)
            return ("\(name): \(silence); it \(symptom)", answer)
        }
    }

    /// Which events fitted.
    private var soFar: [Section] {
        guard !self.taken.isEmpty else { return [] }
        let numbers = self.taken.map { "#\($0 + 1)" }.joined(separator: ", ")
        return [Section(heading: "so far", lines: ["\(numbers) fitted"])]
    }

    /// What the actor observed, beside what was expected of it.
    private var observed: [Section] {
        let secrets = self.report.secrets
        let timeline = EventTimeline(of: self.actor, without: secrets).section(now: self.now)
        guard case .broken(let place) = self.reason else {
            let wanted = self.expected.map { $0.description.shown(without: secrets) }
            let nearest = self.nearest.map { [$0.event.section($0.differences)] } ?? []
            return [Section(heading: "expected", lines: wanted)] + nearest + [timeline]
        }
        let logged = self.actor.log[place]
        let summary = EventSummary(of: logged.event, without: secrets)
        let line = "#\(logged.number) \(logged.event.kind.rawValue)  \(summary.text)"
        return [Section(heading: "broken by", lines: [line], event: logged.number), timeline]
    }

    /// What was under way where the events did not come, and what may help.
    private var circumstances: [Section] {
        let limit: [Section]
        switch self.reason {
        case .hopeless, .broken: return []
        case .nothingCanCome: limit = []
        case .timedOut:
            let chosen = self.pending.isDefaultLimit ? " (the default; options { within = … } changes it)" : ""
            limit = [Section(heading: "limit", lines: ["expectation \(self.pending.limit.scriptText)\(chosen)"])]
        }
        let deserted = self.actor.execution.servers.deserted
        return (self.laterEnd.map { [Section(heading: "later", lines: [$0.text])] } ?? [])
            + self.passedOver + self.refusals + [Section(heading: "pending", lines: self.actor.workUnderWay)]
            + (self.trouble == nil && self.laterEnd == nil ? self.endsElsewhere : []) + limit
            + (deserted.isEmpty ? self.actor.remedies : [Section(heading: "remedy", lines: deserted)])
    }

    /// What a client in Lua has heard and made no event of, where nothing else explains that none came.
    private var passedOver: [Section] {
        guard self.trouble == nil, self.laterEnd == nil, self.nearest?.headline == nil else { return [] }
        return self.actor.backend?.passedOver ?? []
    }

    /// The last answers that were not `ok`, to the client and to servers that ask somebody else.
    private var refusals: [Section] {
        let lines = ((self.actor.backend?.refusals ?? []) + self.actor.execution.servers.refusals).flatMap(\.lines)
        return lines.isEmpty ? [] : [Section(heading: "not ok", lines: lines)]
    }

    /// At most so many other actors are told of.
    private static let otherLimit = 5

    /// How the connections of other clients ended that have no other one since, and what went wrong for them: what they
    /// are to say comes no more. What an expectation has taken the scenario knows.
    private var endsElsewhere: [Section] {
        let execution = self.actor.execution
        guard execution.slot == nil, self.errorElsewhere == nil else { return [] }
        let kinds: Set<EventKind> = [.disconnected, .error, .connected, .reconnected]
        let lines = execution.actors.compactMap { other -> String? in
            guard other !== self.actor, other.isClient else { return nil }
            guard let last = other.log.events.last(where: { kinds.contains($0.event.kind) }),
                last.event.kind == .disconnected || last.event.kind == .error, last.disposition != .taken
            else { return self.failedRequest(of: other) }
            let summary = EventSummary(of: last.event, without: execution.secrets)
            let what = [last.event.kind.rawValue, summary.text].filter { !$0.isEmpty }
            return "\(other.name)  \(what.joined(separator: " "))  at \((last.at - .start).scriptText)"
        }
        return lines.isEmpty ? [] : [.init(heading: "elsewhere", lines: Array(lines.prefix(Self.otherLimit)))]
    }

    /// The last request of a client that failed, where a party of a server waits: what a client says there comes by
    /// requests, and one that makes no event of a refusal tells of it nowhere.
    private func failedRequest(of client: Actor) -> String? {
        guard !self.actor.isClient, let backend = client.backend else { return nil }
        // A client in Lua knows which request it was, and nothing of a connection that was not to be had.
        let told = backend.refusals.last?.lines.last.map { "\(client.name)  \($0)" }
        guard let ending = backend.ending else { return told }
        switch ending.manner {
        case .closed, .dropped, .answered: return told
        case .refused: if let told { return told }
        case .failed(let failure): if let told, told.contains(failure.message) { return told }
        }
        let execution = self.actor.execution
        let answer = Cause.answer(of: ending) { execution.secrets.masked($0) }.first.map { ": \($0)" } ?? ""
        let what = execution.secrets.masked("\(ending)") + answer
        return "\(client.name)  \(what)  at \((execution.instant(of: ending.at) - .start).scriptText)"
    }

    /// What went wrong elsewhere, and what a server answered to it: an error of another actor, or else an answer that
    /// is no success and of which nothing has asked.
    private var troubleElsewhere: (text: String, answer: [String])? {
        if let error = self.errorElsewhere { return error }
        let execution = self.actor.execution
        guard self.hasObservedNothing, !execution.connections.hasInjectedFault else { return nil }
        return execution.actors.lazy.compactMap { $0.backend?.lapse(of: $0) }.first.map { ($0.message, []) }
    }

    /// The first error of another actor that nothing expected, and what a server answered to it: whoever waits for what
    /// another one says waits in vain if that is refused.
    private var errorElsewhere: (text: String, answer: [String])? {
        guard self.hasObservedNothing,
            let (actor, cause) = Actor.firstError(of: self.actor.execution.actors.filter({ $0 !== self.actor }))
        else { return nil }
        return ("\(actor.name): \(cause.text)", cause.answer)
    }

    /// Whether this actor has observed nothing since it began to wait, and words may say what others did.
    private var hasObservedNothing: Bool {
        !self.isGrouped && !self.actor.log.leftovers.contains { $0.number > self.pending.start }
    }

    /// Why nothing comes any more where nothing went wrong.
    private var idleness: String {
        // What comes to a party of a server is what clients send there.
        let idle = self.actor.isClient ? "it has no request, connection or timer" : "no client has anything under way"
        let nothing = "\(idle), and no other thread can act"
        guard let ending = self.actor.backend?.ending else { return nothing }
        return "\(Cause.words(of: ending, in: self.actor.log)), \(nothing)"
    }
}

extension PendingExpectation {
    /// What is waited for; nothing where no event is.
    fileprivate var expression: EventExpression {
        if case .events(let expression) = self.kind { expression } else { .nothing }
    }
}
