import JSON
import LuaRuntime
import Machines
import RunRecord
import Secrets
import Transport

/// One play of one scenario: its script, its actors and servers, its threads, and how it ends.
///
/// The parts of a play follow each other:
///
/// | part | runs | ends with |
/// |---|---|---|
/// | shared hooks | `before_all` of the file and the groups, each in a play of its own, once a run | their values |
/// | before hooks | one after the other, outermost first | the last, or the first problem |
/// | body | the scenario's function | its return, a failure, its time limit |
/// | after hooks | innermost first, whatever happened | the last |
/// | deferred functions | what fixtures and the scenario deferred, last first, whatever happened | the first of them |
/// | settling | 50 ms, so that what is under way arrives | leftovers are judged |
/// | tear-down | every actor ends its conversation on the server | all is quiet, or 5 s have passed |
///
/// A play of a ``SharedPart`` runs its functions up to their value, waits, and goes on with its after hooks when it is
/// told to end; its leftovers are not judged.
final class ScenarioPlay {
    /// How long after the end of the body events still count.
    static let settlingTime = Duration.milliseconds(50)

    /// How long conversations may take to end.
    static let tearDownLimit = Duration.seconds(5)

    let worker: Worker
    let network: any Network
    let engine: ScriptEngine
    let settings: PlaySettings
    let definition: ScenarioDefinition
    let seed: UInt64

    /// Where it finds its servers: at the target of the run, or else at the one that its declaration names.
    private(set) var destination: PlaySettings.Destination

    /// What the play has if a virtual user plays it.
    let seat: UserSeat?

    /// Where its threads meet, and where it meets other users.
    private(set) lazy var meetings: any MeetingPlace =
        self.seat?.meetings ?? Meetings(limit: self.settings.project.heldMemoryLimit)

    private let attempt: ScenarioAttempt
    private let emit: (RunEntry) -> Void
    private let onEnd: (ScenarioEnd) -> Void
    private let startedAt: Instant
    private(set) var script: Script?
    private var verdict = PlayVerdict()

    /// How often threads went on while time stood still.
    var standingTime = StandingTime()

    /// What ends the thread that waits next, because something went wrong outside of it.
    var tripped: ScenarioFailure?

    /// The threads that have not ended.
    var threads = ThreadBook()

    /// How many threads there were so far.
    var threadCount = 0

    /// What the spawned threads that have ended returned or raised, by their numbers.
    var endedThreads: [Int: Result<LuaValue, ScenarioFailure>] = [:]

    /// What is held for the scenario outside of its script's memory.
    lazy var account = HostAccount(limit: self.settings.project.heldMemoryLimit)

    /// What was attached to the reports so far.
    var attachments = Attachments()

    /// The number of the attempt in the run, which no other has.
    var number: Int { self.attempt.index }

    /// Whether the scenario was told that too much is held for it.
    private var isFull = false

    /// The thread that runs.
    var current: ScriptThread?

    /// The hook, the body or the deferred function that runs, with what it has spawned; none while the play tears down.
    var part: PlayPart?

    /// The expectations that nothing of their own actor can meet any more.
    var forlorn = ForlornExpectations()

    private var allowed: [EventMatcher] = []

    /// Whether everything is torn down.
    private(set) var isEnded = false

    /// What the actors did and observed so far, for stored transcripts.
    private(set) var said = SaidAndSeen()

    /// The fixtures that were used so far.
    var fixtures = FixtureBook()

    /// What runs at the end, last first.
    var deferred: [LuaReference] = []

    /// What plays fixtures and hooks that several scenarios share.
    weak var sharedParts: (any SharedParts)?

    /// For the play of a shared part: called while it gets on, where its asker's thread plays it.
    var onProgress: () -> Void = {}

    /// For the play of a shared part: it and those that wait for it, outermost first; empty for a scenario.
    var chain: [SharedPart.Key] = []

    /// For the play of a shared part: what runs at its end.
    var afterAll: [LuaReference] = []

    /// Whether the play of a shared part was told to end.
    var isEnding = false

    /// For the play of a server that outlives scenarios: hears what would fail one.
    var onFailure: ((ScenarioFailure) -> Void)?

    /// Whether nobody outside of the play reaches its servers in virtual time: neither other users nor other scenarios.
    var isAlone: Bool { self.seat == nil && self.onFailure == nil }

    /// What `before_all` hooks returned.
    private(set) var sharedValues = JSONObject()

    /// Whether it is decided how the play went; what happens after that is not recorded.
    private(set) var isJudged = false

    /// The clients and the parties of servers, in the order in which they joined.
    private(set) var actors: [Actor] = []

    private var names = ActorNames()

    /// How many of the actors are clients; each event of a load test asks for it.
    private var clientCount = 0

    /// The servers that the scenario has started.
    var servers = PlayServers()

    /// The actors of the parties of servers.
    var parties: [PartyKey: Actor] = [:]

    /// Counts the points at which something can go wrong, and puts a fault at one; set before the play starts.
    var injector: FaultInjector?

    /// The network as the clients of the play have it.
    private(set) lazy var clientNetwork: PlayNetwork = {
        let injector = self.injector ?? self.settings.fault.map { FaultInjector($0) }
        injector?.nextTimer = { [unowned self] in
            self.actors.compactMap { ($0.backend as? ClientBackend)?.nextTimer }.min()
        }
        injector?.onStrike = { [unowned self, fault = injector?.fault] in self.struck(by: fault, at: $0) }
        return PlayNetwork(
            base: self.network, scheduler: self.worker,
            random: RandomSource(seed: self.seed).derived(for: "network"), conditions: self.settings.network,
            injector: injector)
    }()

    /// Sees the wire, if it is captured.
    private(set) lazy var wireObserver: WireRecorder? =
        self.settings.capture == .none ? nil : WireRecorder(play: self, capturesBytes: self.settings.capture == .bytes)

    /// The steps that have begun and not ended, by their numbers.
    var steps: [Int: ScenarioStep] = [:]

    /// How many steps there were so far.
    var stepCount = 0

    /// Creates a play.
    ///
    /// - Parameters:
    ///   - attempt: Which attempt at the scenario it is.
    ///   - seat: What it has if a virtual user plays it; nothing goes to a run record then.
    ///   - emit: Gets the entries of the run record.
    ///   - onEnd: Called once, when everything is torn down.
    init(
        _ definition: ScenarioDefinition, attempt: ScenarioAttempt, settings: PlaySettings, worker: Worker,
        network: any Network, engine: ScriptEngine, seat: UserSeat? = nil, emit: @escaping (RunEntry) -> Void,
        onEnd: @escaping (ScenarioEnd) -> Void
    ) {
        self.definition = definition
        self.attempt = attempt
        self.settings = settings
        self.worker = worker
        self.network = network
        self.engine = engine
        self.emit = emit
        self.onEnd = onEnd
        let runSeed = RunStart.seed(settings.seed, repetition: attempt.repetition ?? 1, attempt: attempt.number)
        self.seed = seat?.user.seed ?? RandomSource.seed(runSeed, for: definition.id)
        self.seat = seat
        self.destination = settings.destination
        self.startedAt = worker.now
    }

    /// The time since the scenario began, as an instant of its own time line.
    var now: Instant { self.worker.now.onTimeLine(startingAt: self.startedAt) }

    /// Returns an instant of the worker on the time line of the play.
    func instant(of instant: Instant) -> Instant { instant.onTimeLine(startingAt: self.startedAt) }

    /// Returns the line of a position in the scenario's own file.
    func ownLine(_ position: ScriptPosition) -> Int? { position.file == self.definition.file ? position.line : nil }

    /// Adds something to the run record.
    func record(_ happening: @autoclosure () -> Happening) {
        guard !self.isJudged, self.isAlone else { return }
        let happening = happening()
        self.hold(happening.weight, for: .record)
        self.report(.happened(scenario: self.attempt.index, atNanoseconds: self.now.nanoseconds, happening))
    }

    /// Whether the record says what a person would see; as with the wire, runs of very many scenarios leave it out.
    var recordsScreens: Bool { self.settings.capture != .none && self.seat == nil && !self.isJudged }

    private func report(_ entry: RunEntry) {
        guard self.seat == nil else { return }
        self.emit(entry)
    }

    /// Hears what the actors of a virtual user do and observe.
    var observer: (any PlayObserver)? { self.seat?.observer }

    /// Returns an actor as an observer knows it.
    func observed(_ actor: Actor) -> ObservedActor {
        ObservedActor(
            place: actor.place, name: actor.name, isClient: actor.isClient, clientCount: self.clientCount,
            partyCount: self.actors.count - self.clientCount, ledger: actor.ledger, startsItself: actor.startsItself,
            acknowledgements: actor.acknowledgements)
    }

    /// What must not be seen, as far as it is known now. The record is masked where it is written; what is cut or stored
    /// before is masked by whoever does that.
    var secrets: Secrets { self.settings.vault.current }

    /// Remembers what an actor did or observed; virtual users of load tests remember nothing.
    func remember(_ content: SaidAndSeen.Entry.Content, by actor: Actor) {
        guard self.seat == nil else { return }
        self.said.add(content, by: actor)
    }

    // MARK: Parts

    /// Begins to play.
    func start(_ file: ScriptFile) {
        self.reportStart()
        self.play(file)
    }

    /// Reports that the play begins.
    func reportStart() {
        self.emit(
            .scenarioStarted(
                ScenarioStart(
                    index: self.attempt.index, file: self.definition.file, line: self.definition.line,
                    titlePath: self.definition.titlePath, row: self.definition.row?.name,
                    repetition: self.attempt.repetition, tags: self.definition.tags, seed: self.seed,
                    attempt: self.attempt.number, atNanoseconds: 0)))
    }

    /// Takes a script as the one that is played.
    func adopt(_ script: Script) {
        self.script = script
        script.play = self
        for name in self.definition.options.allow {
            self.allow(EventMatcher(id: 0, kind: EventKind(rawValue: name), fields: []))
        }
    }

    private func play(_ file: ScriptFile) {
        let clock = self.settings.isVirtual ? "virtual" : "real"
        if let target = self.definition.options.target, self.settings.isVirtual {
            self.verdict.skipReason = "plays against the target \(target), in real time only; add --clock real"
            self.finish()
            return
        }
        if let wanted = self.definition.options.clock, wanted != clock {
            self.verdict.skipReason = "plays in \(wanted) time only"
            self.finish()
            return
        }
        if let reason = self.definition.options.skip {
            self.verdict.skipReason = reason
            self.finish()
            return
        }
        do throws(ScenarioFailure) {
            try self.findTarget()
            let script = try Script(
                file, selecting: self.definition, settings: self.settings, seed: self.seed, engine: self.engine)
            self.adopt(script)
            guard let selected = script.declarations.ready else {
                throw ScenarioFailure(
                    category: .error, typeName: "script",
                    message:
                        "the file did not declare this scenario again; declarations must not depend on what changes")
            }
            let shared = selected.shared.map {
                script.part(ofScope: $0.number, titlePath: $0.titlePath, line: $0.line)
            }
            self.useShared(shared[...]) {
                guard self.verdict.problems.isEmpty else { return self.runDeferred() }
                self.run(selected.before[...], of: script, unlessBroken: true) { self.runBody(selected, of: script) }
            }
        } catch {
            self.verdict.note(error)
            self.finish()
        }
    }

    /// Takes the target that the scenario's declaration names, where the command line names none.
    private func findTarget() throws(ScenarioFailure) {
        guard case .embedded = self.destination, let name = self.definition.options.target else { return }
        var problem: String?
        if self.seat != nil {
            problem = "a load test takes its target from the command line: add --target \(name)"
        } else if let target = self.settings.project.targets[name] {
            self.destination = .named(name, target)
        } else {
            problem =
                "there is no target \"\(name)\" in repartee.lua"
                + TextDistance.hint(name, among: self.settings.project.targets.keys.sorted())
        }
        guard let problem else { return }
        throw ScenarioFailure(
            category: .error, typeName: "script", message: problem,
            position: ScriptPosition(file: self.definition.file, line: self.definition.line))
    }

    private func useShared(_ parts: ArraySlice<SharedPart>, then next: @escaping () -> Void) {
        guard let part = parts.first, self.verdict.problems.isEmpty else { return next() }
        self.use(part) { result in
            guard !self.isEnded else { return }
            switch result {
            case .success(let value): self.sharedValues = self.sharedValues.merging(value.object ?? [:])
            case .failure(let failure): self.note(failure)
            }
            self.useShared(parts.dropFirst(), then: next)
        }
    }

    /// Runs hooks one after the other.
    ///
    /// - Parameter unlessBroken: Whether those that are left are passed over once the play is ended early.
    func run(
        _ hooks: ArraySlice<LuaReference>, of script: Script, unlessBroken: Bool, then next: @escaping () -> Void
    ) {
        guard let hook = hooks.first, !(unlessBroken && self.verdict.isBroken) else { return next() }
        self.runPart(hook, of: script, named: "hook", limit: self.settings.project.hookLimit) { _ in
            self.run(hooks.dropFirst(), of: script, unlessBroken: unlessBroken, then: next)
        }
    }

    /// Runs what was deferred, last first, whatever happens in it.
    func runDeferred() {
        guard let function = self.deferred.popLast(), let script = self.script else { return self.settle() }
        self.runPart(function, of: script, named: "teardown", limit: self.settings.project.hookLimit) { _ in
            self.runDeferred()
        }
    }

    private func runBody(_ selected: DeclarationCollector.Selected, of script: Script) {
        let after = { self.run(selected.after[...], of: script, unlessBroken: false) { self.runDeferred() } }
        guard self.verdict.isGood else { return after() }
        let limit = self.definition.options.timeout ?? self.settings.project.scenarioLimit
        self.runPart(selected.body, of: script, named: "scenario", limit: limit) { _ in after() }
    }

    /// Counts an assertion that the scenario makes, whatever comes of it.
    func countAssertion() {
        self.verdict.countAssertion()
    }

    /// Notes why the scenario does not pass.
    func note(_ failure: ScenarioFailure) {
        self.verdict.note(failure)
        if failure.isSoft { self.hold(Self.failureWeight + failure.message.utf8.count, for: .failures) }
    }

    /// About how many bytes a failure takes in the record and the reports, with the lines around it.
    private static let failureWeight = 4096

    /// Notes that something is held for the scenario, which ends with an error once that is too much.
    func hold(_ bytes: Int, for purpose: HostAccount.Purpose) {
        guard self.account.add(bytes, for: purpose), !self.isFull, !self.isJudged else { return }
        self.isFull = true
        if self.current != nil, let watch = self.script?.state.watch, let turn = watch.turn {
            // A script that never waits would go on for long.
            watch.stop(turn, because: self.account.excess)
        } else {
            self.trip(ScenarioFailure(category: .error, typeName: "limit", message: self.account.excess))
        }
    }

    /// Notes that something is held no longer.
    func release(_ bytes: Int, for purpose: HostAccount.Purpose) {
        self.account.remove(bytes, for: purpose)
    }

    /// Whether the same was noted already.
    func isNoted(_ failure: ScenarioFailure) -> Bool {
        self.verdict.problems.contains {
            $0.message == failure.message && $0.typeName == failure.typeName && $0.position == failure.position
        }
    }

    private func settle() {
        self.noteMissedFault()
        guard !self.actors.isEmpty else { return self.tearDown() }
        _ = self.worker.schedule(after: Self.settlingTime) {
            // What arrives meanwhile may make functions of the script run, which are not forgotten either.
            self.begin(
                PlayPart(name: "settling", limit: self.settings.project.hookLimit, returned: .nil) { _ in
                    if self.verdict.isGood, self.chain.isEmpty { self.judgeLeftovers() }
                    self.tearDown()
                })
        }
    }

    private func judgeLeftovers() {
        for actor in self.actors {
            let leftovers = actor.log.leftovers
            guard let first = leftovers.first else { continue }
            let report = ExpectationReport(
                actor: actor.name, log: actor.log, start: 0, secrets: self.secrets)
            let kinds = Set(leftovers.map { "\"\($0.event.kind.rawValue)\"" }).sorted().joined(separator: ", ")
            let count = leftovers.count == 1 ? "an event" : "\(leftovers.count) events"
            self.verdict.note(
                ScenarioFailure(
                    category: .failure, typeName: "leftover",
                    message:
                        "\(actor.name) observed \(count) that nothing expected, first #\(first.number) \(first.event.kind.rawValue)"
                        + (report.original(of: first).map { ", which repeats #\($0.number)" } ?? ""),
                    position: ScriptPosition(file: self.definition.file, line: self.definition.line),
                    sections: [
                        .init(
                            heading: "unexpected",
                            lines: [
                                "#\(first.number) \(first.event.kind.rawValue)  \(report.summary(of: first.event))"
                            ],
                            event: first.number)
                    ] + report.timelineSection(now: self.now) + [
                        .init(
                            heading: "remedy",
                            lines: ["expect it, or allow it: scenario(name, { allow = { \(kinds) } }, …)"])
                    ], actor: actor.name))
        }
    }

    private func tearDown() {
        self.isJudged = true
        // What handlers still wait for may never come, and no client would come to rest before.
        self.cancelThreads { $0.standsBy }
        for actor in self.actors { actor.backend?.tearDown() }
        self.awaitQuiet(until: self.worker.now + Self.tearDownLimit)
    }

    private func awaitQuiet(until deadline: Instant) {
        let isQuiet = self.actors.allSatisfy { $0.backend?.isQuiet ?? true }
        guard !isQuiet, self.worker.now < deadline else { return self.finish() }
        _ = self.worker.schedule(after: .milliseconds(5)) { self.awaitQuiet(until: deadline) }
    }

    /// Ends the play for good and reports how it went.
    func finish() {
        guard !self.isEnded else { return }
        self.cancelThreads()
        self.isEnded = true
        self.fixtures = FixtureBook()
        self.said.removeAll()
        self.deferred = []
        self.afterAll = []
        for actor in self.actors { actor.backend?.close() }
        for (key, _) in self.parties { self.leave(key) }
        self.servers.close(for: self)
        self.script?.close()
        self.writeAttachments()
        if self.settings.forbidsEmpty, self.chain.isEmpty { self.verdict.refuseEmptiness(of: self.definition) }
        let isEmpty = self.verdict.isEmpty && self.chain.isEmpty
        let (outcome, isRetriable) = self.verdict.decide(on: self.definition)
        let didFail = outcome == .failed || outcome == .error
        let end = ScenarioEnd(
            index: self.attempt.index, atNanoseconds: self.now.nanoseconds, outcome: outcome,
            problems: self.verdict.problems.map { self.problem($0) },
            isRetried: self.attempt.isRetriable && didFail && isRetriable,
            isEmpty: isEmpty && outcome == .passed)
        self.report(.scenarioEnded(end))
        self.actors = []
        self.names = ActorNames()
        self.endedThreads = [:]
        self.clientCount = 0
        self.servers = PlayServers()
        self.parties = [:]
        self.wireObserver?.end()
        self.script = nil
        self.onEnd(end)
    }

    private func problem(_ failure: ScenarioFailure) -> Problem {
        var failure = failure
        let network = self.clientNetwork.lines
        if !network.isEmpty { failure.sections.append(.init(heading: "network", lines: network)) }
        if let row = self.definition.row {
            failure.sections.append(.init(heading: "row", lines: row.lines(without: self.secrets)))
        }
        // Of the users of a load test thousands may fail in a second, and few of their failures are shown.
        let texts = self.script?.texts(withModules: self.seat == nil)
        return failure.problem(in: self.definition.file, line: self.definition.line, texts)
    }

    /// The first thing that went wrong so far.
    var firstProblem: ScenarioFailure? { self.verdict.problems.first }

    /// Ends the play early because of something outside of it, such as a signal or a deadlock.
    ///
    /// What runs is canceled; the hooks that come after it run, and conversations end on their servers. A play that is
    /// at its tear-down goes on with it.
    func end(because failure: ScenarioFailure) {
        guard !self.isEnded, let part = self.part else { return }
        self.verdict.isBroken = true
        var failure = failure
        failure.position = failure.position ?? part.thread?.wait?.position
        failure.sections.insert(self.pendingSection, at: 0)
        self.fail(part, because: failure)
    }

    /// Ends the play at once, without hooks and tear-down.
    func abandon(because failure: ScenarioFailure) {
        guard !self.isEnded else { return }
        self.verdict.isBroken = true
        if let timer = self.part?.timer { self.worker.cancel(timer) }
        self.part = nil
        self.verdict.note(failure)
        self.finish()
    }
}

// MARK: - Actors

extension ScenarioPlay {
    /// Lets events pass that nothing expects.
    func allow(_ matcher: EventMatcher) {
        self.allowed.append(matcher)
        for actor in self.actors { actor.allowLogged() }
    }

    /// Whether the scenario lets an event pass that nothing expects.
    func allows(_ event: ChatEvent) -> Bool {
        self.allowed.contains { $0.matches(event) }
    }

    /// Whether the scenario lets every event of a kind pass.
    func allowsAll(_ kind: EventKind) -> Bool {
        self.allowed.contains { ($0.kind ?? kind) == kind && $0.fields.isEmpty && $0.whole == nil }
    }

    /// Adds an actor under a name that no other has.
    ///
    /// - Parameter vocabulary: What it observes, where that is worked out already.
    func join(
        named wanted: String, system: ChatSystem, role: String, events: [EventDeclaration], noise: [EventPattern],
        vocabulary: ActorVocabulary? = nil
    ) -> Actor {
        let name = self.names.take(wanted)
        let vocabulary =
            vocabulary
            ?? self.engine.vocabulary("\(system.name) \(role)") {
                ActorVocabulary(events: events, noise: noise, absences: system.absences)
            }
        let actor = Actor(
            place: self.actors.count, isClient: role == system.clientName, name: name, vocabulary: vocabulary,
            play: self)
        self.actors.append(actor)
        if actor.isClient { self.clientCount += 1 }
        self.record(.actorJoined(name: name, system: system.name, role: role))
        return actor
    }
}
