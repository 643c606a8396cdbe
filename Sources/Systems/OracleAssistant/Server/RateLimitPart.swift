import Machines

/// How many messages one user sends in the second that runs, which a limit of the server's is compared with.
///
/// | state | input | → state |
/// |---|---|---|
/// | below the limit | `sent` in the same second, the last that is allowed | at the limit |
/// | at the limit | `sent` in the same second | over it |
/// | at the limit, over it | `sent` in a later second | below the limit |
struct RateLimitPart: Sendable {
    private var second: Int64 = -1
    private var count = 0

    /// How many messages there were in the second of a moment.
    func count(at now: Instant) -> Int { now.nanoseconds / 1_000_000_000 == self.second ? self.count : 0 }

    /// Returns why the next message is refused; nil if it is not.
    ///
    /// - Parameter limit: How many messages a second may have; nil for any number.
    func refusal(above limit: Int?, at now: Instant) -> String? {
        guard let limit, self.count(at: now) >= limit else { return nil }
        return "Too many messages; wait a second."
    }

    /// Counts a message that has arrived; one that is refused over a socket as well, and none that is refused as a
    /// request.
    mutating func handle(sentAt now: Instant) {
        self.count = self.count(at: now) + 1
        self.second = now.nanoseconds / 1_000_000_000
    }
}
