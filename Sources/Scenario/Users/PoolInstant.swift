public import Machines

/// A point on the time line of a pool of virtual users, on which runs begin: their own instants are another type, so
/// that the two are never taken for each other.
public struct PoolInstant: Sendable {
    /// The start of the pool.
    public static let start = PoolInstant(.start)

    private let instant: Instant

    init(_ instant: Instant) {
        self.instant = instant
    }

    /// Returns the same instant on the time line of what began at another instant of the pool.
    public func onTimeLine(startingAt origin: PoolInstant) -> Instant {
        self.instant.onTimeLine(startingAt: origin.instant)
    }
}

extension Worker {
    /// The time of the pool of users that the worker plays.
    var poolNow: PoolInstant { PoolInstant(self.now) }
}
