import Machines
public import Metrics
import RunRecord
public import Scenario
import Secrets
import Transport

/// Plays scenarios as the users of a plan on one pool, and measures.
///
/// Once begun it asks the pacing what is to be done, does it, and comes back when the pacing says; whatever a user's
/// end makes possible is done at once.
public final class LoadRun {
    /// What a run came to.
    public struct Conclusion: Sendable {
        /// What was measured, and how the run ended.
        public var result: ShardResult
        /// What became of the planned starts.
        public let starts: PacingAccount
        /// What was not as it should be and ended nothing: figures that could not be counted, users without a row of
        /// data, rooms that were not together.
        public let warnings: [String]
        /// What is to be said of texts once all cores are put together.
        let remarks: TextRemarks
        /// Whom storms have met, to be judged once all cores are put together; empty where nothing can be said of that.
        var storms: [StormTally] = []
        /// How many iterations there were, if each was a mistake of the script; nil otherwise, and for a part of a run.
        var mistakeCount: Int?
    }

    private struct Playing {
        let execution: VirtualUserPool.ExecutionID
        let start: PacingAction.Start
        let recorder: UserRecorder
    }

    /// How far the run is.
    private enum State {
        /// Waits until the pacing says that something is to be done, or a user ends.
        case waiting
        /// Does what the pacing says; what that makes possible is done after it.
        case acting
        /// The last user has gone; what users shared is torn down.
        case ending
        /// The conclusion has been handed on.
        case concluded
    }

    /// How often the generator looks at its own timers.
    private static let heartbeat = Duration.milliseconds(10)

    /// How often a run in virtual time, whose timers are never late, looks whether it is to end.
    private static let virtualHeartbeat = Duration.seconds(1)

    /// A turn of the loop that takes this long is noted as a stall.
    private static let leastStall = Duration.milliseconds(20)

    /// How long users may take to finish after an interruption.
    private static let interruptedStop = Duration.seconds(5)

    private let suite: ScenarioSuite
    private let settings: LoadSettings
    private let pool: VirtualUserPool
    private let recorder: LoadRecorder
    private let probe: any GeneratorProbe
    private let interruption: Interruption
    private let onProgress: (LoadProgress) -> Void
    private let onCheckpoint: (() -> ShardResult) -> Void
    private let onEnd: (Conclusion) -> Void
    private let feeder: DataFeeder
    private let rowColumns: [String]
    private let details: UserDetails
    private let rooms: RoomRegister
    private lazy var storms = StormPlay(
        self.settings.storms, calm: self.settings.execution.disturbance.network ?? .undisturbed, pool: self.pool,
        now: { [unowned self] in self.now })
    /// Whether users reach servers of this process alone.
    private let areServersSimulated: Bool
    /// How many users can meet at a barrier; nil where that is not known.
    private let mostUsers: Int?
    private var pacing: RunPacing
    private var playing: [Int: Playing] = [:]
    /// The most users that played at once since they were counted last.
    private var mostPlaying = 0
    private var wake: (timer: ScheduledID, due: Instant)?
    private var problems: ProblemTally
    private var mistakes = MistakeWatch()
    private var rowless: RowlessIterations
    private var failureCount = 0
    /// How many of the arrivals that were kept back have been recorded.
    private var unmetCount = 0
    private var scriptTimes = (script: Duration.zero, collection: Duration.zero)
    private var traffic: TrafficAccount
    private var ending = ShardResult.Ending.finished
    private var annotations: [ShardResult.Annotation] = []
    private var state = State.waiting

    /// The first user who was broken off before it had ended an iteration, or stuck.
    private var brokenOff: PacingAccount.BrokenOffUser?

    /// Creates a run; ``begin()`` starts it.
    ///
    /// - Parameters:
    ///   - suite: The scenarios of the file.
    ///   - settings: Who starts when, and what is measured.
    ///   - pool: Where users play.
    ///   - probe: Tells what the process takes.
    ///   - interruption: Ends the run early: users may finish, but not for long; a second request breaks them off.
    ///   - onProgress: Called once a second of the run's time, which is far more often where that is virtual.
    ///   - onCheckpoint: Called as often, with what makes the result as it would be if the run were killed now.
    ///   - onEnd: Called once, when the last user has gone.
    public init(
        _ suite: ScenarioSuite, settings: LoadSettings, pool: VirtualUserPool, probe: any GeneratorProbe,
        interruption: Interruption, onProgress: @escaping (LoadProgress) -> Void = { _ in },
        onCheckpoint: @escaping (() -> ShardResult) -> Void = { _ in },
        onEnd: @escaping (Conclusion) -> Void
    ) {
        self.suite = suite
        self.settings = settings
        self.pool = pool
        self.probe = probe
        self.interruption = interruption
        self.onProgress = onProgress
        self.onCheckpoint = onCheckpoint
        self.onEnd = onEnd
        self.areServersSimulated = !settings.execution.destination.isRemote && !suite.speaksToRealServers
        self.mostUsers = suite.mentions.areUsersOneThread ? settings.plan.mostUsersAtOnce : nil
        self.pacing = RunPacing(settings.plan)
        let phases = settings.phases
        self.traffic = TrafficAccount(phases: phases)
        self.recorder = LoadRecorder(
            phases: phases, run: settings.run, usesLedger: settings.usesLedger,
            vault: settings.execution.vault, timedPart: settings.timedPart, userCount: settings.plan.userCount,
            thresholds: settings.thresholds)
        self.rowColumns = RowColumns.names(of: settings.rows)
        self.details = UserDetails(plan: settings.plan, rows: settings.rows)
        self.rooms = RoomRegister(plan: settings.plan)
        self.feeder = DataFeeder(
            settings.rowOrder, rows: settings.rows.count, users: settings.plan.userCount, seed: settings.plan.seed,
            name: "rows")
        self.problems = ProblemTally(vault: settings.execution.vault)
        self.rowless = RowlessIterations(rows: settings.rows.count)
    }

    /// Whether the last user has gone.
    private var hasEnded: Bool {
        switch self.state {
        case .waiting, .acting: false
        case .ending, .concluded: true
        }
    }

    /// The time since the run began.
    private var now: Instant { self.pool.now.onTimeLine(startingAt: self.recorder.origin) }

    /// Begins.
    ///
    /// - Parameter origin: What the time of the run counts from; now if nil. Parts of a run whose users talk to each
    ///   other need the same one, for a text carries when it was sent by the time line of its sender.
    public func begin(at origin: PoolInstant? = nil) {
        self.recorder.origin = origin ?? self.pool.now
        self.probe.begin()
        if self.settings.execution.isVirtual {
            self.beatVirtually()
        } else {
            self.beat(due: self.now + Self.heartbeat)
        }
        self.countFromNothing()
        self.storms.begin()
        self.tick()
        self.drain()
    }

    /// Lets the counts that can be in this run begin at 0, so that one that stays there can be judged; in one part of
    /// it, for all parts together measure what one process does.
    private func countFromNothing() {
        guard self.settings.plan.shard.index == 1 else { return }
        for count in [BuiltInMetric.errors, .skipped, .brokenOff, .dataSent, .dataReceived, .httpRepeated] {
            self.recorder.record(count, 0, role: nil, at: self.now)
        }
        if self.settings.plan.shape.hasArrivals { self.recorder.record(.droppedArrivals, 0, role: nil, at: self.now) }
        if self.feeder.rows > 0 { self.recorder.record(.iterationsWithoutRow, 0, role: nil, at: self.now) }
    }

    /// Ends the run before its time.
    ///
    /// - Parameter within: How long users may take to finish; zero breaks them off.
    public func interrupt(within: Duration? = nil) {
        self.stop(.interrupted, within: within)
    }

    /// Ends the run because of a threshold that may, or of mistakes of the script; users are broken off.
    public func abort(_ ending: ShardResult.Ending) {
        self.stop(ending, within: .zero)
    }

    private func stop(_ ending: ShardResult.Ending, within: Duration?) {
        guard !self.hasEnded else { return }
        if self.ending == .finished {
            self.ending = ending
            let label =
                switch ending {
                case .aborted: "a threshold ends the run"
                case .mistaken: "mistakes of the script end the run"
                case .finished, .interrupted, .unfinished: "stopped from outside"
                }
            self.annotations.append(.init(startMicroseconds: self.now.microseconds, label: label))
        }
        self.pacing.stop(at: self.now, within: within)
        self.drain()
    }

    // MARK: Pacing

    private func drain() {
        guard self.state == .waiting else { return }
        self.state = .acting
        while let action = self.pacing.next(at: self.now) { self.perform(action) }
        self.state = .waiting
        if self.pacing.isFinished, self.playing.isEmpty { return self.end() }
        self.arm()
    }

    private func arm() {
        guard let due = self.pacing.wake else { return }
        if let wake = self.wake {
            guard due < wake.due else { return }
            self.pool.cancel(wake.timer)
        }
        let timer = self.pool.schedule(after: due - self.now) { [weak self] in
            self?.wake = nil
            self?.drain()
        }
        self.wake = (timer, due)
    }

    private func perform(_ action: PacingAction) {
        switch action {
        case .start(let start): self.start(start)
        case .stop(let user): if let playing = self.playing[user] { self.pool.stop(playing.execution) }
        case .resume(let user): if let playing = self.playing[user] { self.pool.resume(playing.execution) }
        case .abort(let user, let isShort):
            guard let playing = self.playing.removeValue(forKey: user) else { return }
            if self.brokenOff == nil, isShort {
                self.brokenOff = self.pool.standing(of: playing.execution).map { problem in
                    .init(user: user, detail: self.settings.execution.vault.current.masked(problem).detail)
                }
            }
            self.breakOff(playing, as: self.settings.plan.user(user)?.role)
        }
    }

    /// Breaks off the iteration of a user that does not play any more. What has gone wrong in it by then fails it; what
    /// comes of breaking it off is the end of its time, and no failure.
    private func breakOff(_ playing: Playing, as role: String?) {
        let (user, now) = (playing.start.user, self.now)
        if let problem = self.pool.problem(of: playing.execution) {
            self.recorder.record(.iterations, 1, role: role, at: now)
            self.recorder.record(.failures, 1, role: role, at: now)
            if self.isCounted(isError: problem.category == .error, at: now) {
                self.failureCount += 1
                self.problems.add(problem, of: user, at: now)
            }
        } else {
            self.recorder.record(.brokenOff, 1, role: role, at: now)
        }
        self.storms.ended(user)
        playing.recorder.brokenOff(at: now)
        self.pool.abort(playing.execution)
    }

    /// Whether what goes wrong at an instant fails the run. Figures of the warm-up are kept apart by their phase; why
    /// users failed is not. A mistake of the script is no matter of a cold server.
    private func isCounted(isError: Bool, at now: Instant) -> Bool {
        isError || now.microseconds >= self.settings.plan.shape.warmUp.microseconds
    }

    private func start(_ start: PacingAction.Start) {
        guard let user = self.settings.plan.user(start.user), let member = self.member(of: user) else {
            self.pacing.ended(user: start.user, at: self.now, yield: .nothing)
            return
        }
        self.recorder.record(.startDelay, self.now - start.intended, role: user.role, at: self.now)
        let observer = UserRecorder(
            user, room: user.room.map { self.rooms.attendance(of: $0) }, begin: self.now, recorder: self.recorder)
        let execution = self.pool.play(
            member, as: self.context(of: user, start), observer: observer,
            onEnd: { [weak self] end in
                guard let self else { return }
                observer.ended(at: self.now)
                self.ended(observer.user, start, end, scriptEnd: observer.scriptEnd)
            })
        self.playing[start.user] = Playing(execution: execution, start: start, recorder: observer)
        self.mostPlaying = max(self.mostPlaying, self.playing.count)
        self.storms.began(user, execution, observer)
    }

    /// The scenario that a user plays; the command has checked that there is one for each.
    private func member(of user: VirtualUser) -> ScenarioSuite.Member? {
        guard let name = user.scenario else { return self.suite.members.first }
        return self.suite.members.first { $0.definition.title == name }
    }

    private func context(of user: VirtualUser, _ start: PacingAction.Start) -> UserContext {
        let turn = self.settings.plan.workloads[user.workload].turn(of: start)
        let row = self.feeder.row(user: user.number, inTurnOf: turn.user, draw: turn.draw)
        if row == nil, self.feeder.rows > 0 {
            self.rowless.add()
            self.recorder.record(.iterationsWithoutRow, 1, role: user.role, at: self.now)
        }
        // What the user is kept with, as long as it plays, is no more than these.
        let (details, number, iteration, workload) = (self.details, user.number, start.iteration, user.workload)
        return UserContext(
            number: number, iteration: iteration,
            seed: user.seed &+ UInt64(truncatingIfNeeded: start.iteration) &* 0x9E37_79B9_7F4A_7C15,
            members: details.members(ofUser: number, iteration: iteration, row: row),
            rowColumns: self.rowColumns,
            // A shard of three has each third user, so the number itself could leave addresses out.
            sourcePlace: user.number / max(self.settings.plan.shard.count, 1),
            coordinationRoom: self.settings.isPartOfRun ? user.coordinationRoom(plan: self.settings.plan) : nil,
            needsSharedServer: self.areServersSimulated
                && user.room.map { self.rooms.attendance(of: $0).size > 1 } == true,
            mostUsers: self.mostUsers,
            thinkTime: { details.thinkTime(ofWorkload: workload, using: &$0) })
    }

    /// - Parameter scriptEnd: When the script of the user ended; nil if it was never played.
    private func ended(
        _ user: VirtualUser, _ start: PacingAction.Start, _ end: ScenarioEnd, scriptEnd: Instant?
    ) {
        // Of an iteration that was broken off all has been told.
        guard !self.hasEnded, self.playing[user.number]?.start == start else { return }
        let now = self.now
        let problem = end.outcome.isGood ? nil : end.endingProblem
        let isCounted = self.isCounted(isError: problem?.category == .error, at: now)
        self.playing[user.number] = nil
        self.storms.ended(user.number)
        self.recorder.record(.iterations, 1, role: user.role, at: now)
        if case .skipped(let reason) = end.outcome {
            self.recorder.record(.skipped, 1, role: user.role, at: now)
            if isCounted { self.problems.skip(because: reason) }
        } else {
            // What was not played says nothing of how long it takes and how often it fails.
            self.recorder.record(
                .iteration, (scriptEnd ?? now) - start.intended, role: user.role, at: now, began: start.intended)
            self.recorder.record(.failures, problem == nil ? 0 : 1, role: user.role, at: now)
        }
        if let problem, isCounted {
            self.failureCount += 1
            self.problems.add(problem, of: user.number, at: now)
        }
        // Of a part of a run nobody asks.
        if !self.settings.isPartOfRun { self.mistakes.ended(user: user.number, because: problem) }
        self.pacing.ended(user: user.number, at: now, scriptEnd: scriptEnd, yield: end.outcome.yield)
        self.drain()
    }

    // MARK: The generator itself

    private func beat(due: Instant) {
        // This keeps the run alive until it has ended.
        self.pool.schedule(after: due - self.now) {
            guard !self.hasEnded else { return }
            let lateness = self.now - due
            self.recorder.health.timerFired(lateMicroseconds: lateness.microseconds)
            self.recorder.record(.timerLateness, lateness, role: nil, at: self.now)
            self.heedInterruption()
            if lateness > Self.leastStall { self.recorder.health.loopStalled(microseconds: lateness.microseconds) }
            self.beat(due: max(due + Self.heartbeat, self.now))
        }
    }

    private func beatVirtually() {
        // This keeps the run alive until it has ended.
        self.pool.schedule(after: Self.virtualHeartbeat) {
            guard !self.hasEnded else { return }
            self.heedInterruption()
            self.beatVirtually()
        }
    }

    private func heedInterruption() {
        if self.interruption.isUrgent {
            self.interrupt(within: .zero)
        } else if self.interruption.isRequested, self.ending == .finished {
            self.interrupt(within: Self.interruptedStop)
        }
    }

    private func tick() {
        self.pool.schedule(after: .seconds(1)) { [weak self] in
            guard let self, !self.hasEnded else { return }
            self.sample(users: self.playing.count)
            self.judge()
            self.onProgress(self.progress)
            self.onCheckpoint { self.result(.unfinished) }
            self.tick()
        }
    }

    private func sample(users: Int) {
        self.recorder.record(.users, Int64(users), role: nil, at: self.now)
        self.mostPlaying = self.playing.count
        let unmet = self.pacing.account.unmet
        if unmet > self.unmetCount {
            self.recorder.record(.droppedArrivals, Int64(unmet - self.unmetCount), role: nil, at: self.now)
            self.unmetCount = unmet
        }
        self.traffic.look(at: self.pool.traffic, self.now) { self.recorder.record($0, $1, role: nil, at: $2) }
        let sample = self.probe.sample()
        self.recorder.health.sampled(
            processorThousandths: sample.processorThousandths, memoryBytes: sample.memoryBytes,
            memoryLimitBytes: sample.memoryLimitBytes)
        let times = self.pool.scriptTimes
        self.recorder.health.scriptRan(microseconds: (times.script - self.scriptTimes.script).microseconds)
        self.recorder.health.garbageCollected(
            microseconds: (times.collection - self.scriptTimes.collection).microseconds)
        self.scriptTimes = (
            max(times.script, self.scriptTimes.script), max(times.collection, self.scriptTimes.collection)
        )
        self.recorder.health.exchanged(roundTrips: self.recorder.takeMessages() / 2)
    }

    /// Ends the run if a threshold says so, or if nothing can come of it.
    private func judge() {
        // Of a run on many cores that is judged on what all of them measure, not by one of them.
        guard self.settings.cores == 1, self.ending == .finished else { return }
        if self.settings.mayAbort,
            let reason = self.settings.abortReason(
                self.recorder.measurements, self.recorder.ledger.account(isOver: false),
                atMicroseconds: self.now.microseconds)
        {
            self.abort(.aborted(reason))
        } else if MistakeWatch.isCertain(by: self.mistakeCount) {
            self.abort(.mistaken)
        }
    }

    /// How many iterations there were, if each was a mistake of the script and no workload is still to begin. Of a part
    /// of a run nobody says so, for other machines wait for its users.
    private var mistakeCount: Int? {
        let now = self.now
        guard !self.settings.isPartOfRun,
            self.settings.plan.shape.workloads.allSatisfy({ now >= .start + $0.startAfter })
        else { return nil }
        return self.mistakes.count(playing: self.playing.keys, at: now)
    }

    /// How the run stands.
    public var progress: LoadProgress {
        LoadProgress(
            atMicroseconds: self.now.microseconds, users: self.playing.count, starts: self.pacing.account,
            measurements: self.recorder.measurements, deliveries: self.recorder.ledger.account(isOver: false),
            health: self.recorder.health.verdict(), failureCount: self.failureCount, causes: self.problems.causes,
            mistakeCount: self.mistakeCount)
    }

    private func end() {
        guard !self.hasEnded else { return }
        self.state = .ending
        if let wake = self.wake { self.pool.cancel(wake.timer) }
        let starts = self.pacing.account
        // Nobody plays any more. That is no figure of the last part of a second, nor of a run that took no longer.
        self.sample(users: self.mostPlaying)
        let result = self.result(self.ending)
        self.pool.endSharedParts { problems in self.conclude(result, starts, problems) }
        self.awaitSharedParts(result, starts)
    }

    /// What the run has come to.
    private func result(_ ending: ShardResult.Ending) -> ShardResult {
        let starts = self.pacing.account
        var health = self.recorder.health
        health.arrivalsDue(Int64(starts.planned), notStarted: Int64(starts.unmet))
        return ShardResult(
            durationMicroseconds: self.now.microseconds, ending: ending,
            measurements: self.recorder.measurements, ledger: self.recorder.ledger, health: health,
            annotations: self.annotations + self.storms.annotations + self.recorder.marks,
            causes: self.problems.causes, skips: self.problems.skips)
    }

    /// Has what users shared torn down; who cannot wait for that interrupts the run once more.
    private func awaitSharedParts(_ result: ShardResult, _ starts: PacingAccount) {
        guard self.state != .concluded else { return }
        guard !self.interruption.isUrgent else {
            return self.conclude(result, starts, [SharedProblem(Self.leftShared)])
        }
        self.pool.schedule(after: Self.heartbeat) { self.awaitSharedParts(result, starts) }
    }

    private static let leftShared = Problem(
        category: .error, kind: .interrupted,
        message: "what the users shared was not torn down: the run was interrupted")

    /// - Parameter problems: What went wrong with the parts that users shared, which is no user's failure.
    private func conclude(_ result: ShardResult, _ starts: PacingAccount, _ problems: [SharedProblem]) {
        guard self.state != .concluded else { return }
        self.state = .concluded
        var result = result
        for one in problems { self.problems.add(one.problem, of: nil, at: self.now, count: Int64(one.count)) }
        let shortfalls = self.ending == .finished ? starts.shortfalls(at: self.now, brokenOff: self.brokenOff) : []
        result.causes = FailureCause.merged(self.problems.causes + shortfalls)
        self.onEnd(
            Conclusion(
                result: result, starts: starts,
                warnings: [
                    self.recorder.measurements.warning, self.recorder.warning, self.rowless.warning, self.rooms.warning,
                ].compactMap(\.self), remarks: self.recorder.remarks,
                // Of a run that ended before its time, and of a part of one, there is more to come.
                storms: self.ending == .finished && !self.settings.isPartOfRun ? self.storms.tallies : [],
                mistakeCount: self.settings.isPartOfRun ? nil : self.mistakes.lastCount))
    }
}
