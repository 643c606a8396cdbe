/// From which figures on a generator counts as strained and as unfit.
///
/// Defined here: the first of each pair makes a run degraded, the second one invalid.
enum HealthLimits {
    /// The 99th percentile of timer lateness, in microseconds.
    static let latenessMicroseconds: (degraded: Int64, invalid: Int64) = (5_000, 50_000)
    /// The longest stall of the event loop, in microseconds.
    static let stallMicroseconds: (degraded: Int64, invalid: Int64) = (100_000, 1_000_000)
    /// The 90th percentile of processor use, in thousandths.
    static let processorThousandths: (degraded: Int64, invalid: Int64) = (850, 980)
    /// The memory taken of what there is, in thousandths.
    static let memoryThousandths: (degraded: Int64, invalid: Int64) = (850, 970)
    /// The time of scripts of all the time that the process was busy, in thousandths; it is a reason only where the
    /// processors are one.
    static let scriptThousandths: Int64 = 500
    /// The round trips of the busiest second of those that the generator was found to make at most, in thousandths.
    static let capacityThousandths: (degraded: Int64, invalid: Int64) = (500, .max)
    /// The arrivals that could not begin, in thousandths; any at all make a run degraded.
    static let notStartedThousandths: (degraded: Int64, invalid: Int64) = (0, 10)
}
