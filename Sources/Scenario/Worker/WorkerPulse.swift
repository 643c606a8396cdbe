import Synchronization

/// The turns of a worker; there is no way to end one, because what machines do ends by itself.
final class WorkerPulse: WatchedActivity {
    /// Odd while something is done.
    private let count = Atomic<UInt64>(0)

    var turn: UInt64? {
        let count = self.count.load(ordering: .relaxed)
        return count.isMultiple(of: 2) ? nil : count
    }

    func stop(_ turn: UInt64, because reason: String) {}

    /// Begins a turn; called by the worker's thread only.
    func begin() { self.count.store(self.count.load(ordering: .relaxed) | 1, ordering: .relaxed) }

    /// Ends it.
    func end() { self.count.store((self.count.load(ordering: .relaxed) | 1) &+ 1, ordering: .relaxed) }
}
