/// What one unit of a recorded value stands for.
public enum MetricUnit: String, Hashable, Sendable, CaseIterable {
    /// Times, which reports show in whatever unit reads best.
    case microseconds
    /// Sizes; a kilobyte has 1000.
    case bytes
    /// Whole things.
    case count
    /// What a script counts or measures, as it gave it: it may have decimals and be below zero.
    case number
}
