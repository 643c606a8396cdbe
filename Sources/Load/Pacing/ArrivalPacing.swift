import Machines
import RunRecord

/// The pacing of an open executor: each arrival is a user of its own that plays once.
///
/// | state   | input                             | what happens                                  |
/// |---------|-----------------------------------|-----------------------------------------------|
/// | open    | an arrival is due                 | start; dropped if there are too many users    |
/// | open    | the end, or ``stop(at:within:)``  | each user is told to stop; closing            |
/// | closing | a user ends                       | finished; over when it was the last           |
/// | closing | the time to finish is up          | each user is aborted; over                    |
struct ArrivalPacing: Sendable {
    private let planned: PlannedWorkload
    private let shard: Shard
    private let origin: Instant
    private let limit: Int
    private var end: WorkloadEnd
    private var times: ArrivalTimes
    private var upcoming: (index: Int, at: Instant)?
    /// The members that play, and whether they were told to stop.
    private var active: Set<Int> = []
    private var toStop: [Int] = []
    private var toAbort: [Int] = []
    private var isClosing = false

    /// What became of the starts so far.
    private(set) var account = PacingAccount()

    init?(_ planned: PlannedWorkload, shard: Shard) {
        guard let times = ArrivalTimes(planned.workload.executor, seed: planned.arrivalSeed) else { return nil }
        self.planned = planned
        self.shard = shard
        self.origin = .start + planned.workload.startAfter
        self.limit = shard.share(of: planned.workload.maxUsers)
        self.end = WorkloadEnd(of: planned.workload)
        self.times = times
        self.account.planned = (0..<planned.userCount).count { planned.placement.isOwned($0, by: shard) }
        self.upcoming = self.following()
    }

    /// How many users play.
    var activeUsers: Int { self.active.count }

    /// Whether nothing is left to do.
    var isFinished: Bool { self.isClosing && self.active.isEmpty }

    /// When to be asked again, unless a user ends before; nil if nothing is left to do.
    var wake: Instant? {
        if !self.toStop.isEmpty || !self.toAbort.isEmpty { return .start }
        if self.isClosing { return self.active.isEmpty ? nil : self.end.abortInstant }
        return min(self.upcoming?.at ?? self.end.instant, self.end.instant)
    }

    /// Returns the next thing to be done, nil if there is nothing now.
    ///
    /// - Parameters:
    ///   - now: The instant of asking.
    ///   - spare: How many more users the run may have.
    mutating func next(at now: Instant, spare: Int = .max) -> PacingAction? {
        while true {
            if let member = self.toStop.popLast() {
                guard self.active.contains(member) else { continue }
                return .stop(user: self.planned.firstUser + member)
            }
            if let member = self.toAbort.popLast() {
                guard self.active.remove(member) != nil else { continue }
                self.account.unfinished += 1
                self.account.neverEnded += 1
                return .abort(user: self.planned.firstUser + member, isShort: true)
            }
            if let (member, intended) = self.upcoming, intended <= now, intended < self.end.instant {
                self.upcoming = self.following()
                if now >= self.end.abortInstant {
                    self.account.drop(.timeUp)
                } else if self.active.count >= self.limit {
                    self.account.drop(.workloadFull)
                } else if spare <= 0 {
                    self.account.drop(.runFull)
                } else {
                    self.active.insert(member)
                    self.account.start(behind: now - intended)
                    return .start(
                        PacingAction.Start(
                            user: self.planned.firstUser + member, iteration: member, intended: intended))
                }
                continue
            }
            if !self.isClosing, now >= self.end.instant {
                self.isClosing = true
                self.account.drop(self.end.reason, self.account.pending)
                // Taken from the back, so that the lowest number comes first.
                self.toStop = self.active.sorted(by: >)
                continue
            }
            if self.isClosing, !self.active.isEmpty, now >= self.end.abortInstant {
                self.toAbort = self.active.sorted(by: >)
                continue
            }
            return nil
        }
    }

    /// Takes note that a user has played to the end; a user that does not play is ignored.
    mutating func ended(user: Int) {
        guard self.active.remove(user - self.planned.firstUser) != nil else { return }
        self.account.finished += 1
    }

    /// Ends the workload early: nobody starts any more, and users are told to stop.
    ///
    /// - Parameters:
    ///   - now: The instant from which nobody starts.
    ///   - within: How long users may take to finish; at most as long as the shape allows.
    mutating func stop(at now: Instant, within: Duration? = nil) {
        self.end.stop(at: now, within: within)
    }

    /// Finds the next arrival that is this shard's.
    private mutating func following() -> (index: Int, at: Instant)? {
        while true {
            let index = self.times.index
            let isOwned = self.planned.placement.isOwned(index, by: self.shard)
            guard let time = self.times.next(isWanted: isOwned) else { return nil }
            if isOwned { return (index, self.origin + time) }
        }
    }
}
