import Machines

/// A clock that can jump forward, as that of a machine that slept: all that becomes due by it runs at once, in order.
final class JumpingClock: Scheduler {
    private struct Entry {
        let due: Instant
        let id: ScheduledID
        let action: () -> Void
    }

    private let base: any Scheduler
    private var ahead = Duration.zero
    private var entries: [UInt64: Entry] = [:]
    private var count: UInt64 = 0

    /// Creates a clock that shows what another one does until it jumps.
    init(_ base: any Scheduler) {
        self.base = base
    }

    var now: Instant { self.base.now + self.ahead }

    func schedule(after delay: Duration, _ action: @escaping () -> Void) -> ScheduledID {
        self.count += 1
        self.add(self.count, due: self.now + max(delay, .zero), action)
        return ScheduledID(self.count)
    }

    func cancel(_ id: ScheduledID) {
        if let entry = self.entries.removeValue(forKey: id.number) { self.base.cancel(entry.id) }
    }

    /// Jumps forward.
    func jump(by distance: Duration) {
        self.ahead += distance
        let waiting = self.entries.sorted { ($0.value.due, $0.key) < ($1.value.due, $1.key) }
        for (number, entry) in waiting {
            self.base.cancel(entry.id)
            self.add(number, due: entry.due, entry.action)
        }
    }

    private func add(_ number: UInt64, due: Instant, _ action: @escaping () -> Void) {
        let id = self.base.schedule(after: max(.zero, due - self.now)) {
            self.entries[number] = nil
            action()
        }
        self.entries[number] = Entry(due: due, id: id, action: action)
    }
}
