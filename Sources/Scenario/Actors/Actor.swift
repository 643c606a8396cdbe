import JSON
import LuaRuntime
import Machines
import RunRecord
import Secrets

/// One party that a scenario drives: it logs what it observes and offers it to the expectation that waits on it.
final class Actor {
    /// Its place among the actors of the execution.
    let place: Int

    /// The name in reports and failures.
    let name: String

    /// What it can observe.
    let vocabulary: ActorVocabulary

    /// Whether it is a client, not a party of a server.
    let isClient: Bool

    /// Whether the execution has the server that it talks to, or of which it is a party, for itself, so that nobody
    /// else hears it.
    let hasOwnServer: Bool

    /// Whether it talks to a real target, and not to a simulated server of the run itself.
    var isAtTarget = false

    /// Whether nothing tells it that somebody else has come: it is a plain client that knows texts, or its system is
    /// one in Lua that declares no such event.
    private(set) var startsItself = false

    /// How many expectations that may remain unmet were given up since the actor last did or observed something. It
    /// and the next one fill the gap behind the other small ones: each user of a load test has actors, and eight bytes
    /// more would take a block of the allocator that has 64 more.
    private var givenUpCount: UInt8 = 0

    /// Whether the script has filled in a form since the last command, and not submitted it.
    var hasUnsubmittedForm = false

    /// Which of its messages are texts, for load tests, if its system does not tell.
    var ledger: LedgerOptions?

    /// What the model costs that it talks to, if that is declared.
    @Boxed var prices: ModelPrices?

    /// What acknowledges its texts besides `message_sent`, of a client that a script declares.
    @Boxed private(set) var acknowledgements: DeclaredAcknowledgements?

    /// The texts whose commands, which a script declares, have not come to their end.
    var textsUnderWay = TextsUnderWay()

    unowned let execution: ScenarioExecution
    private(set) var backend: (any ActorBackend)?
    private(set) var log = EventLog()
    private var pending: PendingExpectation?
    private var guards: [EventGuard] = []

    /// What commands and handlers of a client in Lua wait for.
    private var clientWaits: [any ActorWait] = []

    /// What the script told the actor to do last, and when.
    private(set) var lastCommand: GivenCommand?

    /// The commands given that let events come which do not come without.
    private(set) var askedFor: Set<String> = []

    /// What was not to be observed for a while in which it could not be.
    private var idleScopes: [ScenarioFailure] = []

    /// At most so many expectations that may remain unmet are given up at once; the next one takes its time.
    private static let givenUpLimit = 100

    /// What a person saw when the screen was last recorded.
    private var screen: [ScreenLine] = []

    init(
        place: Int, isClient: Bool, name: String, vocabulary: ActorVocabulary, hasOwnServer: Bool,
        execution: ScenarioExecution
    ) {
        self.place = place
        self.isClient = isClient
        self.name = name
        self.vocabulary = vocabulary
        self.hasOwnServer = hasOwnServer
        self.execution = execution
    }

    /// Gives the actor what stands behind it.
    ///
    /// - Parameter acknowledgements: Of a client that a script declares, what tells that its server has a text.
    func attach(_ backend: any ActorBackend, acknowledgedBy acknowledgements: DeclaredAcknowledgements? = nil) {
        self.backend = backend
        let isOwn = acknowledgements != nil
        self.startsItself = self.isClient && (self.ledger != nil || isOwn && !self.vocabulary.tellsOfOthers)
        self.acknowledgements = acknowledgements
    }

    /// Reads which of its messages are texts from the options that it was made with.
    ///
    /// - Throws: ``HostError`` if what they say cannot be read.
    func readLedger(_ options: JSONObject) throws(HostError) {
        do throws(ConfigurationError) { self.ledger = try LedgerOptions(options: options) } catch {
            throw HostError.usage(error.message)
        }
    }

    /// Where the text of a command stands: where its declaration says, or where the option `ledger` does.
    func text(sentBy command: Command, _ method: CommandMethod?) -> SentText? {
        method?.declaration.sends.map { SentText(argument: $0) } ?? self.ledger?.text(sentBy: command)
    }

    /// Whether somebody looks at the arguments of its commands: a record and a transcript do, and who accounts for its
    /// texts.
    var showsArguments: Bool { self.execution.remembersConversation || self.ledger != nil }

    /// What can bring something to the actor without a command to it.
    var means: WakeupSources.Means { self.backend?.means ?? .commands }

    /// Notes that the script tells the actor to do something.
    func commanded(_ command: Command) {
        let execution = self.execution
        let rules = execution.cast.rules
        // A rule that is declared later looks at turns that have passed, where they are kept.
        let beginsTurn =
            (!rules.isEmpty || execution.remembersConversation)
            && ConversationTurn.begins(after: self.lastCommand, in: self.log)
        execution.remember(.command(command, beginsTurn: beginsTurn), by: self)
        self.lastCommand = GivenCommand(name: command.name, at: execution.now, eventCount: self.log.count)
        self.hasUnsubmittedForm = false
        self.givenUpCount = 0
        self.backend?.forgetLosses()
        if !self.vocabulary.commandsBefore.isEmpty { self.askedFor.insert(command.name) }
        guard beginsTurn else { return }
        for rule in rules { if let failure = rule.turnBegan(by: self) { execution.threads.trip(failure) } }
    }

    /// Notes that what stands behind the actor has nothing under way any more.
    func fellSilent() {
        let deadlocks = self.execution.deadlocks
        if let pending = self.pending, pending.needsEvents { deadlocks.becameForlorn(pending) }
        for wait in self.clientWaits { deadlocks.becameForlorn(wait) }
        deadlocks.reconsider()
    }

    /// Logs an event, checks the guards, and offers it to the waiting expectation.
    func observe(_ event: ChatEvent) {
        let execution = self.execution
        var event = self.prices?.priced(event) ?? event
        let now = execution.now
        execution.observer?.observes(self, &event, at: execution.worker.poolNow)
        guard execution.keepsWhatComes else { return self.heardAfterTheEnd(event) }
        guard !self.passesOver(event) else { return }
        guard self.log.heldCount < EventLog.limit else {
            execution.threads.trip(
                ScenarioFailure(
                    category: .error, kind: .limit,
                    message:
                        "\(self.name) observed more than \(EventLog.limit) events, the last of them \(event.kind): "
                        + "the server floods the client, or the client asks for the same again and again"))
            return
        }
        let weight = event.weight
        let place = self.log.append(
            event, weight: weight, at: now, isNoise: self.vocabulary.isNoise(event),
            isAllowed: !execution.cast.allowances.isEmpty && execution.cast.allows(event))
        execution.hold(weight, for: .events)
        self.givenUpCount = 0
        execution.record(
            .observed(
                actor: self.name, number: place + 1, kind: event.kind.rawValue, fields: event.fields, raw: event.raw))
        self.recordScreen()
        execution.remember(.event(place), by: self)
        for eventGuard in self.guards {
            if eventGuard.matcher.isBroken(by: event) {
                execution.threads.trip(self.violation(of: eventGuard, by: place))
            } else if !self.hasWarned(ofGuard: eventGuard.number),
                self.warns(of: [eventGuard.matcher], as: "\(self.name):never", at: place)
            {
                self.noteWarning(ofGuard: eventGuard.number)
            }
        }
        for rule in execution.cast.rules {
            if let failure = rule.observed(place, by: self) { execution.threads.trip(failure) }
        }
        guard let pending = self.pending else { return }
        pending.offer(event, at: place, isNoise: self.log.disposition(at: place) == .noise)
    }

    /// Takes in what comes once the scenario is judged. Nothing counts then but an error while the client says goodbye,
    /// which nobody else would tell of.
    private func heardAfterTheEnd(_ event: ChatEvent) {
        let execution = self.execution
        guard event.kind == .error, self.backend?.saysGoodbye == true, !execution.connections.hasInjectedFault,
            execution.connections.network.lines.isEmpty, !execution.cast.allows(event), !self.vocabulary.isNoise(event)
        else { return }
        let summary = EventSummary(of: event, without: execution.secrets)
        execution.failGoodbye(
            ScenarioFailure(
                category: .failure, kind: .goodbye,
                message: "\(self.name) observed an error while it said goodbye",
                sections: [.init(heading: "error", lines: [summary.text])], actor: self.name))
    }

    /// Whether an event is measured and no more: a piece of a streamed answer to a user of a load test, whose script
    /// waits for the whole. A long answer has thousands.
    private func passesOver(_ event: ChatEvent) -> Bool {
        guard event.kind == .token || event.kind == .chunk, self.execution.slot != nil else { return false }
        return self.execution.script?.namesPieces == false && self.execution.script?.readsHistory == false
            && self.guards.isEmpty && self.execution.cast.rules.isEmpty && self.vocabulary.isNoise(event)
    }

    /// A screen is recorded up to this many lines of this many characters.
    private static let screenLimit = (lines: 60, characters: 400)

    /// Records what a person would see now, if it is not what the record has last.
    func recordScreen() {
        guard self.execution.recordsScreens, let lines = self.backend?.screenLines, lines != self.screen else { return }
        self.screen = lines
        let rows = lines.prefix(Self.screenLimit.lines).map { line in
            ScreenRow(.init(line.kind), self.cut(line.text), label: line.label.map { self.cut($0) })
        }
        self.execution.record(.showed(actor: self.name, screen: rows))
    }

    private func cut(_ text: String) -> String {
        guard text.utf8.count > Self.screenLimit.characters else { return text }
        return String(self.execution.secrets.masked(text).prefix(Self.screenLimit.characters))
    }

    /// Returns the failure of what the conversation does not offer to the actor.
    func lacks(_ text: String, at position: ScriptPosition?) -> ScenarioFailure {
        ScenarioFailure(
            category: .failure, kind: .notOffered, message: text, position: position,
            sections: [EventTimeline(of: self, without: self.execution.secrets).section(now: self.execution.now)],
            actor: self.name)
    }

    /// What the actor was never to observe and, as it is set up by now, never could: nothing would have broken that.
    var idleGuards: [ScenarioFailure] {
        // Those of one call stand side by side; one of them that can be broken is enough.
        self.idleScopes
            + Dictionary(grouping: self.guards, by: \.number).sorted { $0.key < $1.key }.compactMap { _, together in
                self.idleness(of: together)
            }
    }

    /// Why guards of one call have watched nothing so far; nil if one of them could have been broken.
    private func idleness(of together: [EventGuard]) -> ScenarioFailure? {
        let matchers = together.map(\.matcher)
        do throws(UsageError) {
            try self.check(matchers)
            try self.checkReached(by: matchers)
            return nil
        } catch {
            return ScenarioFailure(
                category: .error, kind: .usage,
                message: "\(self.name):never has watched nothing: \(error.message)", position: together[0].position)
        }
    }

    /// Whether the record has a warning of one of the guards of a call.
    private func hasWarned(ofGuard number: Int) -> Bool {
        self.guards.contains { $0.number == number && $0.hasWarned }
    }

    private func noteWarning(ofGuard number: Int) {
        for place in self.guards.indices where self.guards[place].number == number {
            self.guards[place].hasWarned = true
        }
    }

    /// Warns if an event is not banned only because a text has to fit as a whole. Load tests do without.
    ///
    /// - Parameters:
    ///   - matchers: What is banned.
    ///   - call: How the script bans it.
    /// - Returns: Whether there was something to warn of.
    func warns(of matchers: [EventMatcher], as call: String, at place: Int) -> Bool {
        let event = self.log[place].event
        guard self.execution.slot == nil, let remark = matchers.lazy.compactMap({ $0.partRemark(of: event) }).first
        else { return false }
        let text = "\(call) is not broken by #\(place + 1) \(event.kind.rawValue) of \(self.name): \(remark)"
        self.execution.record(.logged(level: .warning, text: text))
        return true
    }

    private func violation(of eventGuard: EventGuard, by place: Int) -> ScenarioFailure {
        let timeline = EventTimeline(of: self, without: self.execution.secrets)
        let summary = EventSummary(of: self.log[place].event, without: self.execution.secrets)
        return ScenarioFailure(
            category: .failure, kind: .never,
            message: "\(self.name) observed \(eventGuard.matcher), which must never happen",
            position: eventGuard.position,
            sections: [
                .init(
                    heading: "broken by", lines: ["#\(place + 1)  \(summary.text)"],
                    event: place + 1),
                timeline.section(now: self.execution.now),
            ], actor: self.name)
    }
}

// MARK: - Expectations

extension Actor {
    /// Lets an expectation wait on the actor.
    ///
    /// - Throws: ``UsageError`` if the actor waits for something else already.
    func startsWaiting(for pending: PendingExpectation) throws(UsageError) {
        if let other = self.pending {
            let place = other.position.map { " at line \($0.line)" } ?? ""
            throw UsageError(
                "\(self.name) is waiting\(place) already; let one thread of the scenario expect events of an actor at a time"
            )
        }
        self.pending = pending
    }

    /// Whether an expectation waits on the actor.
    func isWaiting(for pending: PendingExpectation) -> Bool { self.pending === pending }

    /// Lets the expectation that waits on the actor go.
    func stopsWaiting() { self.pending = nil }

    /// Notes that a command or a handler of the client waits, which may be in vain already.
    func begin(_ wait: any ActorWait) {
        self.clientWaits.append(wait)
        if self.means != .work { self.execution.deadlocks.becameForlorn(wait) }
    }

    /// Notes that it waits no more.
    func end(_ wait: any ActorWait) {
        self.clientWaits.removeAll { $0 === wait }
        self.execution.deadlocks.settled(wait)
    }

    /// Counts one more wait of a script that goes on without what it waits for, and is given up.
    ///
    /// - Returns: False if there were too many at once: a script that asks again and again would never let time pass.
    func mayGiveUpOnce() -> Bool {
        guard self.givenUpCount < Self.givenUpLimit else { return false }
        self.givenUpCount += 1
        return true
    }

    /// Counts events as expected.
    func take(_ places: [Int]) {
        self.log.take(places)
        self.backend?.forgetLosses()
    }

    /// Forgets what nobody can look at any more.
    func forgetTaken() {
        self.execution.release(self.log.forget(by: self.execution.retention), for: .events)
    }

    /// Counts all that the actor has observed as expected.
    func takeAll() {
        self.log.takeAll()
        self.backend?.forgetLosses()
    }

    /// Marks all unexpected events of a kind as allowed, after the fact.
    func allowLogged() {
        self.log.markNoise { self.execution.cast.allows($0) }
    }

    /// Fails the scenario whenever an event matches, until the guard is taken away.
    func add(_ eventGuard: EventGuard) {
        self.guards.append(eventGuard)
    }

    /// How often threads had gone on when a guard was set up, and how many events had been observed; nil if there is
    /// none.
    func beginOfGuard(_ number: Int) -> (turn: Int, events: Int)? {
        self.guards.first { $0.number == number }?.begin
    }

    /// Takes a guard away.
    func removeGuard(_ number: Int) {
        let ended = self.guards.filter { $0.number == number }
        if !ended.isEmpty, let idle = self.idleness(of: ended) { self.idleScopes.append(idle) }
        self.guards.removeAll { $0.number == number }
    }
}
