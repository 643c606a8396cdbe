import Machines
import Transport

/// Time that a test moves.
final class ManualClock: Scheduler {
    private(set) var now = Instant.start
    private var actions: [(id: UInt64, at: Instant, run: () -> Void)] = []
    private var count: UInt64 = 0

    func schedule(after delay: Duration, _ action: @escaping () -> Void) -> ScheduledID {
        self.count += 1
        self.actions.append((self.count, self.now + delay, action))
        return ScheduledID(self.count)
    }

    func cancel(_ id: ScheduledID) { self.actions.removeAll { ScheduledID($0.id) == id } }

    func advance(by duration: Duration) {
        self.now = self.now + duration
        while let place = self.actions.firstIndex(where: { $0.at <= self.now }) {
            self.actions.remove(at: place).run()
        }
    }
}
