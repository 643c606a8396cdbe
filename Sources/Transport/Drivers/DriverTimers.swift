import Machines

/// The timers of one machine.
///
/// A list, not a dictionary: machines have a handful of timers and there may be many thousands of machines.
struct DriverTimers {
    private struct Entry {
        let name: TimerName
        let due: Instant
        let number: UInt64
        let id: ScheduledID
    }

    private var entries: [Entry] = []
    private var count: UInt64 = 0

    /// The timers that run, with when they fire.
    var pending: [(name: TimerName, due: Instant)] { self.entries.map { ($0.name, $0.due) } }

    /// The timers that run, in words.
    func texts(at now: Instant) -> [String] {
        self.pending.map { "timer \($0.name) fires in \(($0.due - now).timelineText)" }
    }

    /// Whether no timer is set.
    var isEmpty: Bool { self.entries.isEmpty }

    /// Sets or replaces a timer.
    ///
    /// - Parameters:
    ///   - name: The timer.
    ///   - delay: From now.
    ///   - scheduler: What counts the time.
    ///   - fire: Called with a number for ``takeFired(_:_:)``.
    mutating func set(
        _ name: TimerName, after delay: Duration, on scheduler: any Scheduler, fire: @escaping (UInt64) -> Void
    ) {
        self.cancel(name, on: scheduler)
        self.count += 1
        let number = self.count
        let id = scheduler.schedule(after: delay) { fire(number) }
        self.entries.append(Entry(name: name, due: scheduler.now + delay, number: number, id: id))
    }

    /// Forgets a timer.
    mutating func cancel(_ name: TimerName, on scheduler: any Scheduler) {
        guard let index = self.entries.firstIndex(where: { $0.name == name }) else { return }
        scheduler.cancel(self.entries.remove(at: index).id)
    }

    /// Forgets all timers.
    mutating func cancelAll(on scheduler: any Scheduler) {
        for entry in self.entries { scheduler.cancel(entry.id) }
        self.entries = []
    }

    /// Takes a timer out that has run; false if it was replaced or forgotten meanwhile.
    mutating func takeFired(_ name: TimerName, _ number: UInt64) -> Bool {
        guard let index = self.entries.firstIndex(where: { $0.name == name && $0.number == number }) else {
            return false
        }
        self.entries.remove(at: index)
        return true
    }
}
