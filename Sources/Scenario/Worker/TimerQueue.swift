import HeapModule
import Machines
import Transport

/// The actions that wait for their time, earliest first; equal times keep the order of scheduling.
struct TimerQueue {
    /// The number of an action is a count, which gives the order, and the slot that it lies in, which finds it.
    private static let slotBits: UInt64 = 24

    private struct Entry: Comparable {
        let due: Instant
        let number: UInt64

        static func < (left: Entry, right: Entry) -> Bool {
            left.due == right.due ? left.number < right.number : left.due < right.due
        }
    }

    private struct Slot {
        /// The number of the action in it; 0 for a free one.
        var number: UInt64
        var action: (() -> Void)?
    }

    private var heap = Heap<Entry>()
    private var slots: [Slot] = []
    private var freeSlots: [Int] = []
    private var count: UInt64 = 0

    /// Adds an action; there is room for sixteen million.
    mutating func add(due: Instant, _ action: @escaping () -> Void) -> ScheduledID {
        self.count += 1
        let place = self.freeSlots.popLast() ?? self.slots.count
        precondition(place < 1 << Self.slotBits, "more timers wait than there is room for")
        let number = self.count << Self.slotBits | UInt64(place)
        let slot = Slot(number: number, action: action)
        if place == self.slots.count { self.slots.append(slot) } else { self.slots[place] = slot }
        self.heap.insert(Entry(due: due, number: number))
        return ScheduledID(number)
    }

    /// Forgets an action; one that is gone already is ignored.
    mutating func cancel(_ id: ScheduledID) {
        guard self.take(id.number) != nil else { return }
        // Entries of forgotten actions leave the heap when they come up, or all at once when they are the majority.
        if self.heap.count > 64, self.heap.count > 2 * (self.slots.count - self.freeSlots.count) {
            let slots = self.slots
            self.heap = Heap(self.heap.unordered.filter { slots[Self.place(of: $0.number)].number == $0.number })
        }
    }

    /// When the next action is due.
    var nextDue: Instant? {
        mutating get {
            while let entry = self.heap.min, self.slots[Self.place(of: entry.number)].number != entry.number {
                self.heap.removeMin()
            }
            return self.heap.min?.due
        }
    }

    /// Takes the next action if it is due.
    mutating func takeDue(at now: Instant) -> (() -> Void)? {
        guard let due = self.nextDue, due <= now else { return nil }
        return self.take(self.heap.removeMin().number)
    }

    private mutating func take(_ number: UInt64) -> (() -> Void)? {
        let place = Self.place(of: number)
        guard place < self.slots.count, self.slots[place].number == number else { return nil }
        let action = self.slots[place].action
        self.slots[place] = Slot(number: 0, action: nil)
        self.freeSlots.append(place)
        return action
    }

    private static func place(of number: UInt64) -> Int { Int(number & (1 << Self.slotBits - 1)) }
}
