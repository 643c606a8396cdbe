import JSON
import Machines
import RunRecord
import Transport

/// An expectation that waits on an actor: it takes in what the actor observes, until it is met, nothing can meet it any
/// more, or its time is up.
final class PendingExpectation: ThreadWait, ActorWait {
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

    /// What follows if it is not met.
    enum Lapse {
        /// The scenario ends as failed.
        case ends
        /// The scenario has failed and goes on.
        case isNoted
        /// The script is given nil.
        case isNothing
    }

    let kind: Kind

    /// Whether events are waited for, and not only time.
    let needsEvents: Bool

    let limit: Duration

    /// Whether the limit is the project's own and not one that the script chose.
    let isDefaultLimit: Bool

    let lapse: Lapse

    let position: ScriptPosition?
    let actor: Actor

    /// What came of it, if it came before a thread was suspended.
    @Boxed private(set) var outcome: Result<Observation, ScenarioFailure>?

    /// Who is told, unless the outcome is there at once.
    private var goOn: ((PendingExpectation, Result<Observation, ScenarioFailure>) -> Void)?
    private(set) var search: EventSearch
    private var timer: ScheduledID?
    private(set) var start = 0

    /// The line of the scenario's file that waits, itself or through other files.
    var ownLine: Int?

    /// When it began to wait.
    private(set) var beganAt = Instant.start

    init(
        _ kind: Kind, of actor: Actor, skipsAllowed: Bool, limit: Duration, isDefaultLimit: Bool, lapse: Lapse,
        position: ScriptPosition?
    ) {
        self.kind = kind
        self.actor = actor
        self.limit = limit
        self.isDefaultLimit = isDefaultLimit
        self.lapse = lapse
        self.position = position
        switch kind {
        case .events(let expression):
            self.needsEvents = true
            self.search = EventSearch(expression, skipsAllowed: skipsAllowed)
        case .silence:
            self.needsEvents = false
            self.search = EventSearch(.nothing, skipsAllowed: true)
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

    /// How much longer than its limit it waits, for a client that has to recover from an injected fault.
    var recoveryTime: Duration {
        self.needsEvents && !self.isOptional ? self.actor.execution.connections.recoveryTime : .zero
    }

    /// Whether nothing coming in time is no failure.
    var isOptional: Bool { self.lapse == .isNothing }

    var isForThread: Bool { false }
    var isForSystem: Bool { false }
    var source: Actor? { self.needsEvents ? self.actor : nil }

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

    private func settle(_ outcome: Result<Observation, ScenarioFailure>) {
        guard let goOn = self.goOn else {
            self.outcome = outcome
            return
        }
        self.goOn = nil
        goOn(self, outcome)
    }

    func cancel() {
        self.goOn = nil
        guard self.actor.isWaiting(for: self) else { return }
        self.stop()
    }

    // MARK: The wait

    /// Begins to wait for events; those that are there already count, and may settle it at once.
    ///
    /// - Throws: ``UsageError`` if the actor waits for something else already.
    func begin() throws(UsageError) {
        let (actor, execution) = (self.actor, self.actor.execution)
        try actor.startsWaiting(for: self)
        if !self.isOptional { execution.countAssertion() }
        self.start = actor.log.cursor
        self.beganAt = execution.now
        for place in actor.log.remaining {
            guard actor.isWaiting(for: self) else { return }
            let logged = actor.log[place]
            self.offer(logged.event, at: place, isNoise: logged.disposition == .noise)
        }
        guard actor.isWaiting(for: self) else { return }
        self.timer = execution.worker.schedule(after: self.limit + self.recoveryTime) {
            guard self.actor.isWaiting(for: self) else { return }
            self.timer = nil
            switch self.kind {
            case .events: self.fail(because: .timedOut)
            case .silence(let matchers):
                do throws(UsageError) {
                    try actor.checkReached(by: matchers)
                    self.take([])
                } catch { self.refuse(error) }
            }
        }
        guard self.needsEvents else { return }
        switch actor.means {
        case .work, .outsiders: break
        case .clients, .commands: execution.deadlocks.becameForlorn(self)
        }
    }

    /// Takes in an event that the actor observed.
    ///
    /// - Parameters:
    ///   - place: Its place in the actor's log.
    ///   - isNoise: Whether it need not be expected.
    func offer(_ event: ChatEvent, at place: Int, isNoise: Bool) {
        guard case .silence(let matchers) = self.kind else {
            if let places = self.search.take(event, at: place, isNoise: isNoise) {
                self.take(places)
            } else if self.search.isHopeless {
                self.fail(because: .hopeless(by: place))
            }
            return
        }
        let isUnwanted =
            matchers?.contains { $0.isBroken(by: event) } ?? (self.actor.log.disposition(at: place) == .open)
        if isUnwanted { self.fail(because: .broken(by: place)) }
    }

    /// Ends the expectation because nothing can meet it any more; one that may remain unmet has nothing to show then.
    ///
    /// - Returns: False if it goes on waiting.
    func giveUp() -> Bool {
        guard self.actor.isWaiting(for: self) else { return false }
        if self.isOptional, !self.actor.mayGiveUpOnce() {
            self.actor.execution.deadlocks.settled(self)
            return false
        }
        self.fail(because: .nothingCanCome)
        return true
    }

    private func stop() {
        let execution = self.actor.execution
        self.actor.stopsWaiting()
        if let timer = self.timer { execution.worker.cancel(timer) }
        self.timer = nil
        execution.deadlocks.settled(self)
    }

    /// Ends the expectation with the events that met it; a silence that was kept has none.
    private func take(_ places: [Int]) {
        let actor = self.actor
        self.stop()
        if let warning = self.warning(ofTaking: places) {
            actor.execution.record(.logged(level: .warning, text: warning))
        }
        actor.take(places)
        actor.execution.record(
            .expected(
                actor: actor.name, line: self.ownLine, description: self.description,
                result: .satisfied(events: places.map { $0 + 1 })))
        let events = places.map { place in
            let logged = actor.log[place]
            return actor.vocabulary.scriptEvent(
                logged, captures: self.captures(of: logged.event), among: { self.captureNames })
        }
        actor.forgetTaken()
        self.settle(.success(self.isSingle ? events.first.map { .event($0) } ?? .nothing : .events(events)))
    }

    /// What to think of events that need not be expected and came before the script did something last: they meet the
    /// expectation, and say nothing of what came of that. Nil where one of them came later, or the expectation asks for
    /// more than its kind: the script then means that very event.
    private func warning(ofTaking places: [Int]) -> String? {
        let (actor, execution) = (self.actor, self.actor.execution)
        guard execution.slot == nil, let last = places.max() else { return nil }
        let command = actor.lastCommand.map { (name: $0.name, count: $0.eventCount) }
        let disturbance = execution.connections.eventCount(atDisturbanceOf: actor).map {
            (name: "t:network", count: $0)
        }
        guard let latest = [command, disturbance].compactMap(\.self).max(by: { $0.count < $1.count }),
            last < latest.count, places.allSatisfy({ actor.log[$0].disposition == .noise && !actor.log[$0].isAllowed }),
            case .events(let expected) = self.kind,
            !expected.matchers.contains(where: { matcher in
                !matcher.asksForNothing && places.contains { matcher.matches(actor.log[$0].event) }
            })
        else { return nil }
        let line = self.ownLine.map { " in line \($0)" } ?? ""
        return
            "\(actor.name): #\(last + 1) \(actor.log[last].event.kind) meets the expectation\(line), and came before "
            + "\(latest.name): it says nothing of what came of that"
    }

    /// Ends a silence that nothing could have broken.
    private func refuse(_ mistake: UsageError) {
        self.stop()
        self.actor.execution.record(
            .expected(
                actor: self.actor.name, line: self.ownLine, description: self.description, result: .failed))
        self.settle(
            .failure(
                ScenarioFailure(
                    category: .error, kind: .usage,
                    message: "\(self.actor.name):expect_silence could not fail: \(mistake.message)",
                    position: self.position)))
    }

    private func fail(because reason: Reason) {
        self.stop()
        if self.isOptional { return self.settle(.success(.nothing)) }
        let execution = self.actor.execution
        execution.record(
            .expected(
                actor: self.actor.name, line: self.ownLine, description: self.description, result: .failed))
        self.settle(.failure(ExpectationFailure(of: self, because: reason, now: execution.now).failure))
    }
}
