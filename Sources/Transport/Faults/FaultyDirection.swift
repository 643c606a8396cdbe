import DequeModule
import Machines

/// One direction of a connection with faults, and what is under way in it.
final class FaultyDirection {
    /// Of what is sent off at once so many things have a timer, of which a worker has room for some millions.
    private static let mostTimers = 256

    /// Who sends in it, seen from the side that has connected.
    let sender: FaultSide
    var lane: FaultyLane

    /// Whether it has ended on purpose, and swallows the rest.
    var isMuted = false

    /// What is under way, in order.
    private var queue: Deque<() -> Void> = []
    private let scheduler: any Scheduler

    init(of sender: FaultSide, _ lane: FaultyLane, scheduler: any Scheduler) {
        self.sender = sender
        self.lane = lane
        self.scheduler = scheduler
    }

    /// Does things, each when its time has come, after all that was sent off before them.
    ///
    /// In real time, timers that are due at nearly one instant fire in any order.
    func inOrder(_ actions: [(delay: Duration, action: () -> Void)]) {
        let now = self.scheduler.now
        for (_, action) in actions { self.queue.append(action) }
        self.setTimers(actions.map { now + $0.delay }[...])
    }

    /// Sets the timers of what waits, of many things only the first ones: the last of those sets the next.
    private func setTimers(_ dues: ArraySlice<Instant>) {
        let now = self.scheduler.now
        let rest = dues.dropFirst(Self.mostTimers)
        for due in dues.prefix(Self.mostTimers).dropLast() {
            self.scheduler.schedule(after: due - now) { self.queue.popFirst()?() }
        }
        guard let last = dues.prefix(Self.mostTimers).last else { return }
        self.scheduler.schedule(after: last - now) {
            self.setTimers(rest)
            self.queue.popFirst()?()
        }
    }
}
