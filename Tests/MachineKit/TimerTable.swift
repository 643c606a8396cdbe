public import Machines

/// The timers of machines that are played in virtual time: which of them runs out next.
public struct TimerTable<Owner: Hashable> {
    /// A timer that has run out.
    public struct Expiry {
        public let owner: Owner
        public let name: TimerName
        public let due: Instant
    }

    private struct Key: Hashable {
        let owner: Owner
        let name: TimerName
    }

    private var timers: [Key: (due: Instant, number: Int)] = [:]
    private var count = 0

    /// Creates a table without timers.
    public init() {}

    /// Sets a timer, in place of the owner's timer of that name.
    public mutating func set(_ name: TimerName, of owner: Owner, due: Instant) {
        self.count += 1
        self.timers[Key(owner: owner, name: name)] = (due, self.count)
    }

    /// Forgets a timer.
    public mutating func cancel(_ name: TimerName, of owner: Owner) {
        self.timers[Key(owner: owner, name: name)] = nil
    }

    /// Takes the timer that runs out first, the one set first where several do at once.
    ///
    /// - Returns: Nil if none runs out until the end.
    public mutating func next(until end: Instant) -> Expiry? {
        let first = self.timers.min { ($0.value.due, $0.value.number) < ($1.value.due, $1.value.number) }
        guard let (key, timer) = first, timer.due <= end else { return nil }
        self.timers[key] = nil
        return Expiry(owner: key.owner, name: key.name, due: timer.due)
    }

    /// The names of an owner's timers, sorted.
    public func names(of owner: Owner) -> [String] {
        self.timers.keys.filter { $0.owner == owner }.map(\.name.text).sorted()
    }
}
