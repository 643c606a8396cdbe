import FoundationEssentials
import Machines
import NIOCore

/// The time on the wall, for reports, for simulated servers in real time and for when parts of a run begin; nothing
/// that users do is timed by it.
enum WallClock {
    /// Milliseconds since 1970 UTC.
    static var epochMilliseconds: Int64 { Int64((Date().timeIntervalSince1970 * 1000).rounded()) }

    /// Nanoseconds since 1970 UTC, for what several machines agree on.
    static var epochNanoseconds: Int64 { Int64((Date().timeIntervalSince1970 * 1e9).rounded()) }

    /// The time as reports write it: ISO 8601, UTC, to the second.
    static var timestamp: String {
        Timestamp.text(epochMilliseconds: Self.epochMilliseconds).prefix(19) + "Z"
    }

    /// Returns the instant, on the monotonic clock that event loops go by, that lies so much later than now.
    static func deadline(in duration: Duration) -> NIODeadline {
        .now() + .nanoseconds(duration.clampedNanoseconds)
    }

    /// Returns a function that tells how much time has passed since this call.
    static func stopwatch() -> @Sendable () -> Duration {
        let start = ContinuousClock.now
        return { ContinuousClock.now - start }
    }
}
