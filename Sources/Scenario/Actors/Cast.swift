import Machines
import RunRecord
import Secrets

/// The actors of an execution, and what was done and observed by them.
struct Cast {
    /// The clients and the parties of servers, in the order in which they joined.
    private(set) var actors: [Actor] = []

    /// How many of those that are accounted for are at servers that the execution has for itself.
    ///
    /// Who is there hears nobody at a server that others share, and the other way around; each event of a load test
    /// asks.
    private(set) var atOwnServers = Headcount()

    /// How many of those that are accounted for are at servers that others share.
    private(set) var atSharedServers = Headcount()

    /// What they did and observed so far, in the order in which it happened: for stored transcripts, and for rules that
    /// are declared later.
    var said: [ConversationEntry] = []

    /// How often each transcript was asked for, by the names of the files.
    private var transcriptUses: [String: Int] = [:]

    private var names = ActorNames()

    /// How the script spells the names of parties, mailboxes and barriers.
    var spellings = NameSpellings()
    private var parties: [PartyKey: Actor] = [:]

    /// What may come though nothing expects it, with the place where the script lets it pass; without one for what
    /// rules wait for, which is looked at there.
    private(set) var allowances: [(matcher: EventMatcher, position: ScriptPosition?)] = []

    /// What must hold of the whole conversation.
    private(set) var rules: [ConversationRule] = []

    /// Takes a name that no other actor has.
    ///
    /// - Returns: The name, with a number behind it where the wanted one is taken.
    mutating func takeName(_ wanted: String) -> String { self.names.take(wanted) }

    /// Adds an actor at the end.
    mutating func add(_ actor: Actor) {
        self.actors.append(actor)
        guard actor.place < AccountedActors.limit else { return }
        if actor.hasOwnServer { self.atOwnServers.count(actor) } else { self.atSharedServers.count(actor) }
    }

    /// The actor of a party of a server.
    subscript(party key: PartyKey) -> Actor? {
        get { self.parties[key] }
        set { self.parties[key] = newValue }
    }

    /// The parties that have an actor.
    var partyKeys: some Sequence<PartyKey> { self.parties.keys }

    /// The parties that hear what must be expected before the script has named one, by their servers.
    var standIns: [ObjectIdentifier: String] = [:]

    /// Counts that the scenario asks for a transcript.
    ///
    /// - Returns: How often it has done so.
    mutating func countUse(ofTranscript name: String) -> Int {
        self.transcriptUses[name, default: 0] += 1
        return self.transcriptUses[name, default: 0]
    }

    // MARK: What must hold

    /// Adds a rule of the whole conversation.
    mutating func add(_ rule: ConversationRule) { self.rules.append(rule) }

    /// Whether there is something to look at when the conversation has ended, beside servers.
    var needsJudging: Bool { !self.actors.isEmpty || !self.rules.isEmpty }

    /// What a failure says of events that other actors observed and nothing has expected so far: they may be why.
    ///
    /// - Parameter failure: The failure, which shows the events of those actors anyway that it is about.
    /// - Returns: Nil if there were none, or the script itself is wrong.
    func unexpected(beside failure: ScenarioFailure, in execution: ScenarioExecution) -> ScenarioFailure.Section? {
        // Whoever interrupts a wait wants to know what came instead, as of a wait that takes too long.
        guard failure.category == .failure || failure.kind == .interrupted else { return nil }
        let isTold = { (actor: Actor) in
            actor.name == failure.actor || failure.kind == .transcript && actor.isClient
        }
        var shown: [Unexpected] = []
        var count = 0
        for actor in self.actors where !isTold(actor) {
            let leftovers = actor.log.leftovers
            count += leftovers.count
            // Of many, errors and ends of connections stay, and the latest of the others.
            let picked = Self.troublesFirst(leftovers.reversed().map { (actor, $0) }).prefix(Self.mostUnexpected.ofEach)
            shown += picked.sorted { $0.event.number < $1.event.number }
        }
        shown = Array(Self.troublesFirst(shown).prefix(Self.mostUnexpected.ofAll))
        var lines = shown.map { actor, logged in
            let fields = EventSummary(of: logged.event, without: execution.secrets).shortened(to: 300)
            return
                "\(actor.name): #\(logged.number)  \(logged.at.timelineText)  \(logged.event.kind.rawValue)"
                + (fields.isEmpty ? "" : "  \(fields)")
        }
        if count > lines.count { lines.append("and \(count - lines.count) more") }
        return lines.isEmpty ? nil : .init(heading: "unexpected", lines: lines)
    }

    private typealias Unexpected = (actor: Actor, event: LoggedEvent)

    /// Returns errors and ends of connections, and after them the other events, each in their order.
    private static func troublesFirst(_ events: [Unexpected]) -> [Unexpected] {
        let isTrouble = { (one: Unexpected) in [.error, .disconnected].contains(one.event.event.kind) }
        return events.filter(isTrouble) + events.filter { !isTrouble($0) }
    }

    /// A failure tells at most this many unexpected events of each other actor, and of all of them.
    private static let mostUnexpected = (ofEach: 3, ofAll: 12)

    /// What fails of the demands of the script: rules that were not kept, guards that nothing could break, and
    /// allowances by which nothing passes.
    var unkeptDemands: [ScenarioFailure] {
        self.rules.compactMap { $0.failureAtEnd(among: self.actors) } + self.actors.flatMap(\.idleGuards)
            + self.allowances.compactMap { allowance in
                allowance.position.flatMap { self.mistake(in: allowance.matcher, at: $0) }
            }
    }

    /// Returns what clients and servers of the scenario passed over. Where a fault is injected, one may go on without
    /// an answer.
    func lapses(in execution: ScenarioExecution) -> [ScenarioFailure] {
        guard !execution.connections.hasInjectedFault else { return [] }
        return self.actors.compactMap { $0.backend?.lapse(of: $0) } + execution.servers.lapses
    }

    /// Returns what clients passed over while they said goodbye, which is after all else is judged. A network that the
    /// script disturbs may be to blame.
    func lapsesOfGoodbyes(in execution: ScenarioExecution) -> [ScenarioFailure] {
        guard !execution.connections.hasInjectedFault, execution.connections.network.lines.isEmpty else { return [] }
        return self.actors.compactMap { actor in
            actor.backend?.saysGoodbye == true ? actor.backend?.lapse(of: actor) : nil
        }
    }

    /// The mistake of letting events pass by a field that none of those has who observe such events, or by a value that
    /// it never has; nil if somebody may observe one.
    private func mistake(in allowed: EventMatcher, at position: ScriptPosition) -> ScenarioFailure? {
        guard let kind = allowed.kind, !allowed.asksForNothing else { return nil }
        var mistakes: [String] = []
        for actor in self.actors where actor.vocabulary.eventKinds.contains(kind) {
            do throws(UsageError) {
                try actor.check(allowed, mayBeAbsent: true)
                return nil
            } catch { mistakes.append(error.message) }
        }
        return mistakes.first.map { mistake in
            ScenarioFailure(
                category: .error, kind: .usage, message: "t:allow lets nothing pass: \(mistake)",
                position: position)
        }
    }

    // MARK: What nothing need expect

    /// Lets events pass from now on.
    ///
    /// - Parameter position: Where the script asks for it; nil for what waits for them elsewhere.
    mutating func allow(_ matcher: EventMatcher, at position: ScriptPosition? = nil) {
        self.allowances.append((matcher, position))
    }

    /// Whether an event may pass.
    func allows(_ event: ChatEvent) -> Bool { self.allowances.contains { $0.matcher.matches(event) } }

    /// Whether every event of a kind may pass.
    func allowsAll(_ kind: EventKind) -> Bool {
        self.allowances.contains { ($0.matcher.kind ?? kind) == kind && $0.matcher.asksForNothing }
    }
}

/// How many actors there are at servers of one kind.
struct Headcount {
    // Two lie in each execution, and so in each user of a load test, for whom each byte counts.
    private(set) var clients: UInt32 = 0
    private(set) var parties: UInt32 = 0

    /// Counts an actor.
    mutating func count(_ actor: Actor) {
        if actor.isClient { self.clients += 1 } else { self.parties += 1 }
    }
}

/// Names a party of a server of a scenario.
struct PartyKey: Hashable {
    let server: ObjectIdentifier
    let party: String
}
