import JSON
import Machines
import RunRecord

/// One party that a scenario drives: it logs what it observes and settles the expectation that waits on it.
final class Actor {
    /// Its place among the actors of the play.
    let place: Int

    /// Whether it is a client, not a party of a server.
    let isClient: Bool

    /// The name in reports and failures.
    let name: String

    /// What it can observe.
    private let vocabulary: ActorVocabulary

    /// How many events a virtual user's actor remembers that expectations have passed.
    private static let keptEvents = 8

    private unowned let play: ScenarioPlay
    private(set) var backend: (any ActorBackend)?
    private(set) var log = EventLog()
    private var pending: PendingExpectation?
    private var guards: [EventGuard] = []

    /// What a person saw when the screen was last recorded.
    private var screen: [ScreenLine] = []

    init(place: Int, isClient: Bool, name: String, vocabulary: ActorVocabulary, play: ScenarioPlay) {
        self.place = place
        self.isClient = isClient
        self.name = name
        self.vocabulary = vocabulary
        self.play = play
    }

    /// Gives the actor what stands behind it.
    func attach(_ backend: any ActorBackend) {
        self.backend = backend
    }

    /// Whether nothing need expect an event.
    private func isNoise(_ event: ChatEvent) -> Bool {
        self.vocabulary.isNoise(event) || self.play.allows(event)
    }

    /// Logs an event, checks the guards, and lets the waiting expectation see it.
    func observed(_ event: ChatEvent) {
        let play = self.play
        var event = event
        let now = play.now
        play.observer?.observes(play.observed(self), &event, at: play.worker.now)
        guard self.log.events.count < EventLog.limit else {
            play.trip(
                ScenarioFailure(
                    category: .error, typeName: "limit",
                    message: "\(self.name) observed more than \(EventLog.limit) events; the server floods the client"))
            return
        }
        let place = self.log.append(event, at: now, isNoise: self.isNoise(event))
        play.record(
            .observed(
                actor: self.name, number: place + 1, kind: event.kind.rawValue, fields: event.fields, raw: event.raw))
        self.recordScreen()
        play.remember(.event(place), by: self)
        for eventGuard in self.guards where eventGuard.matcher.matches(event) {
            play.trip(self.violation(of: eventGuard, by: place))
        }
        guard let pending = self.pending else { return }
        self.offer(place, to: pending)
    }

    /// A screen is recorded up to this many lines of this many characters.
    private static let screenLimit = (lines: 60, characters: 400)

    /// Records what a person would see now, if it is not what the record has last.
    func recordScreen() {
        guard self.play.recordsScreens, let lines = self.backend?.screenLines, lines != self.screen else { return }
        self.screen = lines
        let rows = lines.prefix(Self.screenLimit.lines).map { line in
            ScreenRow(
                .init(line.kind), String(line.text.prefix(Self.screenLimit.characters)),
                label: line.label.map { String($0.prefix(Self.screenLimit.characters)) })
        }
        self.play.record(.showed(actor: self.name, screen: rows))
    }

    private func offer(_ place: Int, to pending: PendingExpectation) {
        let logged = self.log[place]
        switch pending.kind {
        case .events:
            if let places = pending.search.take(logged.event, at: place, isNoise: logged.fate == .noise) {
                self.settle(pending, with: places)
            } else if pending.search.isHopeless {
                self.fail(pending, because: .hopeless(by: place))
            }
        case .silence(let matchers):
            let isUnwanted = matchers?.contains { $0.matches(logged.event) } ?? (logged.fate == .open)
            if isUnwanted { self.fail(pending, because: .broken(by: place)) }
        }
    }

    private func violation(of eventGuard: EventGuard, by place: Int) -> ScenarioFailure {
        let report = ExpectationReport(actor: self.name, log: self.log, start: place)
        return ScenarioFailure(
            category: .failure, typeName: "never",
            message: "\(self.name) observed \(eventGuard.matcher), which must never happen",
            position: eventGuard.position, sections: report.timelineSection(now: self.play.now))
    }
}

// MARK: - Expectations

extension Actor {
    /// Checks that the actor can observe what a script expects.
    ///
    /// - Throws: ``ScriptMistake`` that names the event and what the actor observes.
    func check(_ matchers: [EventMatcher]) throws(ScriptMistake) {
        for matcher in matchers { try self.vocabulary.check(matcher, of: self.name) }
    }
}

extension Actor {
    /// Begins to wait for events; those that are there already count, and may settle it at once.
    ///
    /// - Parameter pending: What is expected.
    /// - Throws: ``ScriptMistake`` if the actor waits for something else already.
    func await(_ pending: PendingExpectation) throws(ScriptMistake) {
        if let other = self.pending {
            let place = other.position.map { " at line \($0.line)" } ?? ""
            throw ScriptMistake(
                "\(self.name) is waiting\(place) already; let one thread of the scenario expect events of an actor at a time"
            )
        }
        self.pending = pending
        pending.start = self.log.cursor
        for place in self.log.remaining {
            guard self.pending === pending else { return }
            self.offer(place, to: pending)
        }
        guard self.pending === pending else { return }
        pending.timer = self.play.worker.schedule(after: pending.limit) {
            guard self.pending === pending else { return }
            pending.timer = nil
            switch pending.kind {
            case .events: self.fail(pending, because: .timedOut)
            case .silence: self.settle(pending, with: [])
            }
        }
    }

    /// Stops waiting without an outcome; for a thread that is canceled.
    func forget(_ pending: PendingExpectation) {
        guard self.pending === pending else { return }
        self.end(pending)
    }

    private func end(_ pending: PendingExpectation) {
        self.pending = nil
        if let timer = pending.timer { self.play.worker.cancel(timer) }
        pending.timer = nil
    }

    private func settle(_ pending: PendingExpectation, with places: [Int]) {
        self.end(pending)
        self.log.take(places)
        self.play.record(
            .expected(
                actor: self.name, line: pending.position?.line, description: pending.description,
                result: .satisfied(events: places.map { $0 + 1 })))
        let events = places.map { place in
            let logged = self.log[place]
            return ObservedEvent(logged: logged, captures: pending.captures(of: logged.event))
        }
        // A user of a load test may talk for hours.
        if self.play.seat != nil { self.log.forget(keeping: Self.keptEvents) }
        pending.settle(.success(pending.isSingle ? events.first.map { .event($0) } ?? .nothing : .events(events)))
    }

    private func fail(_ pending: PendingExpectation, because cause: PendingExpectation.Cause) {
        self.end(pending)
        if pending.isOptional, case .timedOut = cause { return pending.settle(.success(.nothing)) }
        if pending.isOptional, case .hopeless = cause { return pending.settle(.success(.nothing)) }
        self.play.record(
            .expected(
                actor: self.name, line: pending.position?.line, description: pending.description, result: .failed))
        let failure = pending.failure(because: cause, now: self.play.now)
        pending.settle(.failure(self.unreachable.map { failure.becauseUnreachable($0, actor: self.name) } ?? failure))
    }

    /// Why the target cannot be reached; a simulated server of the run itself is none.
    private var unreachable: String? {
        guard case .named = self.play.settings.destination else { return nil }
        return self.backend?.unreachable
    }

    /// Marks all events so far as expected.
    func takeAll() {
        self.log.take((self.log.forgottenCount..<self.log.count).filter { self.log[$0].fate == .open })
    }

    /// Marks all unexpected events of a kind as allowed, after the fact.
    func allowLogged() {
        self.log.markNoise { self.play.allows($0) }
    }

    /// Fails the scenario whenever an event matches, until the guard is taken away.
    func add(_ eventGuard: EventGuard) {
        self.guards.append(eventGuard)
    }

    /// Takes a guard away.
    func removeGuard(_ number: Int) {
        self.guards.removeAll { $0.number == number }
    }
}
