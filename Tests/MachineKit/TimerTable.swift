internal import Machines

/// The timers of machines that are played in virtual time: which of them runs out next.
struct TimerTable<Owner: Hashable> {
    /// A timer that has run out.
    struct Expiry {
        let owner: Owner
        let name: TimerName
        let due: Instant
    }

    private struct Key: Hashable {
        let owner: Owner
        let name: TimerName
    }

    private var timers: [Key: (due: Instant, number: Int)] = [:]
    private var count = 0

    /// Sets a timer, in place of the owner's timer of that name.
    mutating func set(_ name: TimerName, of owner: Owner, due: Instant) {
        self.count += 1
        self.timers[Key(owner: owner, name: name)] = (due, self.count)
    }

    /// Forgets a timer.
    mutating func cancel(_ name: TimerName, of owner: Owner) {
        self.timers[Key(owner: owner, name: name)] = nil
    }

    /// When the next timer runs out.
    var nextDue: Instant? { self.timers.values.map(\.due).min() }

    /// Takes the timer that runs out first, the one set first where several do at once.
    ///
    /// - Returns: Nil if none runs out until the end.
    mutating func next(until end: Instant) -> Expiry? {
        let first = self.timers.min { ($0.value.due, $0.value.number) < ($1.value.due, $1.value.number) }
        guard let (key, timer) = first, timer.due <= end else { return nil }
        self.timers[key] = nil
        return Expiry(owner: key.owner, name: key.name, due: timer.due)
    }

    /// The names of an owner's timers, sorted.
    func names(of owner: Owner) -> [String] {
        self.timers.keys.filter { $0.owner == owner }.map(\.name.text).sorted()
    }
}
