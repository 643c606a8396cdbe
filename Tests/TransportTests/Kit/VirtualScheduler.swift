import Machines
import Transport

/// Time that moves only when nothing else can happen.
final class VirtualScheduler: Scheduler {
    private struct Entry {
        let at: Instant
        let id: ScheduledID
        let action: () -> Void
    }

    private(set) var now = Instant.start
    /// In the order in which they are due; those before the cursor have run.
    private var entries: [Entry] = []
    private var cursor = 0
    private var count: UInt64 = 0

    var isEmpty: Bool { self.waitingCount == 0 }

    /// How many actions wait.
    var waitingCount: Int { self.entries.count - self.cursor }

    @discardableResult
    func schedule(after delay: Duration, _ action: @escaping () -> Void) -> ScheduledID {
        self.count += 1
        let entry = Entry(at: max(self.now, self.now + delay), id: ScheduledID(self.count), action: action)
        let place = self.entries[self.cursor...].lastIndex { $0.at <= entry.at }.map { $0 + 1 } ?? self.cursor
        self.entries.insert(entry, at: place)
        return entry.id
    }

    func cancel(_ id: ScheduledID) {
        self.entries[self.cursor...].removeAll { $0.id == id }
    }

    /// Runs actions until a condition holds; returns false if none are left, or too many were run.
    @discardableResult
    func run(until condition: () -> Bool = { false }) -> Bool {
        for _ in 0..<1_000_000 {
            if condition() { return true }
            guard !self.isEmpty else { return false }
            let entry = self.entries[self.cursor]
            self.cursor += 1
            if self.cursor == self.entries.count {
                self.entries.removeAll(keepingCapacity: true)
                self.cursor = 0
            }
            self.now = entry.at
            entry.action()
        }
        return false
    }
}
