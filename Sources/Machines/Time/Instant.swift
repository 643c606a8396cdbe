/// A point on the time line of a run, which starts at zero when the run starts.
///
/// Instants come from the one time source of the worker that plays a scenario; in virtual time they are the same in
/// every run. They are never compared with the wall clock.
public struct Instant: Hashable, Comparable, Sendable {
    /// Nanoseconds since the start of the time line.
    public var nanoseconds: Int64

    /// The start of the time line.
    public static let start = Instant(nanoseconds: 0)

    /// Creates an instant.
    ///
    /// - Parameter nanoseconds: Nanoseconds since the start of the time line.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    public static func < (left: Instant, right: Instant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// Returns the instant a duration later; the sum stops at the end of the 64-bit range instead of trapping.
    public static func + (instant: Instant, duration: Duration) -> Instant {
        let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(duration.clampedNanoseconds)
        guard overflow else { return Instant(nanoseconds: sum) }
        return Instant(nanoseconds: duration < .zero ? .min : .max)
    }

    /// Returns the same instant on a time line that starts at another instant of this one.
    public func onTimeLine(startingAt origin: Instant) -> Instant {
        Instant(nanoseconds: self.nanoseconds.subtractingReportingOverflow(origin.nanoseconds).partialValue)
    }

    /// Returns the time on the clock of the wall, in milliseconds since 1970 UTC; it stops at the end of the 64-bit
    /// range instead of trapping.
    ///
    /// - Parameter epochMilliseconds: The same of the start of the time line, as a configuration has it.
    public func onWallClock(startingAt epochMilliseconds: Int64) -> Int64 {
        let milliseconds = self.nanoseconds / 1_000_000
        let (sum, overflow) = epochMilliseconds.addingReportingOverflow(milliseconds)
        guard overflow else { return sum }
        return milliseconds < 0 ? .min : .max
    }

    /// Returns the duration from the right instant to the left one.
    public static func - (left: Instant, right: Instant) -> Duration {
        .nanoseconds(left.nanoseconds.subtractingReportingOverflow(right.nanoseconds).partialValue)
    }
}

extension Duration {
    /// The duration in whole nanoseconds, held within the 64-bit range.
    public var clampedNanoseconds: Int64 {
        let (seconds, attoseconds) = self.components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, carry) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard !carry else { return seconds < 0 ? .min : .max }
        return sum
    }
}
