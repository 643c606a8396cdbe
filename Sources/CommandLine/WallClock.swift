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

    /// An instant by two clocks.
    struct Reading {
        /// Nanoseconds since 1970 UTC.
        let epochNanoseconds: Int64
        /// By the monotonic clock that event loops go by.
        let deadline: NIODeadline
    }

    /// Reads the clock of event loops and that on the wall at one instant: of several tries the one during which the
    /// thread was held up least.
    static var reading: Reading {
        var best: (length: TimeAmount, reading: Reading)?
        for _ in 0..<5 {
            let before = NIODeadline.now()
            let wall = Self.epochNanoseconds
            let length = NIODeadline.now() - before
            if let best, best.length <= length { continue }
            let middle = before + .nanoseconds(length.nanoseconds / 2)
            best = (length, Reading(epochNanoseconds: wall, deadline: middle))
        }
        return best?.reading ?? Reading(epochNanoseconds: Self.epochNanoseconds, deadline: .now())
    }

    /// Returns a function that tells how much time has passed since this call.
    static func stopwatch() -> @Sendable () -> Duration {
        let start = ContinuousClock.now
        return { ContinuousClock.now - start }
    }
}
