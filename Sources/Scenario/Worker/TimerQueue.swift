import ChatCore
import HeapModule
import Transport

/// The actions that wait for their time, earliest first; equal times keep the order of scheduling.
struct TimerQueue {
    private struct Entry: Comparable {
        let due: Instant
        let number: UInt64

        static func < (left: Entry, right: Entry) -> Bool {
            (left.due, left.number) < (right.due, right.number)
        }
    }

    private var heap = Heap<Entry>()
    private var actions: [UInt64: () -> Void] = [:]
    private var lastNumber: UInt64 = 0

    /// Adds an action.
    mutating func add(due: Instant, _ action: @escaping () -> Void) -> ScheduledID {
        self.lastNumber += 1
        self.heap.insert(Entry(due: due, number: self.lastNumber))
        self.actions[self.lastNumber] = action
        return ScheduledID(self.lastNumber)
    }

    /// Forgets an action; one that is gone already is ignored.
    mutating func cancel(_ id: ScheduledID) {
        guard self.actions.removeValue(forKey: id.number) != nil else { return }
        // Entries of forgotten actions leave the heap when they come up, or all at once when they are the majority.
        if self.heap.count > 64, self.heap.count > 2 * self.actions.count {
            let actions = self.actions
            self.heap = Heap(self.heap.unordered.filter { actions[$0.number] != nil })
        }
    }

    /// When the next action is due.
    var nextDue: Instant? {
        mutating get {
            while let entry = self.heap.min, self.actions[entry.number] == nil { self.heap.removeMin() }
            return self.heap.min?.due
        }
    }

    /// Takes the next action if it is due.
    mutating func takeDue(at now: Instant) -> (() -> Void)? {
        guard let due = self.nextDue, due <= now else { return nil }
        return self.actions.removeValue(forKey: self.heap.removeMin().number)
    }
}
