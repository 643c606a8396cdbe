import JSON
import LuaRuntime
import Machines
import RunRecord
import Secrets
import Transport

/// One play of one scenario, or of a part that several scenarios share: it does what its ``ExecutionLifeCycle`` says.
///
/// What it consists of has types of its own: threads, phases, steps, fixtures, actors, servers, connections.
final class ScenarioExecution {
    let worker: Worker
    let engine: any ScriptHost
    let settings: ExecutionSettings
    let definition: ScenarioDefinition
    let seed: UInt64

    /// What the execution has if a virtual user plays it.
    let slot: VirtualUserSlot?

    private(set) var script: (any PlayedScript)?

    /// The threads that its script runs in.
    private(set) lazy var threads = ExecutionThreads(of: self)

    /// How its clients reach their servers.
    private(set) lazy var connections = ExecutionConnections(
        of: self, over: self.network, to: self.settings.destination)

    /// The steps that its script names.
    private(set) lazy var steps = ExecutionSteps(of: self)

    /// Looks whether what it waits for can still come.
    private(set) lazy var deadlocks = DeadlockDetector(of: self)

    /// Its actors, and what they did and observed.
    var cast = Cast()

    /// The servers that the scenario has started.
    var servers = ExecutionServers()

    /// What it has to do with the parts that scenarios share.
    var shared = SharedRole()

    /// What really carries the bytes.
    let network: any Network

    private let attempt: ScenarioAttempt
    private let emit: (RunEntry) -> Void
    private let onEnd: (ScenarioEnd) -> Void
    private let startedAt: Instant
    private var lifeCycle = ExecutionLifeCycle()
    private var verdict = ExecutionVerdict()
    private var checks = CheckResults()
    @Boxed private var tryEvidence: TryEvidence?
    private var functions = ExecutionFunctions()
    @Boxed private var making: SharedMaking?
    private lazy var phases = PhaseRunner(of: self)

    /// Whether a hook, the body or a deferred function runs, with what it has spawned.
    var isInPhase: Bool { self.phases.isRunning }
    private lazy var fixtures = ExecutionFixtures(of: self)

    /// How long the conversations took to end and what for, if that was long.
    @Boxed private var slowTearDown: String?

    /// What runs at the end, last first.
    private var deferred = DeferredFunctions()

    /// What is held for the scenario outside of its script's memory.
    private let account: HostAccount

    /// What was attached to the reports so far.
    private var attachments = Attachments()

    /// Creates an execution.
    ///
    /// - Parameters:
    ///   - attempt: Which attempt at the scenario it is.
    ///   - slot: What it has if a virtual user plays it; nothing goes to a run record then.
    ///   - emit: Gets the entries of the run record, but for the last.
    ///   - onEnd: Gets the end, once, when everything is torn down; it is for whoever keeps a record to add it.
    init(
        _ definition: ScenarioDefinition, attempt: ScenarioAttempt, settings: ExecutionSettings, worker: Worker,
        network: any Network, engine: any ScriptHost, slot: VirtualUserSlot? = nil, emit: @escaping (RunEntry) -> Void,
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
        self.seed = slot?.user.seed ?? RandomSource.seed(runSeed, for: definition.id)
        self.slot = slot
        self.startedAt = worker.now
        self.account = HostAccount(limit: settings.project.heldMemoryLimit)
    }

    /// The time since the scenario began, as an instant of its own time line.
    var now: Instant { self.worker.now.onTimeLine(startingAt: self.startedAt) }

    /// The time in milliseconds since 1970 UTC that clients and servers go by, too: several executions of a worker
    /// share it, whenever each began.
    var epochMilliseconds: Int64 { self.worker.now.onWallClock(startingAt: self.settings.epochMilliseconds) }

    /// Returns an instant of the worker on the time line of the execution.
    func instant(of instant: Instant) -> Instant { instant.onTimeLine(startingAt: self.startedAt) }

    /// Whether nobody outside of the execution reaches its servers in virtual time: neither other users nor other
    /// scenarios.
    var isAlone: Bool { self.slot == nil && self.threads.onFailure == nil }

    /// Which events its actors keep; a module that is read later may ask for more of them.
    var retention: EventRetention {
        EventRetention(isLoadUser: self.slot != nil, readsHistory: self.script?.readsHistory == true)
    }

    /// What it shows as one of several tries, once it has ended.
    var evidence: TryEvidence? { self.tryEvidence }

    /// Which time this is that the scenario is played; nil if it is played once.
    var repetition: Int? { self.attempt.repetition }

    /// Whether everything is torn down.
    var isEnded: Bool { self.lifeCycle.isEnded }

    /// Whether it is ended because of something outside of it, in the middle of whatever its clients do.
    var isBrokenOff: Bool { self.verdict.isBroken }

    /// Whether it is decided how the execution went; what happens after that is not recorded.
    var isJudged: Bool { self.lifeCycle.isJudged }

    /// Whether what happens is recorded.
    var isRecorded: Bool { !self.isJudged && self.isAlone }

    /// Whether the function of the scenario runs and nothing has failed.
    var isGoingWell: Bool { self.lifeCycle.isInBody && self.verdict.problems.isEmpty }

    /// Whether what comes is kept: no longer once it is judged, or more is held than may be, for a server may go on
    /// sending until the conversation has ended.
    var keepsWhatComes: Bool { !self.isJudged && !self.account.isToldOf }

    /// Where its servers are.
    var destination: ExecutionSettings.Destination { self.connections.destination }

    /// Hears what the actors of a virtual user do and observe.
    var observer: (any ExecutionObserver)? { self.slot?.observer }

    /// What must not be seen, as far as it is known now. The record is masked where it is written; what is cut or
    /// stored before is masked by whoever does that.
    var secrets: SecretMasker { self.settings.vault.current }

    // MARK: Life cycle

    /// Begins to play a scenario.
    func start(_ file: ScriptFile) {
        self.reportStart()
        do throws(ScenarioFailure) {
            try self.connections.checkTarget()
            if let reason = self.definition.options.reasonToSkip(isVirtual: self.settings.isVirtual) {
                throw ScenarioFailure.skipped(reason)
            }
            try self.attempt.baseline?.requireSame(
                self.definition.fingerprint.map(self.secrets.withoutValues), in: self.definition)
            try self.connections.findTarget()
            let script = try self.engine.load(
                file, selecting: self.definition, settings: self.settings, seed: self.seed)
            self.adopt(script)
            guard let functions = script.takeSelected() else {
                throw ScenarioFailure(
                    category: .error, kind: .script, message: Self.missing("this scenario"))
            }
            self.functions = functions
        } catch {
            self.verdict.note(error)
            return self.advance(.notPlayed)
        }
        self.advance(.loaded(self.functions.outline))
    }

    /// Begins to play a shared part.
    ///
    /// - Parameters:
    ///   - chain: The parts that wait for it.
    ///   - completion: Gets the value; the execution then waits for ``endSharedPart()``.
    func start(_ part: SharedPart, chain: [SharedPart.Key], completion: @escaping (SharedValue) -> Void) {
        self.shared.become(part, for: chain)
        self.reportStart()
        do throws(ScenarioFailure) {
            let script = try self.engine.load(
                part.file, selecting: nil, settings: self.settings, seed: self.seed)
            self.adopt(script)
            guard let functions = script.functions(of: part.kind) else {
                throw ScenarioFailure(
                    category: .error, kind: .script, message: Self.missing(part.description))
            }
            self.functions = ExecutionFunctions(before: functions.before, after: functions.after)
            self.making = SharedMaking(functions, completion: completion)
        } catch {
            self.note(error)
            completion(SharedValue(result: .failure(error)))
            return self.advance(.notPlayed)
        }
        self.advance(.loaded(self.functions.outline))
    }

    /// Says that a file that was loaded once more declares something no longer.
    private static func missing(_ what: String) -> String {
        "the file did not declare \(what) again; declarations must not depend on what changes"
    }

    /// Takes a script as the one that is played.
    func adopt(_ script: any PlayedScript) {
        self.script = script
        script.execution = self
        for name in self.definition.options.allow {
            self.allow(EventMatcher(id: 0, kind: EventKind(rawValue: name), fields: []))
        }
    }

    /// Lets a shared part run what it does at its end, and tears its conversations down.
    func endSharedPart() {
        // What went wrong in a handler of its servers while scenarios used them has ended no phase, for none runs.
        if let tripped = self.threads.takeTripped(), !self.isNoted(tripped) { self.note(tripped) }
        self.advance(.endRequested)
    }

    /// Ends the execution early because of something outside of it, such as a signal or a deadlock.
    ///
    /// What runs is canceled; the hooks that come after it run, and conversations end on their servers. An execution
    /// that is at its tear-down goes on with it.
    func end(because failure: ScenarioFailure) {
        guard !self.isEnded, self.phases.isRunning else { return }
        self.verdict.isBroken = true
        self.phases.fail(because: self.placed(failure))
    }

    /// What the reports would say if the execution were ended now; nil if nothing of it plays any more.
    func problem(ifEndedBecause failure: ScenarioFailure) -> Problem? {
        !self.isEnded && self.phases.isRunning ? self.placed(failure).problem(in: self) : nil
    }

    /// What has gone wrong so far, as ``ScenarioEnd/endingProblem`` is of what has in the end; nil if nothing has.
    var endingProblem: Problem? { self.verdict.endingProblem?.problem(in: self) }

    /// Returns a failure from outside with where the script stands and what it waits for.
    private func placed(_ failure: ScenarioFailure) -> ScenarioFailure {
        var failure = failure
        failure.position = failure.position ?? self.phases.position
        failure.sections.insert(self.phases.pendingSection, at: 0)
        return failure
    }

    /// Ends the play at once, without hooks and tear-down.
    func abandon(because failure: ScenarioFailure) {
        guard !self.isEnded else { return }
        self.verdict.isBroken = true
        self.phases.drop()
        self.verdict.note(failure)
        self.advance(.abandoned)
    }

    private func advance(_ input: ExecutionLifeCycle.Input) {
        // Others than actors may have called a server. What has gone wrong already is told without a wait for them.
        let hasServers = self.verdict.isGood && self.servers.count > 0
        let standing = ExecutionLifeCycle.Standing(
            hasProblems: !self.verdict.problems.isEmpty, isSkipped: self.verdict.skipReason != nil,
            isBroken: self.verdict.isBroken, hasDeferred: !self.deferred.isEmpty,
            needsJudging: self.cast.needsJudging || hasServers)
        let hookLimit = self.settings.project.hookLimit
        switch self.lifeCycle.handle(input, standing) {
        case .none: break
        case .useSharedHooks(let place): self.useSharedHooks(self.functions.sharedHooks[place])
        case .runBefore(let place): self.run(self.functions.before[place], named: "hook", limit: hookLimit)
        case .runBody:
            let limit = self.definition.options.timeout ?? self.settings.project.scenarioLimit
            if let body = self.functions.body { self.run(body, named: "scenario", limit: limit) }
        case .runAfter(let place): self.run(self.functions.after[place], named: "hook", limit: hookLimit)
        case .runDeferred: self.run(self.deferred.next(), named: "teardown", limit: hookLimit)
        case .settle(let waiting):
            self.connections.noteBegunMessages()
            self.observer?.scriptEnded(at: self.worker.poolNow)
            let waiting = waiting || self.connections.mayComplete
            Settling.begin(in: self, waiting: waiting) { self.advance(.stepEnded) }
        case .join:
            // What arrives meanwhile may make functions of the script run, which are not forgotten either.
            self.phases.begin(
                ExecutionPhase(name: "settling", limit: hookLimit, returned: .nil) { _ in self.advance(.stepEnded) })
        case .tearDown(let judging):
            guard judging else { return self.judgeFaults(besides: []) }
            let failures = self.cast.unkeptDemands + Leftovers.failures(in: self) + self.cast.lapses(in: self)
            LapseSearch.find(in: self) { self.judgeFaults(besides: $0 + failures) }
        case .finish: self.finish()
        case .makeValue(let place): self.makeValue(self.functions.before[place])
        case .giveValue: self.giveValue()
        }
    }

    /// Looks whether the faults that the script has ordered have struck, and tears down.
    ///
    /// - Parameter failures: What else is wrong at the end; empty if nothing was looked for.
    private func judgeFaults(besides failures: [ScenarioFailure]) {
        // A fault of the network may keep away what those are for that the script has ordered.
        guard self.verdict.isGood, !self.connections.hasInjectedFault else { return self.tearDown(failures) }
        let idle = self.connections.network.findIdleOrders()
        FaultOrder.findMistakes(in: self.servers.ownOrders) { self.tearDown($0 + idle + failures) }
    }

    private func tearDown(_ failures: [ScenarioFailure]) {
        guard !self.isEnded else { return }
        for failure in failures { self.verdict.note(failure) }
        // What handlers still wait for may never come, and no client would come to rest before.
        self.threads.cancelAll { $0.standsBy }
        for actor in self.actors { actor.backend?.tearDown() }
        self.awaitQuiet(
            TearDownWait(since: self.worker.now, isNoticed: !self.worker.isVirtual && self.slot == nil))
    }

    /// Runs a function of the script; what it returns is nobody's.
    private func run(_ function: LuaReference, named name: String, limit: Duration) {
        guard let script = self.script else { return }
        self.phases.run(function, of: script, named: name, limit: limit) { _ in self.advance(.stepEnded) }
    }

    private func useSharedHooks(_ part: SharedPart) {
        self.use(part) { result in
            guard !self.isEnded else { return }
            switch result {
            case .success(let value): self.shared.take(value)
            case .failure(let failure): self.note(failure)
            }
            self.advance(.stepEnded)
        }
    }

    private func makeValue(_ function: LuaReference) {
        guard let script = self.script else { return }
        let limit = self.making?.limit ?? self.settings.project.hookLimit
        self.phases.run(function, of: script, named: self.shared.functionName, limit: limit) { [weak self] returned in
            guard let self else { return }
            do throws(ScenarioFailure) {
                try self.making?.take(returned, of: self.definition)
            } catch { self.note(error) }
            self.advance(.stepEnded)
        }
    }

    private func giveValue() {
        let making = self.making
        self.making = nil
        making?.give(unless: self.verdict.obstacle)
        self.advance(.stepEnded)
    }

    private func awaitQuiet(_ wait: TearDownWait) {
        var wait = wait
        let busy = self.actors.first { !($0.backend?.isQuiet ?? true) }
        // All that still runs by now was begun by handlers while the conversations ended.
        let name = busy?.name ?? (self.threads.isAtRest ? nil : "what handlers have spawned")
        let goesOn = wait.goesOn(at: self.worker.now, for: name) { busy?.backend?.pending.first }
        self.slowTearDown = wait.slowness
        guard goesOn else { return self.hearOutServers() }
        _ = self.worker.schedule(after: TearDownWait.interval) { [wait] in self.awaitQuiet(wait) }
    }

    /// Lets servers that other processes play tell what went wrong in them as their clients left: they say that before
    /// they answer.
    private func hearOutServers() {
        guard self.verdict.isGood else { return self.advance(.stepEnded) }
        self.servers.findDistantLapses(in: self) { failures in
            guard !self.isEnded else { return }
            // What their functions passed over is judged before, as it is of those here.
            for failure in failures where failure.category == .error { self.verdict.note(failure) }
            self.advance(.stepEnded)
        }
    }

    /// Lets go of everything and reports how the execution went.
    private func finish() {
        self.threads.cancelAll()
        if self.lifeCycle.isJudged, self.verdict.isGood {
            for failure in self.cast.lapsesOfGoodbyes(in: self) { self.verdict.note(failure) }
        }
        self.fixtures.removeAll()
        self.deferred = DeferredFunctions()
        self.functions = ExecutionFunctions()
        self.making = nil
        for actor in self.actors { actor.backend?.close() }
        for key in self.cast.partyKeys { self.servers.shared(key.server)?.detach(key.party) }
        self.slot?.servers.take(self.servers.sharedOrders, ofPassing: self.verdict.isGood)
        self.servers.close(for: self)
        self.script?.close()
        if let failure = self.attachments.leave(in: self.settings.files.attachments, without: self.secrets) {
            self.verdict.note(failure)
        }
        let isScenario = self.shared.isScenario
        // What goes over connections as they are closed counts, too; a scenario that does not pass says enough.
        if isScenario, self.verdict.isGood, let missed = self.connections.missedFault { self.verdict.note(missed) }
        if self.settings.forbidsEmpty, isScenario { self.verdict.refuseEmptiness(of: self.definition) }
        self.verdict.refuseSkip(ofAttempt: self.attempt.number, after: self.attempt.reason)
        let (outcome, isRetriable) = self.verdict.decide(on: self.definition)
        var end = self.attempt.end(
            outcome, because: self.verdict.problems.map { $0.problem(in: self) }, isRetriable: isRetriable,
            isEmpty: isScenario && self.verdict.isEmpty, at: self.now)
        end.slowTearDown = self.slowTearDown
        if self.attempt.isTry {
            self.tryEvidence = TryEvidence(
                number: self.attempt.number, isWhole: isRetriable, checks: self.checks,
                texts: self.script?.texts(withModules: true))
        }
        self.cast = Cast()
        self.threads.forgetOutcomes()
        self.servers = ExecutionServers()
        self.connections.end()
        self.script = nil
        self.onEnd(end)
    }

    // MARK: Actors

    /// The clients and the parties of servers, in the order in which they joined.
    var actors: [Actor] { self.cast.actors }

    /// How many events each had observed before an instant of the worker: none if the execution began later, whose
    /// expectations are of something else.
    func eventCounts(before instant: Instant) -> [(actor: Actor, count: Int)] {
        let instant = self.instant(of: instant)
        return instant < .start ? [] : self.actors.map { (actor: $0, count: $0.log.place(from: instant)) }
    }

    /// Lets events pass that nothing expects.
    ///
    /// - Parameter position: Where the script asks for it by itself; nil for what else waits for them.
    func allow(_ matcher: EventMatcher, at position: ScriptPosition? = nil) {
        self.cast.allow(matcher, at: position)
        for actor in self.actors { actor.allowLogged() }
    }

    /// Whether what actors do and observe is remembered: by a user of a load test only if its script asks for it.
    var remembersConversation: Bool { self.retention == .all }

    /// Remembers what an actor did or observed.
    func remember(_ content: ConversationEntry.Content, by actor: Actor) {
        guard self.remembersConversation else { return }
        self.cast.said.append(ConversationEntry(actor: actor, content: content))
    }

    // MARK: What goes wrong

    /// Counts an assertion that the scenario makes, whatever comes of it.
    func countAssertion() {
        self.verdict.countAssertion()
    }

    /// Notes that the scenario came to a soft check.
    func noteCheck(at position: ScriptPosition?, holds: Bool) {
        guard self.attempt.isTry, let position else { return }
        if self.checks.note(position, holds: holds) {
            self.hold(CheckResults.weight(of: position), for: .failures)
        }
    }

    /// Notes why the scenario does not pass.
    func note(_ failure: ScenarioFailure) {
        // A server with a script of its own has no verdict: what is wrong in it goes to those who use it.
        guard self.threads.onFailure == nil else { return self.threads.trip(failure) }
        // What has declined already may ask again for a fixture that does.
        let isLate = self.lifeCycle.isPlayed && self.verdict.skipReason == nil
        var failure = isLate ? failure.refusingSkip : failure
        if self.verdict.problems.isEmpty {
            if let unexpected = self.cast.unexpected(beside: failure, in: self) { failure.sections.append(unexpected) }
            failure.sections += self.connections.circumstances(of: failure)
        }
        self.verdict.note(failure, inHook: self.lifeCycle.isInHook)
        if failure.isSoft { self.hold(failure.weight, for: .failures) }
    }

    /// Whether the same was noted already.
    func isNoted(_ failure: ScenarioFailure) -> Bool { self.verdict.has(failure) }

    /// Notes that something is held for the scenario, which ends with an error once that is too much.
    func hold(_ bytes: Int, for purpose: HostAccount.Purpose) {
        guard self.account.add(bytes, for: purpose), !self.account.isToldOf, !self.isJudged else { return }
        self.account.isToldOf = true
        if self.threads.current != nil, let watch = self.script?.state.watch, let turn = watch.turn {
            // A script that never waits would go on for long.
            watch.stop(turn, because: self.account.excess)
        } else {
            self.threads.trip(ScenarioFailure(category: .error, kind: .limit, message: self.account.excess))
        }
    }

    /// Notes that something is held no longer; unless it is told how much, nothing is for the purpose.
    func release(_ bytes: Int? = nil, for purpose: HostAccount.Purpose) {
        if let bytes { self.account.remove(bytes, for: purpose) } else { self.account.removeAll(for: purpose) }
    }

    // MARK: Record

    /// Adds something to the run record.
    func record(_ runEvent: @autoclosure () -> RunEvent) {
        guard self.isRecorded else { return }
        let runEvent = RecordLimit.cut(runEvent()) { self.secrets.masked($0) }
        self.hold(runEvent.weight, for: .record)
        self.emit(.happened(scenario: self.attempt.index, atNanoseconds: self.now.nanoseconds, runEvent))
    }

    /// Whether the record says what a person would see; as with the wire, runs of very many scenarios leave it out.
    var recordsScreens: Bool { self.settings.capture != .none && self.slot == nil && !self.isJudged }

    private func reportStart() {
        self.emit(.scenarioStarted(self.attempt.start(of: self.definition, seed: self.seed)))
    }

    /// Attaches a file to the reports of the scenario; virtual users of load tests, who have none, attach nothing.
    func attach(_ bytes: [UInt8], named name: String, type: String?) throws(UsageError) {
        if let type { try Attachments.check(mediaType: type) }
        guard let folder = self.settings.files.attachments, self.isAlone else { return }
        guard self.shared.isScenario else {
            throw UsageError(
                "t:attach: what several scenarios share has no report of its own; attach the file in the scenario")
        }
        // The file lies on disk under it, and its link must lead there.
        let name = self.secrets.masked(name)
        let file = try self.attachments.add(bytes, named: name, scenario: self.attempt.index)
        self.hold(bytes.count, for: .record)
        self.record(
            .attached(
                name: name, path: folder.name(of: file), mediaType: type ?? Attachments.mediaType(of: name, bytes)))
    }

    // MARK: Script

    /// Fails the scenario for a handler of a system, which may run while the conversation is torn down as well.
    ///
    /// A client that repeats a call then makes it go wrong in the same way again and again, and that is told once.
    func fail(because failure: ScenarioFailure) {
        if self.lifeCycle.isTearingDown, self.threads.onFailure == nil {
            if !self.verdict.countAgain(failure) { self.note(failure) }
        } else {
            self.threads.trip(failure)
        }
    }

    /// Fails the scenario for what came while its clients said goodbye: once for each of them.
    func failGoodbye(_ failure: ScenarioFailure) {
        if self.lifeCycle.isTearingDown, !self.isNoted(failure) { self.note(failure) }
    }

    /// Takes note that a thread has ended, or waits for its system alone: the phase may be at its end.
    func endPhaseIfJoined() {
        self.phases.endIfJoined()
    }

    /// Runs a function of the script at the end, before those that were deferred earlier.
    ///
    /// - Throws: A mistake if deferred functions go on deferring.
    func `defer`(_ function: LuaReference) throws(HostError) {
        try self.deferred.add(function)
    }

    /// Gives the value of a fixture of the scenario; its body runs when it is first asked for.
    ///
    /// - Returns: How to stop waiting.
    /// - Throws: A mistake if fixtures use each other.
    func use(
        _ fixture: FixtureDeclaration, completion: @escaping (Result<LuaValue, ScenarioFailure>) -> Void
    ) throws(HostError) -> () -> Void {
        try self.fixtures.use(fixture, completion: completion)
    }

    /// Gives the value of something that several scenarios share.
    func use(_ part: SharedPart, completion: @escaping (Result<JSONValue, ScenarioFailure>) -> Void) {
        // A value may be there at once, and the execution takes it into its role.
        let shared = self.shared
        shared.value(of: part, for: self, completion: completion)
    }
}
