import DequeModule
import Machines
import RunRecord

/// The pacing of a closed executor: a number of users, constant or along a ramp, each of which plays again and again.
///
/// | user     | input                                | what happens                                         |
/// |----------|--------------------------------------|------------------------------------------------------|
/// | away     | the ramp reaches it                  | start; playing                                       |
/// | playing  | it ends its iteration                | start of the next one, or away if there is none      |
/// | playing  | its iteration comes to nothing       | resting, for as long as ``FailurePause`` says        |
/// | resting  | its rest is over                     | start of the next one, or away if it is not wanted   |
/// | playing  | the ramp leaves it, or the end comes | told to stop; stopping                               |
/// | stopping | the ramp reaches it again            | told to go on; playing                               |
/// | stopping | it ends its iteration                | away                                                 |
/// | stopping | its time to finish is up             | aborted; away                                        |
struct UserPacing: Sendable {
    private enum State: Sendable {
        case away, resting, ready, playing, stopping
    }

    /// What a user has come to so far.
    private enum Past: Sendable {
        /// It has not begun, or plays for the first time.
        case nothing
        /// It was aborted, and has never played to the end.
        case aborted
        /// It has played to the end.
        case ended
    }

    private struct Slot: Sendable {
        var state = State.away
        var past = Past.nothing
        var isWanted = false
        var played = 0
        /// When the start that it is ready for was due.
        var intended = Instant.start
        /// When it started last.
        var startedAt = Instant.start
        var pause = FailurePause()
        /// Which of its stops is the current one, so that a stop that was taken back is told from it.
        var stops = 0
    }

    private struct Rest: Sendable {
        let slot: Int
        let until: Instant
    }

    private struct Deadline: Sendable {
        let slot: Int
        let stop: Int
        let at: Instant
    }

    private let planned: PlannedWorkload
    private let members: [Int]
    private var end: WorkloadEnd
    private let gracefulRampDown: Duration
    private var timeline: RampTimeline
    private var quota: IterationQuota
    private var slots: [Slot]
    private var ready: Deque<Int> = []
    private var deadlines: Deque<Deadline> = []
    /// The users that rest, in the order in which their rests end.
    private var rests: Deque<Rest> = []
    /// The next slot to be told to stop, or to be aborted, when all are.
    private var stopCursor: Int?
    private var abortCursor: Int?
    private var isClosing = false
    private var stuck: StuckUsers

    /// How many users play.
    private(set) var activeUsers = 0

    /// What became of the starts so far.
    private(set) var account = PacingAccount()

    init?(_ planned: PlannedWorkload, shard: Shard) {
        let workload = planned.workload
        guard let users = workload.executor.peakUsers else { return nil }
        self.planned = planned
        self.members = (0..<users).filter { planned.placement.isOwned($0, by: shard) }
        let origin = Instant.start + workload.startAfter
        self.end = WorkloadEnd(of: workload)
        self.stuck = StuckUsers(gracefulStop: workload.gracefulStop)
        switch workload.executor {
        case .rampingUsers(let start, let stages, let down):
            self.timeline = RampTimeline(origin: origin, start: start, stages: stages, members: self.members)
            self.gracefulRampDown = down
        default:
            self.timeline = RampTimeline(origin: origin, start: users, stages: [], members: self.members)
            self.gracefulRampDown = .zero
        }
        self.quota = IterationQuota(workload.executor, members: self.members)
        self.slots = Array(repeating: Slot(), count: self.members.count)
        self.account.planned = self.quota.planned(users: self.members.count) ?? 0
    }

    /// Whether nothing is left to do.
    var isFinished: Bool {
        self.activeUsers == 0 && (self.isClosing || self.isExhausted)
    }

    /// Whether all counted iterations were started.
    private var isExhausted: Bool {
        self.quota.planned(users: self.members.count).map { self.account.started >= $0 } ?? false
    }

    /// When to be asked again, unless a user ends before; nil if nothing is left to do.
    var wake: Instant? {
        if self.stopCursor != nil || self.abortCursor != nil || !self.ready.isEmpty { return .start }
        if self.isFinished { return nil }
        var earliest = self.isClosing ? self.end.abortInstant : self.end.instant
        if let deadline = self.deadlines.first { earliest = min(earliest, deadline.at) }
        if !self.isClosing, let rest = self.rests.first { earliest = min(earliest, rest.until) }
        if !self.isClosing, !self.isExhausted {
            var timeline = self.timeline
            if let change = timeline.next { earliest = min(earliest, change.at) }
        }
        return earliest
    }

    /// Returns the next thing to be done, nil if there is nothing now.
    ///
    /// - Parameter now: The instant of asking.
    mutating func next(at now: Instant) -> PacingAction? {
        while true {
            if let action = self.nextOfAll(at: now) { return action }
            if let slot = self.ready.popFirst() {
                if let action = self.start(slot, at: now) { return action }
                continue
            }
            if !self.isClosing, let rest = self.rests.first, rest.until <= now, rest.until < self.end.instant {
                self.rests.removeFirst()
                self.slots[rest.slot].state = .away
                if self.slots[rest.slot].isWanted { self.makeReady(rest.slot, at: rest.until) }
                continue
            }
            if let deadline = self.deadlines.first, deadline.at <= now {
                self.deadlines.removeFirst()
                guard self.slots[deadline.slot].state == .stopping, self.slots[deadline.slot].stops == deadline.stop
                else { continue }
                return self.abort(deadline.slot, at: now)
            }
            if !self.isClosing, let change = self.timeline.next, change.at <= now, change.at < self.end.instant {
                self.timeline.take()
                if let action = self.apply(change) { return action }
                continue
            }
            if !self.isClosing, now >= self.end.instant {
                self.isClosing = true
                self.account.drop(self.end.reason, self.account.pending)
                self.stopCursor = 0
                continue
            }
            if self.isClosing, self.activeUsers > 0, now >= self.end.abortInstant {
                self.deadlines.removeAll()
                self.abortCursor = 0
                continue
            }
            return nil
        }
    }

    /// Takes note that a user has played to the end; a user that does not play is ignored.
    ///
    /// - Parameters:
    ///   - user: The number of the user in the run.
    ///   - now: The instant of its end.
    ///   - scriptEnd: When its script ended.
    ///   - yield: What its iteration came to.
    mutating func ended(user: Int, at now: Instant, scriptEnd: Instant, yield: IterationYield) {
        guard let slot = self.slot(ofUser: user) else { return }
        let state = self.slots[slot].state
        guard state == .playing || state == .stopping else { return }
        self.slots[slot].state = .away
        self.activeUsers -= 1
        self.account.finished += 1
        if self.slots[slot].past == .aborted { self.account.neverEnded -= 1 }
        self.slots[slot].past = .ended
        let length = now - self.slots[slot].startedAt
        self.stuck.ended(after: length)
        let script = scriptEnd - self.slots[slot].startedAt
        let pause = self.slots[slot].pause.ended(after: length, script: script, yield: yield)
        guard self.slots[slot].isWanted, now < self.end.instant, !self.isClosing else { return }
        if pause > .zero { self.rest(slot, until: now + pause) } else { self.makeReady(slot, at: now) }
    }

    /// Ends the workload early: nobody starts any more, and users are told to stop.
    ///
    /// - Parameters:
    ///   - now: The instant from which nobody starts.
    ///   - within: How long users may take to finish; at most as long as the shape allows.
    mutating func stop(at now: Instant, within: Duration? = nil) {
        self.end.stop(at: now, within: within)
    }

    /// The next action of a stop or an abort of all users.
    private mutating func nextOfAll(at now: Instant) -> PacingAction? {
        while let slot = self.stopCursor {
            self.stopCursor = slot + 1 < self.slots.count ? slot + 1 : nil
            guard slot < self.slots.count, self.slots[slot].state == .playing else { continue }
            self.tellToStop(slot)
            return .stop(user: self.user(slot))
        }
        while let slot = self.abortCursor {
            self.abortCursor = slot + 1 < self.slots.count ? slot + 1 : nil
            guard slot < self.slots.count, [.playing, .stopping].contains(self.slots[slot].state) else { continue }
            return self.abort(slot, at: now)
        }
        return nil
    }

    private mutating func start(_ slot: Int, at now: Instant) -> PacingAction? {
        guard self.slots[slot].state == .ready else { return nil }
        self.slots[slot].state = .away
        guard self.quota.allows(played: self.slots[slot].played) else { return nil }
        guard now < self.end.instant, !self.isClosing else {
            // Counted iterations that are not played are booked together at the end.
            if case .unlimited = self.quota { self.account.drop(self.end.reason) }
            return nil
        }
        let iteration = self.quota.take(played: self.slots[slot].played)
        self.slots[slot].played += 1
        self.slots[slot].state = .playing
        self.slots[slot].startedAt = now
        self.activeUsers += 1
        self.account.start(behind: now - self.slots[slot].intended)
        return .start(
            PacingAction.Start(
                user: self.user(slot), iteration: iteration, intended: self.slots[slot].intended))
    }

    private mutating func apply(_ change: RampTimeline.Change) -> PacingAction? {
        self.slots[change.slot].isWanted = change.comes
        switch (self.slots[change.slot].state, change.comes) {
        case (.away, true):
            self.makeReady(change.slot, at: change.at)
            return nil
        case (.stopping, true):
            self.slots[change.slot].state = .playing
            return .resume(user: self.user(change.slot))
        case (.playing, false):
            self.tellToStop(change.slot)
            let until = min(change.at + self.gracefulRampDown, self.end.abortInstant)
            self.deadlines.append(Deadline(slot: change.slot, stop: self.slots[change.slot].stops, at: until))
            return .stop(user: self.user(change.slot))
        default: return nil
        }
    }

    private mutating func tellToStop(_ slot: Int) {
        self.slots[slot].state = .stopping
        self.slots[slot].stops += 1
    }

    private mutating func rest(_ slot: Int, until: Instant) {
        guard self.quota.allows(played: self.slots[slot].played) else { return }
        self.slots[slot].state = .resting
        // Most rests are as long as those before, so the place is near the end.
        var place = self.rests.endIndex
        while place > self.rests.startIndex, self.rests[place - 1].until > until { place -= 1 }
        self.rests.insert(Rest(slot: slot, until: until), at: place)
    }

    private mutating func makeReady(_ slot: Int, at intended: Instant) {
        guard self.quota.allows(played: self.slots[slot].played) else { return }
        if case .unlimited = self.quota { self.account.planned += 1 }
        self.slots[slot].state = .ready
        self.slots[slot].intended = intended
        self.ready.append(slot)
    }

    private mutating func abort(_ slot: Int, at now: Instant) -> PacingAction {
        self.slots[slot].state = .away
        self.activeUsers -= 1
        self.account.unfinished += 1
        let isShort: Bool
        switch self.slots[slot].past {
        case .nothing:
            self.slots[slot].past = .aborted
            self.account.neverEnded += 1
            isShort = true
        case .aborted: isShort = true
        case .ended:
            isShort = self.stuck.contains(playingFor: now - self.slots[slot].startedAt)
            if isShort { self.account.stuck += 1 }
        }
        return .abort(user: self.user(slot), isShort: isShort)
    }

    private func user(_ slot: Int) -> Int { self.planned.firstUser + self.members[slot] }

    private func slot(ofUser user: Int) -> Int? {
        let member = user - self.planned.firstUser
        let slot = self.members.partitioningIndex { $0 >= member }
        return slot < self.members.count && self.members[slot] == member ? slot : nil
    }
}
